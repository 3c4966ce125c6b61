"""Area 1: finding pages, diary entries and turns while typing."""
