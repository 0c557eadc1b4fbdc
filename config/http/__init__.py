"""What stands between the web server and Django: bodies, limits, static files."""
