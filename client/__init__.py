"""The `heldout` command for participants: check predictions on one's own machine, submit them, follow them."""
