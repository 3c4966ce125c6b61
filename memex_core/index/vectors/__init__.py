"""Vectors beside the words: optional, in a file of their own, made only where the user asked for them."""
