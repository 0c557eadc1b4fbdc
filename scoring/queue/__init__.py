"""The queue in the database: batches close, workers claim and complete scoring runs, failures are told."""
