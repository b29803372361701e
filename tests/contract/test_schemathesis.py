"""The real service against its own OpenAPI document, with all Schemathesis checks."""

import tempfile
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, seed, settings
from schemathesis.config import SchemathesisConfig
from schemathesis.core.parameters import ParameterLocation

from service import openapi
from service.settings import Settings
from tests.service.running import server

pytestmark = pytest.mark.timeout(1200)  # each test makes the requests of all routes

_CONFIG = SchemathesisConfig.from_dict(
    {
        "checks": {
            # A schema cannot express that a move is legal or that a file verifies: well-formed
            # requests that break a rule get 422.
            "positive_data_acceptance": {
                "expected-statuses": ["2xx", "401", "403", "404", "409", "422"]
            },
        }
    }
)


@pytest.fixture(scope="module")
def document() -> Any:
    return schemathesis.openapi.from_dict(openapi.build_document(), config=_CONFIG)


schema = schemathesis.pytest.from_fixture("document")
"""Its requests are made when a test runs, because every process of the tests collects them all."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with (
        tempfile.TemporaryDirectory() as data,
        server(
            Settings(data=data, play_limit=0, create_limit=0, draw_limit=0, heartbeat=0.1)
        ) as running,
    ):
        yield running


@pytest.fixture(scope="module")
def token(address: str) -> str:
    return str(httpx.post(f"{address}/api/players", json={"name": "Ann"}).json()["token"])


@pytest.fixture(autouse=True)
def _old_node_id(request: pytest.FixtureRequest) -> None:
    """Set the attribute by which Schemathesis names operations; pytest 9.2 has renamed it."""
    request.node._nodeid = request.node.nodeid


_CALLS = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


@schema.exclude(operation_id="followMatch").parametrize()
@seed(20260131)
@_CALLS
def test_every_route_follows_the_document(case: Any, address: str, token: str) -> None:
    case.call_and_validate(base_url=address, headers={"Authorization": f"Bearer {token}"})


@pytest.fixture(scope="module")
def match_id(address: str, token: str) -> str:
    """Return a running match in which the caller plays alone."""
    body = {"game": "caravanserai", "seats": [{"kind": "me"}]}
    headers = {"Authorization": f"Bearer {token}"}
    return str(httpx.post(f"{address}/api/matches", json=body, headers=headers).json()["id"])


@schema.include(path_regex="match_id").exclude(operation_id="followMatch").parametrize()
@seed(20260201)
@_CALLS
def test_every_route_of_an_existing_match(
    case: Any, address: str, token: str, match_id: str
) -> None:
    """Most generated ids are of no match; here each request goes to an existing one."""
    made = case.meta.components.get(ParameterLocation.PATH)
    if made is not None and made.mode.is_negative:
        return  # the request's error would be replaced
    case.path_parameters["match_id"] = match_id
    case.call_and_validate(base_url=address, headers={"Authorization": f"Bearer {token}"})
