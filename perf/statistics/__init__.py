"""Simulations of intervals and ranges where the truth is known: how often they hold it, and how wide they are."""
