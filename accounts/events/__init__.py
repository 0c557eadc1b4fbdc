"""What happened to accounts: written down at once, read by the person and by operators, forgotten after a year."""
