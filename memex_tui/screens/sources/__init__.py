"""Area 4: what a page says beside the turns of conversations that prove it."""
