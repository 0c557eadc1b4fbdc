"""Salts of what the log says without saying it."""

import secrets

SALT_BYTES = 16


def new_salt() -> bytes:
    """Sixteen bytes that nobody can guess."""
    return secrets.token_bytes(SALT_BYTES)
