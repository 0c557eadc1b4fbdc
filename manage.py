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
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
