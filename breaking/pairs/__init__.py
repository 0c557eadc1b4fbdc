"""Breakers' pairs: starter data out, files of pairs in, judged, sealed and reviewed by organisers."""
