"""Every route of the API document, with valid and invalid requests in the pseudo-language.

New routes are covered automatically. All texts are translated, and every response has `Vary:
Accept-Language`.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.contract.options import schema_of
from domain.contract.registry import TITLES
from service.settings import Settings
from tests.i18n.message_references import MESSAGES
from tests.i18n.pseudo import QUOTED, TAG, folder, plain_words
from tests.service.apps import run_service
from tests.service.people import Client, Person

DOCUMENT = json.loads((Path(__file__).parents[2] / "openapi" / "openapi.json").read_text())
CALLS = [
    (method, path, call)
    for path, calls in DOCUMENT["paths"].items()
    for method, call in calls.items()
    if method in ("get", "post", "put", "patch", "delete")
]
TOLD = ("text", "label", "detail", "reason", "about", "public", "description")
"""Fields of answers that hold sentences."""
STREAMS = ("/api/matches/{match_id}/live",)
FILES = ("/api/matches/{match_id}/export", "/.well-known/caravanserai-keys.json")
"""Answers that are the same in every language: for programs, and signed."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    settings = Settings(
        data=str(tmp_path_factory.mktemp("data")),
        frontend=str(folder(tmp_path_factory.mktemp("pseudo"))),
        play_limit=0,
        create_limit=0,
    )
    with run_service(settings) as running:
        running.headers["Accept-Language"] = TAG
        yield running


def told(answer: Any) -> Iterator[str]:
    """Yield every sentence of a response."""
    if isinstance(answer, dict):
        for name, value in answer.items():
            if name in TOLD and isinstance(value, str):
                yield value
            elif name != "key":
                yield from told(value)
    elif isinstance(answer, list):
        for each in answer:
            yield from told(each)


def names() -> set[str]:
    """Return names of fields, their values and types, which are the same in every language."""
    found = {"int", "str", "object", "array", "bool", "null", "integer", "string", "UUID"}

    def gather(value: Any) -> None:
        if isinstance(value, dict):
            found.update(value.get("properties", {}))
            found.update(str(each) for each in value.get("enum", ()))
            found.update([str(value["const"])] if "const" in value else [])
            for each in value.values():
                gather(each)
        elif isinstance(value, list):
            for each in value:
                gather(each)

    gather(DOCUMENT["components"]["schemas"])
    for title in TITLES.values():
        found.update(schema_of(title)["properties"])
    return found | {each["name"] for _, _, call in CALLS for each in call.get("parameters", ())}


NAMES = names()
MESSAGE_IDS = {key for some in MESSAGES.values() for key in some}


def whole(answer: Any, is_file: bool = False) -> None:
    """Check that the response varies by language and that all its texts are translated."""
    assert "Accept-Language" in ", ".join(answer.headers.get_list("vary"))
    if "json" not in answer.headers.get("content-type", ""):
        return
    body = answer.json()
    texts = [] if is_file and answer.status_code == 200 else list(told(body))
    if answer.status_code >= 400:
        texts.append(body["title"])
        assert body["detail"]
        assert body["key"] in MESSAGE_IDS
    left = {text: plain_words(QUOTED.sub("", text), *NAMES, "nonsense") for text in texts}
    assert {text: words for text, words in left.items() if words} == {}, answer.status_code


def bodies(call: Any) -> list[Any]:
    """Return request bodies: none, or what a careless client might send."""
    if "requestBody" not in call:
        return [None]
    content = call["requestBody"]["content"]["application/json"]
    examples = [each.get("value") for each in content.get("examples", {}).values()]
    broken = [{**each, "nonsense": 1} for each in examples if isinstance(each, dict)]
    turned = [
        {**each, name: [value]}
        for each in examples
        if isinstance(each, dict)
        for name, value in each.items()
    ]
    return [*examples, *broken, *turned[:12], {}, [], 7, "nonsense", None]


def wrongs(call: Any) -> list[tuple[dict[str, Any], Any]]:
    """Return each body, and each parameter with an invalid value, separately."""
    asked = [p["name"] for p in call.get("parameters", ()) if p["in"] == "query"]
    odd = [({name: wrong}, None) for name in asked for wrong in ("nonsense", -7, 10**9)]
    return [*(({}, body) for body in bodies(call)), *odd]


@pytest.mark.parametrize(
    ("method", "path", "call"), CALLS, ids=[f"{method} {path}" for method, path, _ in CALLS]
)
def test_route_is_fully_translated(client: Client, method: str, path: str, call: Any) -> None:
    ada, ben = Person(client, "Ada"), Person(client, "Ben")
    match = ada.open("me", "me", game="caravane")["id"]
    private = ben.open("me", "me", game="caravanserai")["id"]
    places = {"slug": "caravane", "device": "nonsense", "way": "nonsense"}
    places |= {"person": "nonsense", "code": "nonsense"}
    for id_ in [match, private, "nonsense"]:
        if path in STREAMS and id_ == match:
            continue  # an endless response
        address = path.format(**places, match_id=id_)
        for headers in (ada.headers, {}, {"Authorization": "Bearer nonsense"}):
            client.cookies.clear()
            for query, body in wrongs(call) if headers == ada.headers else [({}, None)]:
                given = {} if body is None else {"json": body}
                answer = client.request(method, address, params=query, headers=headers, **given)
                whole(answer, path in FILES)
