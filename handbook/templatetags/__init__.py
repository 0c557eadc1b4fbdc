"""The tag that links a term to the glossary."""
