"""Chat in a match: messages to everybody, or private ones to a single seat."""

from tests.service.people import Client, Person


def seated(client: Client) -> tuple[list[Person], str]:
    people = [Person(client, name) for name in ("Ann", "Bea", "Cid")]
    match = people[0].open("me", "open", "open")
    for person in people[1:]:
        person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    return people, match["id"]


def words(person: Person, match: str) -> list[tuple[object, str]]:
    events = person.get(f"/matches/{match}/events", after=0).json()["events"]
    return [(e["seat"], e["text"]) for e in events if e["type"] == "Said"]


def test_private_message_reaches_two_seats_and_no_spectator(client: Client) -> None:
    people, match = seated(client)
    answer = people[0].post(
        f"/matches/{match}/say", {"seat": 0, "text": "psst\u0000\nBea", "to": 1}
    )
    assert answer.status_code == 200
    assert words(people[0], match) == words(people[1], match) == [(0, "Ann: psst Bea")]
    assert words(people[2], match) == [(None, "A private message was sent.")]
    export = people[2].get(f"/matches/{match}/export").text
    assert "psst" not in export


def test_chat_does_not_conflict_with_moves(client: Client) -> None:
    """A message between reading and moving causes no version conflict and closes no proposal."""
    people, match = seated(client)
    seen = people[0].get(f"/matches/{match}").json()
    people[1].post(f"/matches/{match}/say", {"seat": 1, "text": "<b>hurry</b>"})
    command = people[0].choices(seen, 0)[0]["command"]
    assert people[0].play(seen, 0, command).status_code == 200
    assert people[2].play(seen, 2, command).status_code == 409
    assert words(people[2], match) == [(1, "Bea: <b>hurry</b>")]


def test_messages_need_an_own_seat_and_text(client: Client) -> None:
    people, match = seated(client)
    assert people[0].post(f"/matches/{match}/say", {"seat": 1, "text": "x"}).status_code == 403
    assert (
        people[0].post(f"/matches/{match}/say", {"seat": 0, "text": " \u200b "}).status_code == 422
    )
    assert (
        people[0].post(f"/matches/{match}/say", {"seat": 0, "text": "x", "to": 9}).status_code
        == 422
    )
