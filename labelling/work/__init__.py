"""The queue: people join and are given units; answers, lapses and exclusions come out, each decided by the database."""
