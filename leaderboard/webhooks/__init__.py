"""Messages to addresses that organisers name, when files are accepted, batches scored and releases published.

What happened goes in, read from the database by a sweep; signed JSON goes out, tried again until it is taken.
"""
