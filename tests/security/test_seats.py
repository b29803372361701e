"""Players are never seated unasked, kept in a match, or crowded out."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from domain.contract.registry import TITLES
from domain.match.fork_secrecy import had_secrets
from domain.match.seats import Seat
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from service.matches.confusable_names import disambiguated, skeleton
from service.matches.options import fill_options
from service.matches.seating import build_open_command
from service.players.identity import Player
from service.store import StoredDecision
from tests.game_contract.play import play, to_the_end
from tests.service.apps import run_service
from tests.service.databases import DATABASES, fresh
from tests.service.people import Client, Person, two_at_a_table


@pytest.fixture(params=DATABASES)
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Client]:
    with fresh(request.param, tmp_path) as settings, run_service(settings) as running:
        yield running


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Client]:
    """Return the service on SQLite, where the database makes no difference."""
    with fresh("sqlite", tmp_path) as settings, run_service(settings) as running:
        yield running


def listed(person: Person, scope: str = "mine") -> list[str]:
    return [item["id"] for item in person.get("/matches", scope=scope).json()["items"]]


def kinds(match: Any) -> list[str]:
    return [seat["kind"] for seat in match["seats"]]


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


# --- forks ------------------------------------------------------------------------------------


def forked(ann: Person, match: Any) -> Any:
    body = {"at": match["version"], "seats": [{"kind": "same"}, {"kind": "same"}]}
    answer = ann.post(f"/matches/{match['id']}/fork", body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_a_fork_asks_before_it_brings_people_along(client: Client) -> None:
    ann, bob, match = two_at_a_table(client)
    stranger = Person(client, "Eve")
    fork = forked(ann, match)
    assert kinds(fork) == ["human", "open"]
    assert [seat.get("held_for") for seat in fork["seats"]] == [None, "other"]
    path = f"/matches/{fork['id']}"
    assert fork["id"] not in listed(bob)
    assert listed(bob, "invited") == [fork["id"]]
    seen = bob.get(path).json()["seats"][1]
    assert (seen["held_for"], seen["you"], seen["name"]) == ("you", False, "Bob")
    assert code(bob.play(fork, 1, {"type": "Stop"})) == (403, "not_your_seat")
    # Nobody else gets the seat, even with the invitation.
    wish = {"invite": fork["invite"], "seat": 1}
    assert code(stranger.post(f"{path}/join", wish)) == (409, "seat_held")
    assert code(stranger.post(f"{path}/join", {"invite": fork["invite"]})) == (409, "no_open_seat")
    accepted = bob.post(f"{path}/join", {}).json()
    assert accepted["seats"][1] == {"seat": 1, "kind": "human", "name": "Bob", "you": True}
    assert fork["id"] in listed(bob)
    assert listed(bob, "invited") == []


def test_an_invitation_can_be_declined_or_withdrawn(client: Client) -> None:
    ann, bob, match = two_at_a_table(client)
    for person in (bob, ann):
        fork = forked(ann, match)
        path = f"/matches/{fork['id']}"
        body = {"seat": 1}
        assert code(Person(client, "Eve").post(f"{path}/leave", body)) == (404, "no_such_match")
        assert person.post(f"{path}/leave", body).status_code == 200
        assert listed(bob, "invited") == []
        assert bob.get(path).status_code == 404
        seat = ann.get(path).json()["seats"][1]
        assert (seat["kind"], seat.get("held_for")) == ("open", None)
        again = {"invite": fork["invite"]}
        assert Person(client, "Eve").post(f"{path}/join", again).status_code == 200


def test_a_fork_for_oneself_needs_nobody(quick: Client) -> None:
    ann, bob, match = two_at_a_table(quick)
    fork = ann.post(f"/matches/{match['id']}/fork", {"at": match["version"]}).json()
    assert kinds(fork) == ["human", "human"]
    assert listed(bob, "invited") == []


def test_a_fork_with_a_held_seat_exports_and_proves(quick: Client) -> None:
    ann, bob, match = two_at_a_table(quick)
    fork = forked(ann, match)
    path = f"/matches/{fork['id']}"
    bob.post(f"{path}/join", {})
    bob.post(f"{path}/leave", {})
    dice = random.Random(5)
    while (now := ann.get(path).json())["status"] == "playing":
        # Always taking the first choice may never end a game.
        count = len(ann.choices(now, now["to_act"][0]))
        ann.step(now, dice.randrange(count))
    file = ann.get(f"{path}/export").json()
    assert any(event["type"] == "SeatLeft" for d in file["decisions"] for event in d["events"])
    assert ann.post("/matches/import", file).status_code == 201


# --- leaving ----------------------------------------------------------------------------------


def test_who_leaves_a_waiting_table_leaves_the_seat_open(client: Client) -> None:
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    match = ann.open("me", "open", "open")
    path = f"/matches/{match['id']}"
    bob.post(f"{path}/join", {"invite": match["invite"]})
    assert bob.post(f"{path}/leave", {}).status_code == 200
    assert listed(bob) == []
    assert bob.get(path).status_code == 404
    now = ann.get(path).json()
    assert kinds(now) == ["human", "open", "open"]
    assert now["seats"][1]["name"] == ""
    last = ann.get(f"{path}/events").json()["events"][-1]
    assert (last["type"], last["text"]) == ("SeatLeft", "Bob left; the seat is open.")
    assert bob.post(f"{path}/join", {"invite": match["invite"]}).status_code == 200


def test_a_bot_plays_on_for_who_leaves_a_running_game(client: Client) -> None:
    ann, bob, match = two_at_a_table(client)
    path = f"/matches/{match['id']}"
    assert bob.post(f"{path}/leave", {"seat": 0}).status_code == 403
    assert bob.post(f"{path}/leave", {}).status_code == 200
    assert listed(bob) == []
    now = ann.get(path).json()
    assert kinds(now) == ["human", "bot"]
    assert now["to_act"] in ([0], [])
    moved = ann.step(now) if now["to_act"] else now
    assert moved["version"] > now["version"]
    assert code(ann.post(f"{path}/leave", {})) == (409, "last_person")


def test_who_has_left_is_not_asked_for_a_take_back(client: Client) -> None:
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    cat = Person(client, "Cat")
    match = ann.open("me", "open", "open", game="caravanserai")
    path = f"/matches/{match['id']}"
    for person in (bob, cat):
        person.post(f"{path}/join", {"invite": match["invite"]})
    people = [ann, bob, cat]
    now = ann.get(path).json()
    start = now["version"]
    while len({e["seat"] for e in ann.get(f"{path}/events", after=start).json()["events"]}) < 3:
        now = people[now["to_act"][0]].step(ann.get(path).json())
    assert ann.undo(now, 0, start).status_code == 202
    assert set(ann.get(path).json()["undo"]["proposal"]["waiting"]) == {1, 2}
    bob.post(f"{path}/leave", {})
    now = ann.get(path).json()
    assert "proposal" not in now["undo"]
    assert ann.undo(now, 0, start).status_code == 202
    assert ann.get(path).json()["undo"]["proposal"]["waiting"] == [2]
    agreed = cat.post(f"{path}/undo/answer", {"seat": 2, "accept": True}).json()
    assert kinds(agreed)[1] == "bot"


def test_leaving_twice_with_one_key_is_leaving_once(quick: Client) -> None:
    ann, bob, match = two_at_a_table(quick)
    path = f"/matches/{match['id']}/leave"
    first = bob.post(path, {"seat": 1}, key="go")
    assert first.status_code == 200
    assert bob.post(path, {"seat": 1}, key="go").status_code in (200, 404)
    events = ann.get(f"/matches/{match['id']}/events").json()["events"]
    assert [event["type"] for event in events].count("SeatLeft") == 1


def finished_by(ann: Person, bob: Person, game: str) -> Timeline:
    """Return a whole match of Ann, Bob and bots."""
    title = TITLES[game]
    bots = [Seat("bot", f"Bot {i}") for i in range(title.seats[0] - 2)]
    seats = (Seat("human", "Ann", ann.id), Seat("human", "Bob", bob.id), *bots)
    host = Player(ann.id, "Ann")
    timeline = Timeline(codec_of(game).rules)
    play(timeline, None, build_open_command(title, fill_options(title, {}), seats, "private", host))
    to_the_end(timeline, random.Random(2))
    return timeline


@pytest.mark.parametrize("game", ["caravane", "caravanserail"])
@pytest.mark.parametrize("freed_by", ["host", "guest"])
def test_nobody_new_is_lured_into_a_fork_by_those_who_know_its_secrets(
    freed_by: str, game: str, client: Client
) -> None:
    """Players of a finished match may play on together; a seat they free goes to a bot for good."""
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    timeline = finished_by(ann, bob, game)
    key = uuid4()
    client.app.services.store.save_decisions(
        [StoredDecision(key, game, d) for d in timeline.decisions]
    )
    at = next(d.last_version for d in timeline.decisions if had_secrets(timeline, d.last_version))
    seats = [{"kind": "same"} for _ in timeline.latest.seats]
    forked = ann.post(f"/matches/{key}/fork", {"at": at, "seats": seats}).json()
    path = f"/matches/{forked['id']}"
    assert forked["seats"][1]["held_for"] == "other"
    freed = (ann if freed_by == "host" else bob).post(f"{path}/leave", {"seat": 1})
    assert freed.status_code == 200
    now = ann.get(path).json()
    assert now["seats"][1]["kind"] == "bot"
    assert "invite" not in now
    told = [e for e in ann.get(f"{path}/events").json()["events"] if e["type"] == "SeatLeft"]
    assert [event["data"]["kind"] for event in told] == ["bot"]
    assert code(bob.post(f"{path}/join", {"seat": 1})) == (404, "no_such_match")


# --- hiding -----------------------------------------------------------------------------------


def test_a_table_can_be_hidden_and_shown_again(client: Client) -> None:
    ann, bob, match = two_at_a_table(client)
    path = f"/matches/{match['id']}"
    before = ann.get(path).json()["version"]
    for _ in range(2):
        assert ann.post(f"{path}/hide", {"hidden": True}).json() == {
            "id": match["id"],
            "hidden": True,
        }
    assert (listed(ann), listed(ann, "hidden")) == ([], [match["id"]])
    assert listed(bob) == [match["id"]]
    assert ann.get(path).json()["version"] == before
    ann.post(f"{path}/hide", {"hidden": False})
    assert (listed(ann), listed(ann, "hidden")) == ([match["id"]], [])
    assert Person(client, "Eve").post(f"{path}/hide", {}).status_code == 404


def test_pages_of_the_list_are_full_though_much_is_hidden(quick: Client) -> None:
    ann = Person(quick)
    made = [ann.open("me")["id"] for _ in range(50)]
    for match in made[10:]:
        ann.post(f"/matches/{match}/hide", {})
    assert sorted(listed(ann)) == sorted(made[:10])
    page = ann.get("/matches", scope="hidden").json()
    following = ann.get("/matches", scope="hidden", cursor=page["next"]).json()
    both = [item["id"] for item in page["items"] + following["items"]]
    assert sorted(both) == sorted(made[10:])


# --- public tables ----------------------------------------------------------------------------


def public_table(client: Client, seats: int = 4) -> tuple[Person, Any]:
    ann = Person(client, "Ann")
    return ann, ann.open("me", *["open"] * (seats - 1), visibility="public")


def test_a_stranger_takes_one_seat_of_a_public_table(client: Client) -> None:
    ann, match = public_table(client)
    eve = Person(client, "Eve")
    path = f"/matches/{match['id']}/join"
    assert eve.post(path, {"seat": 1}).status_code == 200
    assert code(eve.post(path, {"seat": 2})) == (403, "one_seat")
    assert eve.post(path, {"seat": 2, "invite": match["invite"]}).status_code == 200
    assert ann.post(path, {"seat": 3}).status_code == 200


def test_new_players_of_one_address_do_not_take_all_seats(quick: Client) -> None:
    _, match = public_table(quick, 5)
    path = f"/matches/{match['id']}/join"
    answers = [Person(quick, f"Eve{i}").post(path, {}) for i in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 403, 403]
    assert answers[-1].json()["code"] == "too_many_from_here"
    family = Person(quick, "Dan").post(path, {"invite": match["invite"]})
    assert family.status_code == 200


@pytest.mark.parametrize("name", ["Ann", "ANN", "Аnn", "A\u3164nn", "Ann\u00b7", "Ànn", "Ａnn"])
def test_nobody_sits_down_under_the_name_of_the_host(name: str, quick: Client) -> None:
    _, match = public_table(quick)
    seats = (
        Person(quick, "Eve").post(f"/matches/{match['id']}/join", {"name": name}).json()["seats"]
    )
    assert seats[1]["name"].endswith(" 2")
    assert skeleton(seats[0]["name"]) != skeleton(seats[1]["name"])


def test_names_at_one_phone_are_told_apart_too(quick: Client) -> None:
    ann = Person(quick)
    seats = [{"kind": "me", "name": name} for name in ("Jo", "JO", "Jo")]
    match = ann.post("/matches", {"game": "caravanserai", "seats": seats}).json()
    assert [seat["name"] for seat in match["seats"]] == ["Jo", "JO 2", "Jo 3"]


def test_names_that_differ_stay_as_they_are() -> None:
    assert disambiguated("Bob", ["Ann", "", "Rob"]) == "Bob"
    assert disambiguated("山田", ["山本"]) == "山田"
    assert len(disambiguated("x" * 40, ["x" * 40])) <= 40


# --- rate limits in a match ----------------------------------------------------------------------


def test_a_declined_take_back_is_not_asked_for_again_at_once(client: Client) -> None:
    ann, bob, match = two_at_a_table(client)
    path = f"/matches/{match['id']}"
    people = [ann, bob]
    now, start = match, match["version"]
    first = now["to_act"][0]
    while now["to_act"] == [first]:
        now = people[first].step(now)
    now = people[1 - first].step(now)
    asker, other = people[first], people[1 - first]
    assert asker.undo(now, first, start).status_code == 202
    declined = other.post(f"{path}/undo/answer", {"seat": 1 - first, "accept": False}).json()
    again = asker.undo(declined, first, start)
    assert code(again) == (409, "declined")
    assert 1 <= int(again.headers["retry-after"]) <= 60
    # Another proposal, or the same after another move, is allowed.
    moved = people[declined["to_act"][0]].step(declined)
    asked = asker.undo(moved, first, start)
    assert asked.status_code == 202
    # A withdrawn proposal was not declined.
    withdrawn = asker.post(f"{path}/undo/answer", {"seat": first, "accept": False}).json()
    assert asker.undo(withdrawn, first, start).status_code == 202


def test_chat_is_rate_limited_per_seat(tmp_path: Path) -> None:
    with (
        fresh("sqlite", tmp_path, talk_limit=3) as settings,
        run_service(settings) as quick,
    ):
        ann, bob, match = two_at_a_table(quick)
        path = f"/matches/{match['id']}/say"
        said = [ann.post(path, {"seat": 0, "text": "Hi"}) for _ in range(5)]
        assert [answer.status_code for answer in said] == [200] * 3 + [429] * 2
        assert int(said[-1].headers["retry-after"]) > 0
        assert bob.post(path, {"seat": 1, "text": "Hi"}).status_code == 200
