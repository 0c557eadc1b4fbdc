"""What a backup says of itself."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from django.apps import apps
from django.conf import settings
from django.db import connection

from accounts.server.clock import database_now
from breaking.sealed_columns import SEALED
from operations.backups.refusal import BackupRefused
from operations.schema import applied_migrations
from scoring.code_version import code_commit
from scoring.gold.resealing import sealed_to
from submissions.intake.sealing import key_fingerprint
from transparency.keys import verifiers

NAME = "manifest.json"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Manifest:
    """What made a backup and what is in it.

    `database` is the vendor (`sqlite` or `postgresql`), `database_version` its version as a number that grows.
    `migrations` are all that are applied, as `app.name`. `keys` are fingerprints or public keys, never private ones;
    `sealed_to` says how many boxes each private key opens. `counts` are rows by table, `files` how many were uploaded.
    """

    made_at: str
    version: str
    commit: str
    database: str
    database_version: int
    migrations: list[str]
    keys: Mapping[str, str]
    sealed_to: Mapping[str, int]
    counts: Mapping[str, int]
    files: int
    format: int = FORMAT

    @classmethod
    def of_today(cls) -> Self:
        """Of the database that settings name; `files` is still to be counted."""
        return cls(
            made_at=database_now().isoformat(timespec="seconds").replace("+00:00", "Z"),
            version=settings.VERSION,
            commit=code_commit(),
            database=connection.vendor,
            database_version=database_version(),
            migrations=applied_migrations(),
            keys=_public_keys(),
            sealed_to=dict(sealed_to(SEALED)),
            counts=row_counts(),
            files=0,
        )

    def write(self, folder: Path) -> None:
        (folder / NAME).write_text(json.dumps(asdict(self), indent=1, sort_keys=True) + "\n", "utf-8")

    @classmethod
    def read(cls, folder: Path) -> Self:
        """BackupRefused where it is not there, or of a form that this version does not know."""
        try:
            document: dict[str, Any] = json.loads((folder / NAME).read_text("utf-8"))
            if document.get("format") != FORMAT:
                raise BackupRefused(
                    f"{folder} has the form {document.get('format')}, and this version reads {FORMAT}. Restore it "
                    f"with Heldout {document.get('version')}, commit {document.get('commit')}."
                )
            return cls(**document)
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise BackupRefused(f"{folder / NAME} cannot be read: {error}. Use another backup.") from None


def database_version() -> int:
    """Of PostgreSQL as `server_version_num`, such as 170002; of SQLite such as 3045001."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SHOW server_version_num")
            return int(cursor.fetchone()[0])
    major, minor, patch = sqlite3.sqlite_version_info
    return major * 1_000_000 + minor * 1_000 + patch


def row_counts() -> dict[str, int]:
    """How many rows each table has."""
    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]  # noqa: SLF001  # documented by Django under this name
    return {model._meta.db_table: model._base_manager.count() for model in models}  # noqa: SLF001  # as above


def _public_keys() -> dict[str, str]:
    gold = settings.GOLD_PUBLIC_KEY
    found = {"gold": key_fingerprint(gold) if gold else ""}
    return found | verifiers()
