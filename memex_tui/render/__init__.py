"""Pure builders of screen lines: text and data in, styled runs and strips out. No app state."""
