"""Texts, attacks, pairs, responses and rounds in the admin."""
