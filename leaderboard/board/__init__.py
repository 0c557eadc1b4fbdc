"""A leaderboard as plain values: its rows in order, what is said about them, tables, charts and exports. No Django."""
