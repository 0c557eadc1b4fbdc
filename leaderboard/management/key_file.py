"""With which private key a command that is run by hand opens gold labels: that of a file, or the demo's own."""

from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings

from scoring.gold.keys import demo_key_file, has_private_key


def add_key_file(parser: ArgumentParser) -> None:
    parser.add_argument("--key-file", type=Path, help="file with the scorer's private key")


def use_key_file(key_file: Path | None) -> None:
    """Open gold labels with the key of that file; where none is named, a demo without a key takes its own."""
    if key_file or (settings.SYNTHETIC_DEMO and not has_private_key()):
        settings.GOLD_PRIVATE_KEY_FILE = str(key_file or demo_key_file(settings.DATA_DIR))
