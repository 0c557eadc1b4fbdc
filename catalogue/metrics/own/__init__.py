"""Metrics that are not of the server: formulas of definitions, and what installed packages bring."""
