"""Further ways to read what stands in JSON: ordinary lines quickly, and objects of named texts."""
