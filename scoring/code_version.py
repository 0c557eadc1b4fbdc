"""Which code this is, and which libraries it uses, for the provenance of the numbers that it makes."""

import shutil
import subprocess
from collections.abc import Iterable
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from django.conf import settings

from catalogue.metrics.metric import AnyMetric

UNKNOWN = "unknown"
LONGEST = 64
# What every score and every interval is worked out with.
_ALWAYS = ("numpy", "scipy")


@lru_cache(maxsize=1)
def code_commit() -> str:
    """The commit that this process runs, asked for once.

    That is what HELDOUT_COMMIT says, else what git says of the folder, with `-dirty` after it where files were changed
    since; `unknown` where neither knows.
    """
    return (settings.CODE_COMMIT or _of_checkout(Path(settings.BASE_DIR)) or UNKNOWN)[:LONGEST]


def library_versions(metrics: Iterable[AnyMetric]) -> dict[str, str]:
    """The installed versions of the libraries that scores by these metrics are made with, by name."""
    names = {*_ALWAYS, *(name for metric in metrics for name in metric.libraries)}
    return {name: _version(name) for name in sorted(names)}


@lru_cache
def _version(library: str) -> str:
    return version(library)


def _of_checkout(folder: Path) -> str:
    """What git says of a folder; nothing where it is no checkout of its own, or there is no git."""
    git = shutil.which("git")
    if git is None or not (folder / ".git").exists():
        return ""
    command = [git, "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        done = subprocess.run(command, capture_output=True, check=True, text=True, timeout=10)  # noqa: S603  # fixed words
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()
