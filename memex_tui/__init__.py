"""The full-screen app: screens and widgets over :class:`memex_core.Memex`, no business rule."""
