"""Reusable widgets that know nothing of memories: lists, pages and graphs on the line API."""
