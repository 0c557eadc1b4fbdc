"""API tokens: what each may do, how long, and how it ends."""
