"""All texts of the service in the pseudo-language: no English word remains."""

import json
import random
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.contract.registry import TITLES
from domain.games.caravanserail.board import BOARDS
from domain.text.i18n import ENGLISH
from service.cli.transcript import transcript
from service.http.i18n import Languages, set_language
from service.matches.confusable_names import skeleton
from service.media import page_translation
from service.media.pictures.frames import animation_job
from service.players import identity
from service.settings import Settings
from tests.game_contract.mutate import mutated
from tests.game_contract.recorded_matches import small_file_of, timeline_of
from tests.i18n.pseudo import PSEUDO, QUOTED, TAG, folder, plain_words
from tests.service.apps import run_service
from tests.service.people import Client, Person

PLACES = [place.name for board in BOARDS.values() for place in board.places]
"""Names that are the same in every language."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder(tmp_path_factory.mktemp("pseudo"))


@pytest.fixture(scope="module")
def client(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    settings = Settings(
        data=str(tmp_path_factory.mktemp("data")), frontend=str(built), play_limit=0, create_limit=0
    )
    with run_service(settings) as running:
        running.headers["Accept-Language"] = TAG
        yield running


def whole(texts: list[str], *names: str) -> None:
    """Check that no word in the texts is English."""
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


def test_what_a_browser_fetches_by_itself_names_its_language(client: Client) -> None:
    """A picture in a page whose language differs from the browser's."""
    english = {"Accept-Language": "en"}
    answer = client.get(f"/api/games?language={TAG}", headers=english)
    assert answer.headers["content-language"] == TAG
    answer = client.get("/api/games?language=xx", headers=english)
    assert answer.headers["content-language"] == "en"


@pytest.mark.parametrize("game", TITLES)
def test_a_game_as_it_is_played(client: Client, game: str) -> None:
    """Events, choices, groups and rejections of a series of steps."""
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
        rooms = ("kernel", game)
        assert any(ENGLISH.find_message(room, event["key"]) is not None for room in rooms)
    view = match["view"] or {}
    names = [place["name"] for place in view.get("board", {}).get("places", ())]
    whole([text for text in texts if text], *places, *names, *(s["name"] for s in match["seats"]))
    assert len(shown) > 3


@pytest.mark.parametrize("game", TITLES)
def test_a_whole_match_reviewed_and_told(client: Client, game: str) -> None:
    ann = Person(client, "Ada")
    match = ann.post("/matches/import", small_file_of(game)).json()
    review = ann.get(f"/matches/{match['id']}/review").json()["review"]
    texts = [chart["title"]["text"] for chart in review["charts"]]
    texts += [each["words"]["text"] for each in review["gains"]]
    texts += [each["words"]["text"] for each in review["highlights"]]
    texts += [event["text"] for event in ann.get(f"/matches/{match['id']}/events").json()["events"]]
    names = [seat["name"] for seat in match["seats"]]
    whole([text for text in texts if text], *names, *PLACES)
    assert client.get(f"/m/{match['id']}").status_code == 200
    drawn = ann.get(f"/matches/{match['id']}/picture.png")
    assert drawn.headers["etag"].endswith(f'-{TAG}"')


@pytest.mark.parametrize("game", TITLES)
def test_pictures_of_a_game(built: Path, game: str) -> None:
    """All texts on them from start to end, except names and numbers."""
    timeline = timeline_of(small_file_of(game))
    set_language(Languages(built / "words")[TAG])
    texts = set()
    for shown in animation_job(timeline).frames:
        texts |= {shown.headline, shown.caption, shown.turn_line, shown.card_line, shown.stock_name}
        texts |= {*drawn_texts(msgspec.to_builtins(shown.scene))}
    names = [seat.name for seat in timeline.latest.seats]
    whole([*texts - {""}], *names, *PLACES)
    assert len(texts) > len(shown.names)


