"""Uploads of predictions: from a zip or one file to canonical predictions, and back to files."""
