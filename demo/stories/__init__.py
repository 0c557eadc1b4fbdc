"""What happens in the past weeks of each benchmark of the demo."""
