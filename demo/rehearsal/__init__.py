"""Rehearsals: a shared task in files is played in fast time, and what comes out is held against what is expected."""
