"""Measurements, each beside a floor of the same run: ``python -m tests.bench``. No part of the tests."""
