"""Where the numbers of a release come from: a card for every score, and the submissions behind them."""
