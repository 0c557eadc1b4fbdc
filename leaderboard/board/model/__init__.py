"""A board and its numbers: rows and columns, ranks, decisions, how numbers are written and how a board is stored."""
