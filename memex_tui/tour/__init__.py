"""The tour: five things to do in the app, one bar that tells them."""
