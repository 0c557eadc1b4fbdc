"""Made-up texts, gold labels and answers. Pure: everything follows from a seed."""
