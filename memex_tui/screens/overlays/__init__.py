"""What lies over an area for a moment: palette, page switcher, peek cards, help, themes."""
