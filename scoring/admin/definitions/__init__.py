"""The pages that change a definition without its file."""
