"""What systems predicted for the development data, for breakers."""
