"""Boards of thousands of rows made without scoring, and how soon a phone shows one."""
