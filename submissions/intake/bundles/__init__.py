"""Bundles of competitions from CodaLab and Codabench: bytes to a proposed definition, its labels and a report. Pure."""
