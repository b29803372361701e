"""The service: Litestar application, command line and composition root."""

__version__ = "1.0.0"
"""Version of the package and of the API document."""
