"""Bad input is answered as documented: stable codes, nothing changed, nothing leaked."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.settings import Settings
from tests.service.people import Client, Person, two_at_a_table
from tests.service.running import server

UNKNOWN = "3f6c1c44-6a0e-4d4e-9a3b-0a6a2f0c9e11"


def problem(answer: Any) -> tuple[int, str]:
    """Return status and code of a problem document."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    body = answer.json()
    assert body["status"] == answer.status_code
    assert body["type"]
    assert body["title"]
    assert body["detail"] != body["key"]
    assert "Traceback" not in answer.text
    return answer.status_code, body["code"]


@pytest.mark.parametrize("match_id", [UNKNOWN, "nonsense", UNKNOWN.upper(), "0" * 64, "%00"])
def test_an_unknown_match(client: Client, match_id: str) -> None:
    ann = Person(client)
    for path in ("", "/choices", "/events", "/live", "/export", "/invite.svg"):
        assert problem(ann.get(f"/matches/{match_id}{path}")) == (404, "no_such_match")
    play = {"seat": 0, "expected_version": 1, "commands": [{"type": "X"}]}
    assert problem(ann.post(f"/matches/{match_id}/commands", play)) == (404, "no_such_match")


def test_a_private_match_does_not_exist_for_strangers(client: Client) -> None:
    """The answer is byte for byte the same as for a match that does not exist."""
    _, _, match = two_at_a_table(client)
    eve = Person(client, "Eve")
    play = {"seat": 0, "expected_version": match["version"], "commands": [{"type": "X"}]}
    back = {"seat": 0, "expected_version": match["version"]}
    calls: list[tuple[str, Any]] = [
        ("", None),
        ("/choices?seat=0", None),
        ("/events", None),
        ("/live", None),
        ("/export", None),
        ("/invite.svg", None),
        ("/commands", play),
        ("/undo", back),
        ("/redo", back),
        ("/undo/answer", {"seat": 0, "accept": True}),
        ("/join", {}),
        ("/join", {"invite": "aaaaaaaaaaaaaaaa"}),
        ("/fork", {"at": 2}),
    ]
    for path, body in calls:
        for person in (eve, None):
            headers = person.headers if person else {}
            answers = [
                client.request(
                    "GET" if body is None else "POST",
                    f"/api/matches/{match_id}{path}",
                    json=body,
                    headers=headers,
                )
                for match_id in (match["id"], UNKNOWN)
            ]
            assert answers[0].status_code in (401, 404)
            assert answers[0].content == answers[1].content


def test_invitation_shows_the_match_before_joining(client: Client) -> None:
    ann, eve = Person(client), Person(client, "Eve")
    match = ann.open("me", "open")
    assert eve.get(f"/matches/{match['id']}").status_code == 404
    seen = eve.get(f"/matches/{match['id']}", invite=match["invite"])
    assert seen.status_code == 200
    assert "invite" not in seen.json()


def test_public_match_can_be_viewed_but_not_played_by_strangers(client: Client) -> None:
    ann, eve = Person(client), Person(client, "Eve")
    match = ann.open("me", "me", visibility="public")
    assert client.get(f"/api/matches/{match['id']}").status_code == 200
    assert problem(eve.play(match, 0, {"type": "X"})) == (403, "not_your_seat")
    assert problem(eve.undo(match, 0)) == (403, "not_your_seat")
    choices = client.get(f"/api/matches/{match['id']}/choices")
    assert problem(choices) == (403, "not_your_seat")


def test_the_wrong_seat(client: Client) -> None:
    ann, bob, match = two_at_a_table(client)
    command = ann.choices(match, 0)[0]["command"]
    assert problem(bob.play(match, 0, command)) == (403, "not_your_seat")
    assert problem(bob.undo(match, 0)) == (403, "not_your_seat")
    assert problem(bob.get(f"/matches/{match['id']}", seat=0)) == (403, "not_your_seat")
    assert problem(ann.play(match, 7, command)) == (403, "not_your_seat")


def test_not_your_turn(client: Client) -> None:
    ann, bob, match = two_at_a_table(client)
    command = ann.choices(match, 0)[0]["command"]
    assert problem(bob.play(match, 1, command)) == (409, "not_your_turn")


@pytest.mark.parametrize("wrong", [-1, 1])
def test_a_stale_version_loses_nothing(client: Client, wrong: int) -> None:
    ann, _, match = two_at_a_table(client)
    command = ann.choices(match, 0)[0]["command"]
    other = {**match, "version": match["version"] + wrong}
    answer = ann.play(other, 0, command)
    assert problem(answer) == (409, "version_conflict")
    assert answer.json()["version"] == match["version"]
    assert problem(ann.undo(other, 0)) == (409, "version_conflict")
    assert ann.play(match, 0, command).status_code == 200


