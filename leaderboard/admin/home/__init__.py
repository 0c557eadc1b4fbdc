"""The home of one benchmark in the admin: a benchmark and an instant go in, what its organiser looks for comes out.

Each section is a module with a function that reads the rows and gives a dataclass for the template.
"""
