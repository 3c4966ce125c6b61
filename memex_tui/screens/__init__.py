"""The areas of the app, a folder each, and what lies over them."""
