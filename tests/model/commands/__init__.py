"""Tests of what a command does."""
