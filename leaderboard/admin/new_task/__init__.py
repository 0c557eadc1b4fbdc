"""The wizard that makes an open phase of a table of ids and labels, one screen at a time."""
