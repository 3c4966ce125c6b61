"""The Health area: what is wrong in the memory, with a way to mend each of it."""
