"""What the pages of the admin have in common."""
