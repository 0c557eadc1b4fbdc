"""Systems and what becomes of their submissions: names, status and its transitions."""
