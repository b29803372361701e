"""Events addressed to their player over HTTP, in English and French: ``own`` and ``public``.

Requirement: the log says "You" to the only player at a device, from the moment they took their
seat; to everybody else it names them.
"""

from typing import Any

import pytest

from domain.match.time_control import DAY_MS
from tests.service.people import Client, Person, two_at_a_table
from tests.service.test_pace import House, at_a_table, house, seen, until
from tests.service.test_stored_messages import in_french

__all__ = ["house"]

Texts = list[tuple[str, str | None]]


def path_of(match: Any) -> str:
    return f"/matches/{match['id']}/events"


def texts(events: list[Any], kind: str) -> Texts:
    """Return ``text`` and ``own`` of the events of a type."""
    return [(event["text"], event.get("own")) for event in events if event["type"] == kind]


def english(person: Person, match: Any, kind: str) -> Texts:
    return texts(person.get(path_of(match)).json()["events"], kind)


def french(person: Person, match: Any, kind: str) -> Texts:
    return texts(in_french(person.client, person, path_of(match))["events"], kind)


def say(person: Person, match: Any, seat: int, text: str) -> None:
    answer = person.post(f"/matches/{match['id']}/say", {"seat": seat, "text": text})
    assert answer.status_code == 200, answer.text


def test_each_player_reads_you_of_themselves(client: Client) -> None:
    ann, bob, match = two_at_a_table(client)
    say(ann, match, 0, "Good luck.")
    assert english(ann, match, "SeatTaken") == [("Bob joined.", None)]
    assert english(bob, match, "SeatTaken") == [("Bob joined.", "You joined.")]
    assert french(ann, match, "SeatTaken") == [("Bob a pris place.", None)]
    assert french(bob, match, "SeatTaken") == [("Bob a pris place.", "Vous avez pris place.")]
    assert english(ann, match, "Said") == [("Ann: Good luck.", "You: Good luck.")]
    assert english(bob, match, "Said") == [("Ann: Good luck.", None)]
    assert french(ann, match, "Said") == [("Ann\xa0: Good luck.", "Vous\xa0: Good luck.")]
    for person in (ann, bob):
        said = person.get(path_of(match)).json()["events"][-1]
        assert (said["key"], said["args"]) == ("said", {"who": 0, "text": "Good luck."})


def test_moves_of_the_response_to_a_command_are_addressed(client: Client) -> None:
    ann, bob, match = two_at_a_table(client)
    command = ann.choices(match, 0)[0]["command"]
    answer = ann.play(match, 0, command).json()
    assert texts(answer["events"], "CaravanStarted") == [
        ("Ann started a caravan", "You started a caravan")
    ]
    assert english(bob, match, "CaravanStarted") == [("Ann started a caravan", None)]
    assert french(ann, match, "CaravanStarted") == [
        ("Ann met sa caravane en route", "Vous mettez votre caravane en route")
    ]


def test_nothing_is_addressed_to_a_spectator(client: Client) -> None:
    ann, _bob, match = two_at_a_table(client)
    share = ann.get(f"/matches/{match['id']}").json()["share"]
    say(ann, match, 0, "Good luck.")
    eve = Person(client, "Eve")
    events = eve.get(path_of(match), invite=share).json()["events"]
    assert ("Ann: Good luck.", None) in texts(events, "Said")
    assert not any("own" in event or "public" in event for event in events)


def test_nothing_is_addressed_to_who_holds_both_seats(client: Client) -> None:
    ann = Person(client, "Ann")
    match = ann.open("me", "me")
    say(ann, match, 1, "Good luck.")
    ann.step(ann.get(f"/matches/{match['id']}").json())
    events = ann.get(path_of(match)).json()["events"]
    assert len(events) > 3
    assert not any("own" in event for event in events)


