"""What processes of the server begin with: how they keep memory, and how they hand on messages."""
