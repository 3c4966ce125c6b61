"""The Settings area: how the app looks and behaves, which keys do what, and where each value comes from."""
