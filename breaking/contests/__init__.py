"""Contested labels: claims by teams, votes of annotators, decisions of organisers and the gold versions that follow."""
