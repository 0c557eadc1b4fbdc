"""From standings to boards: rows of cells per task, average, split and track."""
