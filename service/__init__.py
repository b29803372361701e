"""The service: the Litestar application, the command line, and what they are wired from."""

__version__ = "1.0.0"
"""Of the package and of the API document."""
