"""What whoever watches a server asks it: whether it lives, whether it is ready, and figures."""