def drawn_texts(node: Any) -> Iterator[str]:
    """Yield the texts in a drawing."""
    if isinstance(node, dict):
        if isinstance(node.get("text"), str):
            yield node["text"]
        node = [*node.values()]
    if isinstance(node, list):
        for each in node:
            yield from drawn_texts(each)


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
    rooms = ("kernel", "service")
    assert any(ENGLISH.find_message(room, problem["key"]) is not None for room in rooms)
    whole([problem["detail"], problem["title"]], *TYPES, *(body or {}))


@pytest.mark.parametrize("game", TITLES)
def test_rejections_are_translated(client: Client, game: str) -> None:
    """Almost legal commands throughout a match, and an undo with nothing to undo."""
    ann, match = started(client, game)
    rng = random.Random(game)
    texts = set()
    for path in ("undo", "redo"):
        body = {"seat": 0, "expected_version": match["version"]}
        texts.add(ann.post(f"/matches/{match['id']}/{path}", body).json()["detail"])
    for _ in range(30):
        if match["status"] != "playing":
            break
        seat = rng.choice(match["to_act"])
        choices = [choice["command"] for choice in ann.choices(match, seat)]
        for _ in range(5):
            wrong = mutated(rng.choice(choices), rng)
            if wrong not in choices:
                problem = ann.play(match, seat, wrong).json()
                assert problem["code"] == "illegal_move", (wrong, problem)
                texts.add(QUOTED.sub("", problem["detail"]))
        match = ann.play(match, seat, rng.choice(choices)).json()["match"]
    names = {seat["name"] for seat in match["seats"]}
    whole([*texts], *names)
    assert len(texts) > 5, texts


def test_default_language_is_english(client: Client) -> None:
    answer = client.get("/api/matches/nothing", headers={"Accept-Language": "en"})
    assert answer.json()["detail"] == "Game not found."
    assert answer.headers["content-language"] == "en"


@pytest.mark.parametrize("path", ["/", "/new"])
def test_texts_of_the_page_are_translated(client: Client, path: str) -> None:
    """For search engines, without scripts, and if the app does not start."""
    english, strange = static_file(client, path)
    assert f'<html lang="{TAG}" dir="rtl"' in strange.text
    for message_id in page_translation.PAGE_MESSAGES:
        text = ENGLISH.format_message("service", message_id, {})
        assert text != message_id
        assert english.text.count(escape(text)) == 1
        assert escape(text) not in strange.text
        assert strange.text.count(escape(PSEUDO.say(text))) == 1


def test_texts_of_the_manifest_are_translated(client: Client) -> None:
    """For installing the app."""
    english, strange = (each.json() for each in static_file(client, "/manifest.webmanifest"))
    assert (english.get("lang"), strange["lang"], strange["dir"]) == (None, TAG, "rtl")

    def texts(manifest: Any) -> list[str]:
        names = [each["name"] for each in manifest["shortcuts"]]
        labels = [each["label"] for each in manifest["screenshots"]]
        return [manifest["description"], *names, *labels]

    ids = [
        page_translation.MANIFEST_MESSAGE,
        *page_translation.SHORTCUT_MESSAGES,
        *page_translation.SCREENSHOT_LABELS,
    ]
    assert texts(english) == [ENGLISH.format_message("service", each, {}) for each in ids]
    assert texts(strange) == [PSEUDO.say(text) for text in texts(english)]
    whole(texts(strange))


def static_file(client: Client, path: str) -> tuple[Any, Any]:
    """Return the responses in English and in the pseudo-language."""
    english, strange = (client.get(path, headers={"Accept-Language": tag}) for tag in ("en", TAG))
    assert "Accept-Language" in strange.headers.get_list("vary")
    assert english.headers["etag"] != strange.headers["etag"]
    assert not {*page_translation.PAGE_MESSAGES} & {*re.split(r"[<>\"]", english.text)}
    return english, strange


@pytest.mark.parametrize("name", ["Bot 1", ""])
def test_unnamed_bot_has_a_translated_name(client: Client, name: str) -> None:
    """In its seat, in lists and in event texts, although the log stores its name."""
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


