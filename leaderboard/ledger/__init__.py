"""The ledger of published bits: what each release has told of the gold labels, and its page in the admin."""
