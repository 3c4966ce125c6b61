"""Other tools' stores, read as pages: one module a format, each with ``read(path) -> Found``."""
