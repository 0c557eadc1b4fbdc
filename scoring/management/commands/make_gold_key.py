"""Make the pair of keys that gold labels are sealed with."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.server.secret_files import write_new_secret
from submissions.intake.sealing import KeyPair, VaultError, generate_keypair, key_fingerprint, pair_of


class Command(BaseCommand):
    help = "Write a new private key to a file that only its owner may read, and print the public key."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="where the private key goes; it must not exist yet")
        parser.add_argument(
            "--public", action="store_true", help="only print the public key of the private one in FILE"
        )

    def handle(self, *args: Any, file: Path, public: bool, **options: Any) -> None:
        if public:
            self.stdout.write(f"HELDOUT_GOLD_PUBLIC_KEY={_read(file).public}")
            return
        keypair = generate_keypair()
        try:
            write_new_secret(file, keypair.private)
        except FileExistsError:
            raise CommandError(
                f"{file} exists already. Gold labels may be sealed to it, so it is left as it is; name a new file."
            ) from None
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from None
        self.stdout.write(f"HELDOUT_GOLD_PUBLIC_KEY={keypair.public}")
        self.stderr.write(
            f"The private key (fingerprint {key_fingerprint(keypair.public)}) is in {file}. Keep a copy offline: "
            "without it no gold labels can be opened. Give the file to workers only (HELDOUT_GOLD_PRIVATE_KEY_FILE)."
        )


def _read(file: Path) -> KeyPair:
    try:
        return pair_of(file.read_text(encoding="ascii").strip())
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.") from None
    except (UnicodeDecodeError, VaultError):
        raise CommandError(f"{file} holds no private key: expected one line, 32 bytes in Base64.") from None