def test_unnamed_player_has_a_translated_name(client: Client, tmp_path: Path, built: Path) -> None:
    """In the match, lists, pictures, previews, event texts, and from a file."""
    ann = Person(client, "Ada")
    seats = [{"kind": "me"}, {"kind": "me", "name": "Player 2"}, {"kind": "open"}]
    body = {"game": "caravane", "seats": seats, "visibility": "public"}
    match = ann.post("/matches", body).json()
    assert [seat["name"] for seat in match["seats"]] == ["Ada", "Ƥłáýéř 2", ""]
    english = client.get(
        f"/api/matches/{match['id']}", headers={**ann.headers, "Accept-Language": "en"}
    )
    assert english.json()["seats"][1]["name"] == "Player 2"
    assert "Ƥłáýéř 2" in client.get(f"/m/{match['id']}").text
    ann.post(f"/matches/{match['id']}/leave", {"seat": 1})
    events = ann.get(f"/matches/{match['id']}/events").json()["events"]
    assert events[-1]["text"].startswith("Ƥłáýéř 2 ")
    file = ann.get(f"/matches/{match['id']}/export").json()
    assert '"Player 2"' in json.dumps(file, ensure_ascii=False)
    assert "Ƥłáýéř" not in json.dumps(file, ensure_ascii=False)
    set_language(Languages(built / "words")[TAG])
    assert [line for line in transcript(file) if line.split("  ")[-1].startswith("Ƥłáýéř 2")]


def test_player_replacing_a_bot_is_named_by_the_seat(client: Client) -> None:
    ann = Person(client, "Ada")
    match = ann.open("me", "bot")
    for version in range(1, match["version"] + 1):
        fork = ann.post(f"/matches/{match['id']}/fork", {"at": version})
        assert fork.status_code in (201, 409), fork.text
    assert [seat["name"] for seat in fork.json()["seats"]] == ["Ada", "Ƥłáýéř 2"]


@pytest.mark.parametrize("name", ["Bot 1", "Ɓóť 1", "ɓóť1", "Player 2", "Ƥłáýéř 2"])
def test_names_of_unnamed_players_are_reserved(client: Client, name: str) -> None:
    """In every available language, whichever is requested; also in one's own match."""
    ann, eve = Person(client, "Ada"), Person(client, "Eve")
    for tag in (TAG, "en"):
        headers = {**eve.headers, "Accept-Language": tag}
        seats = [{"kind": "me"}, {"kind": "me", "name": "Player 2"}, {"kind": "bot"}]
        body = {"game": "caravane", "seats": [*seats, {"kind": "open"}], "visibility": "public"}
        match = ann.post("/matches", body).json()
        path = f"/api/matches/{match['id']}/join"
        joined = client.post(path, json={"name": name}, headers=headers).json()
        assert joined["seats"][3]["name"].endswith(" 2")
        assert_told_apart(joined)
        body["seats"] = [{"kind": "me", "name": name}, *seats[1:]]
        made = client.post("/api/matches", json=body, headers={**ann.headers, **headers}).json()
        assert_told_apart(made)


def assert_told_apart(match: Any) -> None:
    names = [seat["name"] for seat in match["seats"] if seat["name"]]
    assert len({skeleton(name) for name in names}) == len(names) > 2, names


def test_a_bot_with_a_name_keeps_it(client: Client) -> None:
    ann = Person(client, "Ada")
    for name in ("Bot Bot 1", "Bot 01", "Bot ١", "Robot"):
        seats = [{"kind": "me"}, {"kind": "bot", "name": name}]
        match = ann.post("/matches", {"game": "caravane", "seats": seats}).json()
        assert match["seats"][1]["name"] == name


def test_device_names_are_translated(client: Client, built: Path) -> None:
    ann = Person(client, "Ada")
    items = ann.get("/players/devices").json()["items"]
    assert [device["name"] for device in items] == ["ÁƤÍ çłíéñť"]
    set_language(Languages(built / "words")["en"])
    assert identity.device_label("Firefox on Linux") == "Firefox on Linux"
    assert identity.device_label("") == "Unknown device"
