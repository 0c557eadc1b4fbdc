"""Systems, uploads and submissions over the API."""
