"""Web server, worker and beat of the demo as one program. Without Django."""
