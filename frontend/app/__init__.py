"""The app that runs in the browser."""
