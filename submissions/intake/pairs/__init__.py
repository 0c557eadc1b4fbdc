"""Files of pairs: those that organisers compare, and those that breakers make of starter data."""
