"""What the server knows of itself: the one clock, when workers were last seen, when a request began, what stays."""
