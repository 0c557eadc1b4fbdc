"""What is kept of one person: given to them as a file, and erased when they ask for it."""
