#!/usr/bin/env python
"""Django's command line for Heldout."""

import os
import secrets
import sys

# These serve nobody and keep nothing, so they need no set-up: a secret that dies with the process will do.
WITHOUT_SERVER = ("evaluate", "metrics")


def main() -> None:
    """Run a management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:2] and sys.argv[1] in WITHOUT_SERVER:
        os.environ.setdefault("HELDOUT_SECRET_KEY", secrets.token_hex())
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db.utils import DatabaseError

    try:
        execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, DatabaseError) as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(str(error) if isinstance(error, ImproperlyConfigured) else _about_database(str(error)))


def _about_database(said: str) -> str:
    """What whoever runs a command by hand can do about a fault of the database."""
    if "no such table" in said or "does not exist" in said:
        hint = "If tables are missing, run `manage.py migrate` first, with the role that owns them."
    else:
        hint = "HELDOUT_DATABASE_URL says where it is; without it, it is a file in the folder HELDOUT_DATA."
    return (
        f"The database did not do it: {said.strip()}\n{hint}\nWith --traceback it is said where in the code."
    )


if __name__ == "__main__":
    main()
