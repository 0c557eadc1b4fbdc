"""Publication of a release: the watch looks at a batch, boards are frozen, pages put in place, failures noted."""
