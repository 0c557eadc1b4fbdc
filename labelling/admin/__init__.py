"""Organisers' pages about campaigns and workers."""

from labelling.admin import campaigns, workers

__all__ = ["campaigns", "workers"]
