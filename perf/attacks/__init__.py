"""Attackers and honest teams against the rules of disclosure, as pure games: strategies, the bench, its figures."""
