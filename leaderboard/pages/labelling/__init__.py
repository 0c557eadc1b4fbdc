"""How the labels of a benchmark were made, for everybody."""
