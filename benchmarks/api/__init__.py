"""What is evaluated, over the API: public, and all that a check on one's own machine needs."""