def test_an_illegal_step_names_the_rule(client: Client) -> None:
    ann, _, match = two_at_a_table(client)
    command = dict(ann.choices(match, 0)[0]["command"])
    legal = [choice["command"] for choice in ann.choices(match, 0)]
    for field, value in command.items():
        if field == "type":
            continue
        broken = {**command, field: [999, 999] if isinstance(value, list) else "pink"}
        if broken in legal:
            continue
        answer = ann.play(match, 0, broken)
        assert problem(answer) == (422, "illegal_move")
        assert answer.json()["rule"]
        assert answer.json()["detail"]
    assert ann.get(f"/matches/{match['id']}").json()["version"] == match["version"]


@pytest.mark.parametrize(
    "command",
    [
        {},
        {"type": "Undo"},
        {"type": "Open", "seed": "00"},
        {"type": "Join", "player": "x", "name": "y"},
        {"type": "PlaceCamel", "cell": {"a": 1}},
        {"type": "PlaceCamel", "surprise": 1},
        {"type": None},
        {"type": 2**80},
    ],
)
def test_unknown_command_is_an_illegal_move(client: Client, command: Any) -> None:
    ann, _, match = two_at_a_table(client)
    answer = ann.play(match, 0, command)
    assert problem(answer) == (422, "illegal_move")
    assert answer.json()["rule"]


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff\xfe", b'{"name": "\\ud800"}', b"[" * 100_000, b'{"name": NaN}']
)
def test_malformed_json(client: Client, body: bytes) -> None:
    status, code = problem(client.post("/api/players", content=body))
    assert (status, code) in ((400, "malformed_request"), (422, "invalid_request"))
    ann = Person(client)
    answer = client.post("/api/matches", content=b"{" + body, headers=ann.headers)
    assert problem(answer) == (400, "malformed_request")


def test_a_body_of_a_megabyte(client: Client) -> None:
    ann = Person(client)
    body = b'{"name": "' + b"x" * 1_000_000 + b'"}'
    assert problem(client.post("/api/players", content=body)) == (413, "too_large")
    _, _, match = two_at_a_table(client)
    answer = client.post(f"/api/matches/{match['id']}/commands", content=body, headers=ann.headers)
    assert problem(answer) == (413, "too_large")


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("  Ann   Lee ", "Ann Lee"),
        ("A\u0000n\u0007n\u202e", "Ann"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("Zoe\u0308", "Zoë"),
        ("李", "李"),
        ("\U0001f42a", "\U0001f42a"),
    ],
)
def test_names_are_cleaned_and_markup_stays_text(client: Client, name: str, kept: str) -> None:
    made = client.post("/api/players", json={"name": name})
    assert made.status_code == 201
    assert made.json()["name"] == kept
    assert made.headers["content-type"] == "application/json"
    assert made.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("name", ["", "   ", "\u0000\u0007", "\u200b", "x" * 41, None, 7, ["Ann"]])
def test_invalid_names_are_rejected(client: Client, name: Any) -> None:
    status, _ = problem(client.post("/api/players", json={"name": name}))
    assert status == 422
    ann = Person(client)
    seats = [{"kind": "me", "name": name if name is not None else ""}]
    answer = ann.post(
        "/matches", {"game": "caravanserai", "seats": seats, "options": {"begins": "host"}}
    )
    assert problem(answer)[0] == 422


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"game": "nix", "seats": [{"kind": "me"}]}, 404, "no_such_game"),
        ({"game": "caravanserai", "seats": []}, 422, "invalid_request"),
        ({"game": "caravanserai", "seats": [{"kind": "me"}] * 7}, 422, "wrong_seats"),
        ({"game": "caravanserai", "seats": [{"kind": "bot"}]}, 422, "no_person"),
        ({"game": "caravanserai", "seats": [{"kind": "robot"}]}, 422, "invalid_request"),
        (
            {"game": "caravanserai", "seats": [{"kind": "me"}], "options": {"expert": 1}},
            422,
            "bad_option",
        ),
        (
            {"game": "caravanserai", "seats": [{"kind": "me"}], "options": {"nix": True}},
            422,
            "bad_option",
        ),
        ({"game": "caravanserai", "seats": [{"kind": "me"}], "more": 1}, 422, "invalid_request"),
    ],
)
def test_impossible_tables_are_rejected(client: Client, body: Any, status: int, code: str) -> None:
    assert problem(Person(client).post("/matches", body)) == (status, code)


def test_missing_credentials_are_reported(client: Client) -> None:
    body = {"game": "caravanserai", "seats": [{"kind": "me"}]}
    answer = client.post("/api/matches", json=body)
    assert problem(answer) == (401, "no_player")
    assert answer.headers["www-authenticate"].startswith("Bearer")
    headers = {"Authorization": "Bearer nonsense"}
    assert problem(client.get("/api/players/me", headers=headers)) == (401, "unknown_token")
    client.cookies.set("player", "nonsense")
    assert problem(client.get("/api/players/me")) == (401, "no_player")


def test_joining_without_an_open_seat_is_rejected(client: Client) -> None:
    ann, bob, eve = (Person(client, name) for name in ("Ann", "Bob", "Eve"))
    match = ann.open("me", "open", visibility="public")
    path = f"/matches/{match['id']}/join"
    assert problem(bob.post(path, {"seat": 0})) == (409, "seat_taken")
    assert problem(bob.post(path, {"seat": 5})) == (409, "not_open")
    assert bob.post(path, {}).status_code == 200
    assert problem(eve.post(path, {})) == (409, "no_open_seat")


