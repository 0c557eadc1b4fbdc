"""Instants, numbers and names as texts."""
