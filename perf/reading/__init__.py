"""How fast files are read, right ones and wrong ones."""
