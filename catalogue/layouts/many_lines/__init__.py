"""Layouts in which an answer stands on several lines."""
