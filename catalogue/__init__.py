"""What can be named: kinds of answer and, beside them, every closed set that definitions choose from.

Pure and leftmost: it needs numpy alone, and every other package may build on it.
"""
