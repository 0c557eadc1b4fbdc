"""Published pages as a folder of files that needs no server."""
