"""What is derived from boards: chance, changes between releases, comparisons of systems, other rankings."""
