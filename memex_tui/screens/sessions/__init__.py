"""Area 6: captured conversations, and each one replayed beside the pages that it fed."""
