"""The real service on a fresh store, as in the tests of the service."""

from tests.service.conftest import any_client, client

__all__ = ["any_client", "client"]
