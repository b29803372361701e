"""Everything that the service tells, in a language that nobody speaks: no word of English."""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from litestar.testing import TestClient

from domain.match import Timeline
from domain.register import TITLES
from service.app import create_app
from service.base.languages import Languages, speak
from service.matches.tables import folded
from service.media import shell
from service.media.pictures.frames import frame
from service.players import identity
from service.settings import Settings
from tests.service.people import Client, Person
from tests.words.pseudo import TAG, folder, plain_words

KEPT = Path(__file__).parents[1] / "matches"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder(tmp_path_factory.mktemp("pseudo"))


@pytest.fixture(scope="module")
def client(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    settings = Settings(
        data=str(tmp_path_factory.mktemp("data")), frontend=str(built), play_limit=0, create_limit=0
    )
    with TestClient(create_app(settings)) as running:
        running.headers["Accept-Language"] = TAG
        yield running


def whole(texts: list[str], *names: str) -> None:
    """No word in the texts is English."""
    assert texts
    found = {text: plain_words(text, *names) for text in texts}
    assert {text: words for text, words in found.items() if words} == {}


def started(client: Client, game: str) -> tuple[Person, Any]:
    ann = Person(client, "Ada")
    seats = min(TITLES[game].seats)
    return ann, ann.open(*["me"] * max(seats, 2), game=game)


def test_games_and_their_options(client: Client) -> None:
    answer = client.get("/api/games")
    assert answer.headers["content-language"] == TAG
    assert "Accept-Language" in answer.headers.get_list("vary")
    texts = []
    for game in answer.json():
        texts.append(game["about"])
        for option in game["options"]["properties"].values():
            texts += [option[name] for name in ("title", "description") if name in option]
            texts += option.get("titles", [])
    whole(texts)


@pytest.mark.parametrize("game", TITLES)
def test_a_game_as_it_is_played(client: Client, game: str) -> None:
    """Events, choices, groups and reasons of a while of playing."""
    ann, match = started(client, game)
    places = ("Aden", "Basra")
    rng = random.Random(1)
    texts, shown = [], set()
    for _ in range(40):
        if match["status"] != "playing":
            break
        seat = match["to_act"][0]
        offered = ann.get(f"/matches/{match['id']}/choices", seat=seat, grouped=1).json()
        texts += [group["label"] for group in offered["groups"]]
        choices = ann.choices(match, seat)
        texts += [choice["label"] for choice in choices[:40]]
        texts.append(match["undo"]["reason"])
        match = ann.play(match, seat, rng.choice(choices)["command"]).json()["match"]
    events = ann.get(f"/matches/{match['id']}/events").json()["events"]
    for event in events:
        shown.add(event["type"])
        texts += [event["text"], event.get("public", "")]
        assert event["key"]
    view = match["view"] or {}
    names = [place["name"] for place in view.get("board", {}).get("places", ())]
    whole([text for text in texts if text], *places, *names, *(s["name"] for s in match["seats"]))
    assert len(shown) > 3


def test_a_whole_match_reviewed_and_drawn(client: Client, built: Path) -> None:
    ann = Person(client, "Ada")
    speak(Languages(built / "words")[TAG])
    for path in sorted(KEPT.glob("*-v1.json"))[:6]:
        match = ann.post("/matches/import", json.loads(path.read_text())).json()
        review = ann.get(f"/matches/{match['id']}/review").json()["review"] or {}
        texts = [chart["title"]["text"] for chart in review.get("charts", ())]
        texts += [each["words"]["text"] for each in review.get("gains", ())]
        texts += [each["words"]["text"] for each in review.get("highlights", ())]
        names = [seat["name"] for seat in match["seats"]]
        if texts:
            whole(texts, *names)
        page = client.get(f"/m/{match['id']}")
        assert page.status_code == 200
        drawn = ann.get(f"/matches/{match['id']}/picture.png")
        assert drawn.headers["etag"].endswith(f'-{TAG}"')


def _timeline(match: str, client: Client) -> Timeline:
    """The match as the service has it in its store."""
    services: Any = client.app.services  # type: ignore[attr-defined]
    return folded(services.store.decisions(UUID(match)))


@pytest.mark.parametrize("game", TITLES)
def test_pictures_of_a_game(client: Client, built: Path, game: str) -> None:
    """What is written on them; names and numbers aside."""
    _, match = started(client, game)
    table = _timeline(match["id"], client)
    speak(Languages(built / "words")[TAG])
    shown = frame(table, table.now, None)
    lines = [shown.headline, shown.caption, shown.turn_line, shown.card_line, shown.stock_name]
    whole([line for line in lines if line])


PROBLEMS = [
    ("GET", "/api/matches/nothing", None),
    ("GET", "/api/nowhere", None),
    ("GET", "/nowhere/at/all", None),
    ("DELETE", "/api/games", None),
    ("POST", "/api/players", {"name": ""}),
    ("POST", "/api/players", {"name": 1}),
    ("POST", "/api/players", {}),
    ("POST", "/api/players", {"name": "Ada", "more": 1}),
    ("POST", "/api/matches", {"game": "none", "seats": [{"kind": "me"}]}),
    ("POST", "/api/matches", {"game": "caravane", "seats": [{"kind": "me"}]}),
    ("POST", "/api/matches", {"game": "caravane", "seats": [{"kind": "nobody"}]}),
    ("GET", "/api/matches?scope=mine&cursor=x", None),
    ("POST", "/api/matches/import", {"format": "none"}),
]
TYPES = ("int", "str", "kind", "name", "body", "object", "null", "array", "seats", "nobody")


@pytest.mark.parametrize(("method", "path", "body"), PROBLEMS)
def test_problems(client: Client, method: str, path: str, body: Any) -> None:
    """Names of fields and types are the same in every language."""
    ada = Person(client, "Ada")
    answer = client.request(method, path, json=body, headers=ada.headers)
    assert answer.status_code >= 400
    problem = answer.json()
    assert problem["key"]
    whole([problem["detail"], problem["title"]], *TYPES, *(body or {}))


def test_refusals_of_the_rules(client: Client) -> None:
    ann, match = started(client, "caravanserai")
    texts = []
    wrong: list[Any] = [
        {"type": "PlaceCamel", "cell": 0},
        {"type": "StartAt", "cell": 9_999},
        {"type": "SetGood", "colour": "red", "cell": 1},
    ]
    for command in wrong:
        problem = ann.play(match, match["to_act"][0], command).json()
        assert problem["code"] == "illegal_move"
        texts.append(problem["detail"])
    for path, body in (("undo", {"seat": 0}), ("redo", {"seat": 0})):
        more = {**body, "expected_version": match["version"]}
        texts.append(ann.post(f"/matches/{match['id']}/{path}", more).json()["detail"])
    whole(texts)


def test_without_a_wish_everything_is_english(client: Client) -> None:
    answer = client.get("/api/matches/nothing", headers={"Accept-Language": "en"})
    assert answer.json()["detail"] == "There is no such match."
    assert answer.headers["content-language"] == "en"


@pytest.mark.parametrize("path", ["/", "/new", "/manifest.webmanifest"])
def test_the_words_that_stand_in_the_files_of_the_page(client: Client, path: str) -> None:
    """For who installs the app, for a search engine, and without a script."""
    english, strange = (client.get(path, headers={"Accept-Language": tag}) for tag in ("en", TAG))
    assert "Accept-Language" in strange.headers.get_list("vary")
    assert english.headers["etag"] != strange.headers["etag"]
    if path.endswith("manifest"):
        assert (english.json().get("lang"), strange.json()["lang"]) == (None, TAG)
        return whole([strange.json()["description"]])
    sentences = re.compile('<noscript><p>(.*?)</p>|<meta name="description" content="(.*?)">')
    assert f'<html lang="{TAG}"' in strange.text
    said = [max(found) for found in sentences.findall(strange.text)]
    assert [max(found) for found in sentences.findall(english.text)] == list(shell.ON_THE_PAGE[:2])
    assert len(said) == 2
    return whole(said)


@pytest.mark.parametrize("name", ["Bot 1", ""])
def test_a_bot_that_nobody_named_is_called_in_the_language_of_who_asks(
    client: Client, name: str
) -> None:
    """In its seat, in lists and in what is told; as the log has had it from the beginning."""
    ann = Person(client, "Ada")
    seats = [{"kind": "me"}, {"kind": "bot", **({"name": name} if name else {})}]
    match = ann.post("/matches", {"game": "caravane", "seats": seats}).json()
    assert match["seats"][1]["name"] == "Ɓóť 1"
    listed = ann.get("/matches", scope="mine").json()["items"]
    assert [item["seats"][1]["name"] for item in listed if item["id"] == match["id"]] == ["Ɓóť 1"]
    english = client.get(
        f"/api/matches/{match['id']}", headers={**ann.headers, "Accept-Language": "en"}
    )
    assert english.json()["seats"][1]["name"] == "Bot 1"
    file = ann.get(f"/matches/{match['id']}/export").json()
    assert '"Bot 1"' in json.dumps(file)


def test_a_bot_with_a_name_keeps_it(client: Client) -> None:
    ann = Person(client, "Ada")
    for name in ("Bot Bot 1", "Bot 01", "Bot ١", "Robot"):
        seats = [{"kind": "me"}, {"kind": "bot", "name": name}]
        match = ann.post("/matches", {"game": "caravane", "seats": seats}).json()
        assert match["seats"][1]["name"] == name


def test_devices_are_called_in_the_language_of_who_asks(client: Client, built: Path) -> None:
    ann = Person(client, "Ada")
    items = ann.get("/players/devices").json()["items"]
    assert [device["name"] for device in items] == ["Á ƥřóǧřáḿ"]
    speak(Languages(built / "words")["en"])
    assert identity.told_device("Firefox on Linux") == "Firefox on Linux"
    assert identity.told_device("") == "A device"
