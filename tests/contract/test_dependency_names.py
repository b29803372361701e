"""Names of injected dependencies differ from the fields of request bodies.

Litestar takes an error in a field that has the name of a dependency for an error of the service,
and answers 500 instead of 422.
"""

import json
from pathlib import Path

from service.api_modules import dependencies
from service.bootstrap import Services
from service.settings import Settings

DOCUMENT = json.loads((Path(__file__).parents[2] / "openapi" / "openapi.json").read_text())


def body_fields() -> set[str]:
    """Return the names of the fields of all request bodies of the API."""
    schemas = DOCUMENT["components"]["schemas"]
    found: set[str] = set()
    for operations in DOCUMENT["paths"].values():
        for operation in operations.values():
            if isinstance(operation, dict) and "requestBody" in operation:
                schema = operation["requestBody"]["content"].get("application/json", {})["schema"]
                name = schema.get("$ref", "").rpartition("/")[2]
                found.update((schemas[name] if name else schema).get("properties", {}))
    return found


def test_no_dependency_has_the_name_of_a_body_field() -> None:
    fields = body_fields()
    assert fields >= {"expected_version", "seats"}
    assert fields & dependencies(Services(Settings())).keys() == set()
