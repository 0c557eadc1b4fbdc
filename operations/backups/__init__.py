"""Backups: a folder with database, uploaded files, a manifest and checksums of all; no private key is ever in it."""
