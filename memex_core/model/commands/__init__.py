"""What a command does, as far as its text tells: its words, how far it reaches, the memory it reads."""
