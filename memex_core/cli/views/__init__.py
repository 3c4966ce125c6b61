"""How results look on a terminal, one module a family; each has a table ``VIEWS``."""
