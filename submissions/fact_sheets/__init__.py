"""Fact sheets: what a benchmark asks of every system, and what a system has said."""
