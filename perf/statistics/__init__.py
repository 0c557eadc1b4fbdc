"""Simulations of intervals and ranges where the truth is known: how often and widely they hold it; what they cost."""
