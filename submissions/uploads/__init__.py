"""One upload: what it has to answer, whether it is taken, the receipt, and how its answers are distributed."""
