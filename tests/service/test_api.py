"""Each call of the API as an external client uses it."""

import hashlib
import re
from typing import Any

from tests.service.people import Client, Person, two_at_a_table

ID = re.compile(r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
TIME = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
MATCH_FIELDS = {
    "id",
    "game",
    "options",
    "status",
    "version",
    "latest_version",
    "seats",
    "to_act",
    "turn",
    "view",
    "undo",
    "fairness",
}

EVENT_FIELDS = {"version", "type", "seat", "at", "data", "text", "key", "args"}
EVENT_FIELDS |= {"undone", "turn", "decision"}


def test_player_is_identified_by_cookie_and_by_token(client: Client) -> None:
    made = client.post("/api/players", json={"name": "Ann"})
    assert made.status_code == 201
    body = made.json()
    assert set(body) == {"player_id", "name", "token"}
    cookie = made.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    by_cookie = client.get("/api/players/me")
    assert by_cookie.json() == {"player_id": body["player_id"], "name": "Ann"}
    client.cookies.clear()
    assert client.get("/api/players/me").status_code == 401
    headers = {"Authorization": f"Bearer {body['token']}"}
    assert client.get("/api/players/me", headers=headers).json()["name"] == "Ann"


def test_the_cookie_is_secure_behind_https(client: Client) -> None:
    made = client.post("https://testserver.local/api/players", json={"name": "Ann"})
    assert "Secure" in made.headers["set-cookie"]


def test_a_player_moves_to_another_device_by_a_link_that_works_once(client: Client) -> None:
    ann = Person(client)
    link = ann.post("/players/link")
    assert link.status_code == 201
    assert link.json()["code"] in link.json()["url"]
    assert TIME.match(link.json()["expires"])
    claimed = client.post("/api/players/link/claim", json={"code": link.json()["code"]})
    assert claimed.status_code == 201
    assert claimed.json()["player_id"] == ann.id
    assert claimed.json()["token"] != ann.token
    again = client.post("/api/players/link/claim", json={"code": link.json()["code"]})
    assert (again.status_code, again.json()["code"]) == (404, "no_such_link")


def test_games_are_listed_with_their_options(client: Client) -> None:
    games = {game["slug"]: game for game in client.get("/api/games").json()}
    hexgame = games["caravanserai"]
    assert hexgame["seats"] == [1, 2, 3, 4, 5, 6]
    assert (hexgame["min_seats"], hexgame["max_seats"]) == (1, 6)
    assert hexgame["options"]["properties"]["expert"]["default"] is False
    assert {"title", "designer"} <= set(hexgame)


def test_a_match_without_open_seats_starts_at_once(client: Client) -> None:
    ann = Person(client)
    match = ann.open("me", "me", options={"expert": True})
    assert set(match) >= MATCH_FIELDS
    assert ID.match(match["id"])
    assert match["status"] == "playing"
    assert match["options"] == {"expert": True, "begins": "host", "long_games_end": False}
    assert match["to_act"] == [0]
    assert match["version"] == match["latest_version"] > 1
    assert [seat["you"] for seat in match["seats"]] == [True, True]
    assert [seat["name"] for seat in match["seats"]] == ["Ann", "Ann 2"]
    assert "invite" not in match
    assert "seed" not in match["fairness"]


def test_an_open_match_starts_when_the_last_seat_is_taken(client: Client) -> None:
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    match = ann.open("me", "open")
    assert (match["status"], match["view"], match["to_act"]) == ("open", None, [])
    assert match["seats"][1]["kind"] == "open"
    joined = bob.post(
        f"/matches/{match['id']}/join", {"invite": match["invite"], "name": "Bobby"}
    ).json()
    assert joined["status"] == "playing"
    assert joined["seats"][1] == {"seat": 1, "kind": "human", "name": "Bobby", "you": True}
    assert "invite" not in joined
    again = bob.post(f"/matches/{match['id']}/join", {}).json()
    assert again["version"] == joined["version"]


def test_the_invitation_is_also_a_picture(client: Client) -> None:
    ann, bob = Person(client), Person(client)
    match = ann.open("me", "open")
    drawn = ann.get(f"/matches/{match['id']}/invite.svg")
    assert drawn.headers["content-type"].startswith("image/svg+xml")
    assert drawn.text.startswith("<svg xmlns=")
    assert bob.get(f"/matches/{match['id']}/invite.svg").status_code == 404


def test_a_turn_can_be_sent_as_one_batch_all_or_nothing(client: Client) -> None:
    ann = Person(client)
    match = ann.open("me", "me")
    first = ann.choices(match, 0)[0]["command"]
    refused = ann.play(match, 0, first, {"type": "Nonsense"})
    assert (refused.status_code, refused.json()["code"]) == (422, "illegal_move")
    assert ann.get(f"/matches/{match['id']}").json()["version"] == match["version"]
    after = ann.play(match, 0, first).json()
    assert after["version"] == after["match"]["version"] == after["events"][-1]["version"]
    assert [e["version"] for e in after["events"]] == list(
        range(match["version"] + 1, after["version"] + 1)
    )


def test_choices_are_exactly_for_the_seat_that_acts(client: Client) -> None:
    ann, bob, match = two_at_a_table(client)
    mine = ann.get(f"/matches/{match['id']}/choices", seat=0).json()
    assert mine["version"] == match["version"]
    assert mine["seat"] == 0
    assert mine["choices"]
    assert all(choice["label"] and choice["command"]["type"] for choice in mine["choices"])
    assert bob.get(f"/matches/{match['id']}/choices", seat=1).json()["choices"] == []
    other = bob.get(f"/matches/{match['id']}/choices", seat=0)
    assert (other.status_code, other.json()["code"]) == (403, "not_your_seat")


def test_any_version_can_be_viewed(client: Client) -> None:
    ann = Person(client)
    match = ann.open("me", "me")
    seen = {match["version"]: match["view"]}
    for _ in range(6):
        match = ann.step(match)
        seen[match["version"]] = match["view"]
    for version in range(1, match["version"] + 1):
        past = ann.get(f"/matches/{match['id']}", at=version).json()
        assert past["version"] == version
        assert past["latest_version"] == match["version"]
        if version in seen:
            assert past["view"] == seen[version]
    beyond = ann.get(f"/matches/{match['id']}", at=match["version"] + 1)
    assert (beyond.status_code, beyond.json()["code"]) == (404, "no_such_version")


def test_events_describe_the_match_and_hide_players(client: Client) -> None:
    ann, bob, match = two_at_a_table(client)
    match = ann.step(match)
    everything = bob.get(f"/matches/{match['id']}/events").json()
    assert everything["version"] == match["version"]
    events = everything["events"]
    assert [event["version"] for event in events] == list(range(1, match["version"] + 1))
    for event in events:
        about_bob = event["args"].get("who") == 1
        assert set(event) == (EVENT_FIELDS | {"own"} if about_bob else EVENT_FIELDS)
        assert TIME.match(event["at"])
        assert event["text"]
    assert events[0]["type"] == "MatchOpened"
    # All events of one decision have the same time.
    numbers = [event["decision"] for event in events]
    assert numbers == sorted(numbers)
    assert set(numbers) == set(range(numbers[-1] + 1))
    assert len({(event["decision"], event["at"]) for event in events}) == numbers[-1] + 1
    assert ann.id not in str(everything)
    assert bob.id not in str(everything)
    assert "seed" not in events[0]["data"]
    later = bob.get(f"/matches/{match['id']}/events", after=3).json()["events"]
    assert later == events[3:]


def test_a_free_undo_and_redo(client: Client) -> None:
    ann, _, match = two_at_a_table(client)
    before = match
    match = ann.step(match)
    while match["to_act"] == [0]:
        before, match = match, ann.step(match)
    assert match["undo"]["kind"] == "free"
    assert match["undo"]["seat"] == 0
    undone = ann.undo(match, 0).json()
    assert undone["view"] == before["view"]
    assert undone["to_act"] == [0]
    assert undone["redo"] is True
    events = ann.get(f"/matches/{match['id']}/events").json()["events"]
    assert any(event["undone"] for event in events)
    assert events[-1]["type"] == "MovesUndone"
    body = {"seat": 0, "expected_version": undone["version"]}
    redone = ann.post(f"/matches/{match['id']}/redo", body).json()
    assert redone["view"] == match["view"]
    assert redone["redo"] is False


def test_an_undo_that_needs_consent(client: Client) -> None:
    ann, bob, match = two_at_a_table(client)
    start = match
    while match["to_act"] == [0]:
        match = ann.step(match)
    match = bob.step(match)
    seen_by_ann = ann.get(f"/matches/{match['id']}").json()
    assert seen_by_ann["undo"]["kind"] == "consent"
    assert "Bob" in seen_by_ann["undo"]["reason"]
    proposed = ann.undo(match, 0, start["version"])
    assert proposed.status_code == 202
    proposal = proposed.json()["undo"]["proposal"]
    assert (proposal["seat"], proposal["waiting"]) == (0, [1])
    own = ann.post(f"/matches/{match['id']}/undo/answer", {"seat": 0, "accept": True})
    assert (own.status_code, own.json()["code"]) == (409, "own_proposal")
    agreed = bob.post(f"/matches/{match['id']}/undo/answer", {"seat": 1, "accept": True})
    assert agreed.status_code == 200
    assert agreed.json()["view"] == start["view"]
    asked, yes, back = ann.get(f"/matches/{match['id']}/events").json()["events"][-3:]
    assert asked["turn"] == yes["turn"] == match["turn"] > start["turn"]
    assert (back["type"], back["turn"]) == ("MovesUndone", start["turn"])
    late = bob.post(f"/matches/{match['id']}/undo/answer", {"seat": 1, "accept": True})
    assert (late.status_code, late.json()["code"]) == (409, "no_proposal")


def test_a_new_move_closes_a_proposal(client: Client) -> None:
    ann, bob, match = two_at_a_table(client)
    start = match["version"]
    while match["to_act"] == [0]:
        match = ann.step(match)
    match = bob.step(match)
    match = ann.undo(match, 0, start).json()
    match = ann.step(match)
    assert "proposal" not in match["undo"]
    late = bob.post(f"/matches/{match['id']}/undo/answer", {"seat": 1, "accept": True})
    assert late.status_code == 409
    assert bob.get(f"/matches/{match['id']}").json()["version"] == match["version"]


def test_undo_on_a_shared_device_is_immediate(client: Client) -> None:
    ann = Person(client)
    start = match = ann.open("me", "me")
    while match["to_act"] == [0]:
        match = ann.step(match)
    match = ann.step(match)
    assert match["undo"]["kind"] == "open"
    assert match["undo"]["seat"] == 1
    undone = ann.undo(match, 1, start["version"])
    assert undone.status_code == 200
    assert undone.json()["view"] == start["view"]


def test_lists_show_whose_turn_it_is_and_only_what_is_mine(client: Client) -> None:
    ann, bob, match = two_at_a_table(client)
    public = ann.open("me", "open", visibility="public")
    mine = {item["id"]: item for item in ann.get("/matches", scope="mine").json()["items"]}
    assert set(mine) == {match["id"], public["id"]}
    assert mine[match["id"]]["your_turn"] is True
    bobs = bob.get("/matches", scope="mine").json()["items"]
    assert [(item["id"], item["your_turn"]) for item in bobs] == [(match["id"], False)]
    lobby = client.get("/api/matches?scope=public").json()["items"]
    assert [item["id"] for item in lobby] == [public["id"]]
    only_open = ann.get("/matches", scope="mine", status="open").json()["items"]
    assert [item["id"] for item in only_open] == [public["id"]]
    assert ann.id not in str(mine)
    assert client.get("/api/matches?scope=mine").status_code == 401


def test_lists_come_in_pages(client: Client) -> None:
    ann = Person(client)
    opened = {ann.open("me", "open")["id"] for _ in range(45)}
    seen: list[str] = []
    cursor = None
    while True:
        page = ann.get("/matches", **({"cursor": cursor} if cursor else {})).json()
        seen += [item["id"] for item in page["items"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert len(seen) == 45
    assert set(seen) == opened


def test_a_finished_match_shows_standings_and_its_seed(client: Client) -> None:
    ann = Person(client)
    match = finish(ann, ann.open("me"))
    assert match["status"] == "finished"
    assert match["to_act"] == []
    assert {"seat", "rank", "score", "detail"} == set(match["standings"][0])
    seed = bytes.fromhex(match["fairness"]["seed"])
    assert hashlib.sha256(seed).hexdigest() == match["fairness"]["commitment"]
    over = ann.play(match, 0, {"type": "SkipTurn"})
    assert over.status_code in (409, 422)
    undo = ann.undo(match, 0)
    assert (undo.status_code, undo.json()["code"]) == (409, "nothing_to_undo")


def finish(person: Person, match: Any) -> Any:
    """Play the last choice repeatedly until the match is over."""
    while match["status"] == "playing":
        match = person.step(match, -1)
    return match


def test_a_fork_begins_where_the_match_stood(client: Client) -> None:
    ann, bob, match = two_at_a_table(client)
    at = match
    while match["to_act"] == [0]:
        at, match = match, ann.step(match)
    forked = ann.post(f"/matches/{match['id']}/fork", {"at": at["version"]})
    assert forked.status_code == 201
    twin = forked.json()
    assert twin["id"] != match["id"]
    assert twin["forked_from"] == {"match": match["id"], "version": at["version"]}
    assert twin["view"] == at["view"]
    assert [seat["you"] for seat in twin["seats"]] == [True, True]
    twin = ann.step(twin)
    unchanged = ann.get(f"/matches/{match['id']}").json()
    assert unchanged["version"] == match["version"]
    same = {"at": at["version"], "seats": [{"kind": "same"}, {"kind": "same"}]}
    with_bob = ann.post(f"/matches/{match['id']}/fork", same).json()
    assert bob.get(f"/matches/{with_bob['id']}").status_code == 200


def test_a_fork_from_inside_a_decision_starts_at_the_end_of_the_one_before(
    client: Client,
) -> None:
    """CONTRACT.md: `forked_from.version` is the version that the fork really starts from."""
    ann = Person(client, "Ann")
    match = ann.open("me", "me")
    for _ in range(6):
        match = ann.step(match)
    path = f"/matches/{match['id']}"
    told = ann.get(f"{path}/events", after=0).json()["events"]
    ends = [
        event["version"]
        for event, after in zip(told, [*told[1:], None], strict=True)
        if after is None or after["decision"] != event["decision"]
    ]
    begun = ends[1]
    inside = [v for v in range(begun, match["version"] + 1) if v not in ends]
    assert inside
    for version in inside:
        fork = ann.post(f"{path}/fork", {"at": version}).json()
        start = max(end for end in ends if end <= version)
        assert fork["forked_from"] == {"match": match["id"], "version": start}
        assert fork["view"] == ann.get(path, at=start).json()["view"]
    whole = ann.post(f"{path}/fork", {"at": ends[-1]}).json()
    assert whole["forked_from"]["version"] == ends[-1]


def test_player_may_join_a_fork_later(client: Client) -> None:
    """An open seat of a fork can be taken by invitation while the match is running."""
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    match = ann.step(ann.step(ann.open("me", "me")))
    body = {"at": match["version"], "seats": [{"kind": "me"}, {"kind": "open"}]}
    fork = ann.post(f"/matches/{match['id']}/fork", body).json()
    assert (fork["status"], fork["seats"][1]["kind"]) == ("playing", "open")
    assert bob.get(f"/matches/{fork['id']}").status_code == 404
    joined = bob.post(f"/matches/{fork['id']}/join", {"invite": fork["invite"]}).json()
    assert joined["seats"][1] == {"seat": 1, "kind": "human", "name": "Bob", "you": True}
    assert "invite" not in joined
    exported = ann.get(f"/matches/{fork['id']}/export").json()
    assert ann.post("/matches/import", exported).status_code == 201


def test_exported_match_can_be_imported(client: Client) -> None:
    ann = Person(client)
    match = finish(ann, ann.open("me"))
    exported = ann.get(f"/matches/{match['id']}/export")
    assert exported.status_code == 200
    assert "attachment" in exported.headers["content-disposition"]
    document = exported.json()
    assert ann.id not in exported.text
    back = ann.post("/matches/import", document)
    assert back.status_code == 201, back.text
    assert back.json()["id"] != match["id"]
    assert back.json()["view"] == match["view"]
    assert back.json()["standings"] == match["standings"]
    document["decisions"][3]["at"] += 1
    broken = ann.post("/matches/import", document)
    assert (broken.status_code, broken.json()["code"]) == (422, "bad_file")


def test_an_imported_running_match_is_for_review_and_can_be_forked(client: Client) -> None:
    ann = Person(client)
    match = ann.step(ann.open("me", "me"))
    document = ann.get(f"/matches/{match['id']}/export").json()
    back = ann.post("/matches/import", document).json()
    seat = back["to_act"][0]
    command = ann.choices(back, seat)[0]["command"]
    refused = ann.play(back, seat, command)
    assert (refused.status_code, refused.json()["code"]) == (409, "imported")
    twin = ann.post(f"/matches/{back['id']}/fork", {"at": back["version"]}).json()
    assert ann.play(twin, seat, command).status_code == 200


def test_health(client: Client) -> None:
    assert client.get("/health/live").json() == {"status": "ok"}
    assert client.get("/health/ready").json() == {"status": "ok"}
