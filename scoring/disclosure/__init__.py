"""Which submission counts, and what the rule of a phase lets be seen of its scores."""
