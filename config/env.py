"""The environment that settings are read from, with the mode the server runs in."""

import os
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

import environ

BASE_DIR = Path(__file__).resolve().parent.parent


class Mode(StrEnum):
    """How much the server may assume about its surroundings."""

    PRODUCTION = "production"
    DEMO = "demo"
    TEST = "test"


env = environ.Env()
DATA_DIR = Path(os.environ.get("HELDOUT_DATA") or BASE_DIR / "var").resolve()

# `make demo` writes this file, so that manage.py run by hand finds the same server. The environment wins over it.
ENV_FILE = DATA_DIR / "heldout.env"
if ENV_FILE.is_file():
    environ.Env.read_env(ENV_FILE)

MODE = Mode(env.str("HELDOUT_MODE", default=Mode.PRODUCTION.value))
IS_PRODUCTION = MODE is Mode.PRODUCTION


def secret(name: str) -> str:
    """A value from the variable `name`, or from the file that `name`_FILE points at; empty where neither is set."""
    path = env.str(f"{name}_FILE", default="")
    return Path(path).read_text(encoding="utf-8").strip() if path else env.str(name, default="")


def folder_digest(folder: Path) -> str:
    """A digest of the names and contents of a folder's files."""
    digest = sha256()
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        digest.update(f"{path.relative_to(folder)}\n".encode())
        digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]
