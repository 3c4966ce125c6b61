"""From a question to ranked hits: pages, diary entries and turns in one list."""
