"""The model in the loop: a text goes in, a label comes out, of a model trained here or of an organiser's endpoint."""
