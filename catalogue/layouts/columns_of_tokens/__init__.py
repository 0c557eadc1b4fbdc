"""Layouts with a line for each token."""
