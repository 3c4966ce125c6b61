"""Markdown pages as screen lines: blocks are indexed first, laid out only when they are seen."""
