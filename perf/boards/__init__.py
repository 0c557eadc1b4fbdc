"""Boards of thousands of rows made without scoring, how soon a phone shows one, and what releases cost."""
