"""What leaves this site for good: one archive per benchmark for its organisers, and its pages as a static site."""
