"""Organisers' files of figures that were published elsewhere: one value a line, or another leaderboard's table."""
