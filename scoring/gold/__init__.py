"""Gold labels: files are read and sealed, and opened by workers only; predictions are aligned with them."""
