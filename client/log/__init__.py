"""Receipts, checkpoints and pages, checked on this machine: what a server said goes in, what does not fit comes out."""
