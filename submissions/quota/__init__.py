"""Who takes part, the terms they accept, and how many slots a team and a person have left."""
