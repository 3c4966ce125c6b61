"""Measurements, each beside a floor taken in the same run: ``python -m tests.bench``. No part of the tests."""
