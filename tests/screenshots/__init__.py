"""The pictures of the app in ``screenshots/``."""
