"""What a phase wants to be sent: instructions, commands and sample files."""
