"""Area 7: the days, one line at a time."""
