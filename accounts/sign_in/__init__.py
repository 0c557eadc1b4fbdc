"""Signing in over other sites, and what a new password ends."""
