"""The Page area: a page read, edited, compared with its past, and kept safe while it is edited."""
