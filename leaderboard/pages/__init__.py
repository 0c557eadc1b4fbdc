"""The published pages and files of a benchmark: frozen releases in, rendered bytes out."""
