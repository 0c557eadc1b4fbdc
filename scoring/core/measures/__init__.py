"""Measures that a metric cannot be: of several predictions, of annotators, and of several scores together."""
