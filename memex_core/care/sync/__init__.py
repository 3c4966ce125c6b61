"""Two or more stores of one person, kept the same through a folder or a file that the person owns."""
