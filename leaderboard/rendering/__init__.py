"""What a release is rendered with: bytes and etags of pages, the names that may be shown, opened gold labels."""
