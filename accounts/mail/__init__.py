"""Mail to people: letters go into the outbox in a transaction, and workers send them. People choose which they want."""
