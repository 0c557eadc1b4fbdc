"""What single requests cost: processor time and queries, beside requests that do nothing."""
