"""Releases and published scores over the API."""
