"""The service: Litestar application, command line and composition root."""

from pathlib import Path

from domain.text.english import register_catalogue

__version__ = "1.0.0"
"""Version of the package and of the API document."""

register_catalogue("service", Path(__file__).parent / "po")
