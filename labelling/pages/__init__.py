"""What workers see: the ways into a campaign, the unit before them, and the end."""
