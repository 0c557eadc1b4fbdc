"""Organisers' files: gold labels, texts and what else comes as a table or as JSON, each declared by its columns."""
