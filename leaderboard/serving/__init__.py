"""Requests for what is published: pages from memory, and views that are computed from published boards."""
