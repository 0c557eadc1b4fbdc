"""Tokens and teams over the API: requests in, JSON out. Also who sends a request, told by its head."""
