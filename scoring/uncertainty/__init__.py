"""How sure scores and their differences are: resamples are drawn beside the gold labels and stored."""
