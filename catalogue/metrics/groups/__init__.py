"""Metrics of groups of items, which a column of the gold file names: another metric of a task goes in, and is asked of
each group. A score for the worst group comes out, one for how far it is behind the best, or the mean of all."""
