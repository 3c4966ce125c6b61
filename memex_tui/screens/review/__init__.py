"""Area 5: what agents want to remember, one decision at a time."""
