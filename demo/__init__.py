"""The demo: made-up gold labels and systems that go through the real path, and the supervisor that serves them."""
