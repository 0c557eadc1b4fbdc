"""Mail about what is published, and mail that organisers write to those who take part."""
