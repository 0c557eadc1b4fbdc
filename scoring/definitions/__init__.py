"""Definitions that organisers make or edit: texts and tables in, synced rows out."""
