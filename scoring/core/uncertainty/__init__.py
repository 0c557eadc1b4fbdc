"""How sure a score is: resampled items, intervals, ranks that may be, and tests of two systems."""