def test_unknown_methods_and_paths(client: Client) -> None:
    answer = client.put("/api/matches")
    assert problem(answer) == (405, "method_not_allowed")
    assert set(answer.headers["allow"].split(", ")) == {"GET", "POST", "OPTIONS"}
    options = client.options("/api/matches")
    assert set(options.headers["allow"].split(", ")) == {"GET", "POST", "OPTIONS"}
    assert problem(client.get("/api/nix")) == (404, "not_found")
    assert problem(client.get("/api/matches?scope=all")) == (422, "invalid_request")
    headers = Person(client).headers
    assert problem(client.get("/api/matches?cursor=x", headers=headers)) == (422, "bad_cursor")


@pytest.mark.parametrize("name", ["state", "visibility", "page", "Scope", "x" * 150, "é"])
def test_an_unknown_filter_of_the_list_is_refused_by_name(name: str, client: Client) -> None:
    """Ignoring it would show too much, so it is rejected first."""
    answer = client.get("/api/matches", params={"scope": "public", name: "open"})
    assert problem(answer) == (400, "unknown_parameter")
    assert answer.json()["field"] == name[:100]
    assert name[:100] in answer.json()["detail"]
    assert client.get("/api/matches", params={name: "1"}).status_code == 400


def test_every_filter_of_the_list_works(client: Client) -> None:
    ann = Person(client)
    for query in (
        {},
        {"scope": "public", "status": "open", "sort": "updated"},
        {"scope": "mine", "status": "playing", "sort": "turn"},
        {"scope": "hidden"},
        {"scope": "invited", "language": "fr"},
        {"scope": "mine", "limit": "100"},
    ):
        assert ann.get("/matches", **query).status_code == 200, query


def test_a_list_has_as_many_matches_as_asked_for(client: Client) -> None:
    ann = Person(client)
    body = {"game": "caravanserai", "seats": [{"kind": "me"}, {"kind": "open"}]}
    ids = {ann.post("/matches", body).json()["id"] for _ in range(3)}
    first = ann.get("/matches", limit=2).json()
    assert len(first["items"]) == 2
    rest = ann.get("/matches", limit=2, cursor=first["next"]).json()
    assert {item["id"] for item in first["items"] + rest["items"]} == ids
    assert rest["next"] is None
    for limit in (0, 101, "x"):
        assert problem(ann.get("/matches", limit=limit)) == (422, "invalid_request")


def test_unexpected_error_reveals_nothing(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither the answer nor the log contains the error's text, which could quote a secret."""
    ann = Person(client)

    def fail(*_: Any) -> None:
        raise RuntimeError("the seed is 42")

    monkeypatch.setattr(client.app.services.finder, "find_match", fail)
    answer = ann.get(f"/matches/{UNKNOWN}")
    assert problem(answer) == (500, "internal_error")
    assert "42" not in answer.text
    assert "RuntimeError" in caplog.text
    assert "the seed" not in caplog.text


@pytest.mark.slow
def test_two_taps_at_once_count_once(tmp_path: Path) -> None:
    """The same command twenty times at once: one is accepted."""
    with server(Settings(data=str(tmp_path), play_limit=0, create_limit=0)) as address:
        made = httpx.post(f"{address}/api/players", json={"name": "Ann"}).json()
        headers = {"Authorization": f"Bearer {made['token']}"}
        with httpx.Client(base_url=address, headers=headers) as ann:
            seats = [{"kind": "me"}, {"kind": "me"}]
            body = {"game": "caravanserai", "seats": seats, "options": {"begins": "host"}}
            match = ann.post("/api/matches", json=body).json()
            path = f"/api/matches/{match['id']}"
            for _ in range(5):
                seat = match["to_act"][0]
                choices = ann.get(f"{path}/choices", params={"seat": seat}).json()["choices"]
                tap = {
                    "seat": seat,
                    "expected_version": match["version"],
                    "commands": [choices[0]["command"]],
                }

                def send(_: int, tap: Any = tap) -> httpx.Response:
                    return httpx.post(f"{address}{path}/commands", json=tap, headers=headers)

                with ThreadPoolExecutor(20) as threads:
                    answers = list(threads.map(send, range(20)))
                statuses = sorted(answer.status_code for answer in answers)
                assert statuses == [200, *[409] * 19]
                lost = {a.json()["code"] for a in answers if a.status_code == 409}
                assert lost == {"version_conflict"}
                match = ann.get(path).json()
                won = next(answer for answer in answers if answer.status_code == 200)
                assert match["version"] == won.json()["version"]


@pytest.mark.parametrize("accept", [0, 1, "true", "no"])
def test_a_body_has_the_types_that_were_asked_for(client: Client, accept: Any) -> None:
    """What only looks like true or false might be the opposite of what was meant."""
    ann = Person(client)
    match = ann.open("me")
    hidden = ann.post(f"/matches/{match['id']}/hide", {"hidden": accept})
    assert problem(hidden) == (422, "invalid_request")
