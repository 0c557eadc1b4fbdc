"""Rehearsals that are asked for on a page of the admin: a folder in a zip, kept sealed until a worker plays it."""
