"""Scores made again: from stored uploads, or from files that lie beside their gold labels."""
