"""What processes write down: one JSON object a line, with the id of the request, and nothing personal."""
