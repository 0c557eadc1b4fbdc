"""Tables as pages print them: every number already text, every emphasis already a CSS class."""
