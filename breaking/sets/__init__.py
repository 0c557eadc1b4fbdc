"""The sets that are made of breakers' pairs when a break phase closes, and the gold labels that open at the end."""