def test_only_what_a_player_did_themselves_is_addressed_to_them(client: Client) -> None:
    """Not what a former player of the seat did."""
    ann, bob, match = two_at_a_table(client)
    say(bob, match, 1, "I must go.")
    path = f"/matches/{match['id']}"
    assert bob.post(f"{path}/leave", {"stand_in": "nobody"}).status_code == 200
    cid = Person(client, "Cid")
    invite = ann.get(path).json()["invite"]
    assert cid.post(f"{path}/join", {"invite": invite}).status_code == 200
    say(cid, match, 1, "Hello.")
    assert english(cid, match, "SeatTaken") == [
        ("Bob joined.", None),
        ("Cid joined.", "You joined."),
    ]
    assert english(cid, match, "Said") == [
        ("Bob: I must go.", None),
        ("Cid: Hello.", "You: Hello."),
    ]
    assert french(cid, match, "Said") == [
        ("Bob\xa0: I must go.", None),
        ("Cid\xa0: Hello.", "Vous\xa0: Hello."),
    ]
    assert english(ann, match, "Said") == [("Bob: I must go.", None), ("Cid: Hello.", None)]


def public_texts(person: Person, match: Any, language: str) -> set[tuple[str, str, str]]:
    """Return text, own and public text of the choices that are still secret."""
    headers = {**person.headers, "Accept-Language": language}
    events = person.client.get(f"/api{path_of(match)}", headers=headers).json()["events"]
    return {
        (event["text"], event["own"], event["public"])
        for event in events
        if event["type"] == "BidMade" and "public" in event
    }


def test_public_text_of_a_secret_is_addressed(client: Client) -> None:
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    match = ann.open("me", "open", game="caravane")
    joined = bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    assert joined.status_code == 200, joined.text
    match = ann.get(f"/matches/{match['id']}").json()
    bid = next(
        choice["command"]
        for choice in ann.choices(match, 0)
        if choice["command"] == {"type": "Bid", "gourds": 2, "bag": False}
    )
    assert ann.play(match, 0, bid).status_code == 200
    assert public_texts(ann, match, "en") == {("Ann bid 2.", "You bid 2.", "You’re ready.")}
    assert public_texts(ann, match, "fr") == {("Ann mise 2.", "Vous misez 2.", "Vous avez choisi.")}
    assert english(bob, match, "BidMade") == [("Ann is ready.", None)]
    assert french(bob, match, "BidMade") == [("Ann a choisi.", None)]


@pytest.mark.slow
@pytest.mark.parametrize("on_end", ["bot_takes", "vote"])
def test_who_lost_the_seat_is_named_until_they_have_it_back(
    house: House,
    on_end: str,
) -> None:
    (ann, bob), match = at_a_table(house, "Ann", "Bob", on_end=on_end)
    path = f"/matches/{match['id']}"
    say(ann, match, 0, "Hello.")
    house.pass_by(2 * DAY_MS)
    if on_end == "vote":
        answer = bob.post(f"{path}/vote", {"seat": 1, "about": 0, "bot": True})
        assert answer.status_code == 200, answer.text
        told = "voted to replace Ann with a bot."
        assert english(bob, match, "Voted") == [(f"Bob {told}", f"You {told}")]
        assert english(ann, match, "Voted") == [(f"Bob {told}", None)]
    assert not any("own" in event for event in ann.get(path_of(match)).json()["events"])
    until(lambda: seen(bob, match)["to_act"] == [1], house)

    assert ann.post(f"{path}/reclaim", {"seat": 0}).status_code == 200
    told = "took the seat back from the bot."
    assert english(bob, match, "SeatReclaimed") == [(f"Ann {told}", None)]
    assert english(ann, match, "SeatReclaimed") == [
        (f"Ann {told}", "You took your seat back from the bot.")
    ]
    assert french(ann, match, "SeatReclaimed") == [
        ("Ann a repris sa place au bot.", "Vous avez repris votre place au bot.")
    ]
    assert english(ann, match, "Said") == [("Ann: Hello.", "You: Hello.")]
    moves = english(ann, match, "CaravanStarted")
    assert moves
    assert all(own is None for _, own in moves), "the bot made them"
