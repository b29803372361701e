"""Private data of a player is sent to nobody else."""

from datetime import timedelta
from typing import Any

import pytest
from icalendar import Calendar

from tests.service.people import Client, Person, two_at_a_table
from tests.service.test_rematch import LANE, over

SECRET = "purple-elephant-plan"


def put(person: Person, path: str, body: Any) -> Any:
    return person.client.put(f"/api{path}", json=body, headers=person.headers)


def people(person: Person) -> dict[str, Any]:
    return {one["name"]: one for one in person.get("/players/me/people").json()["items"]}


def stance(person: Person, name: str, *, muted: bool = False, blocked: bool = False) -> Any:
    known = people(person)[name]["id"]
    answer = put(person, f"/players/me/people/{known}", {"muted": muted, "blocked": blocked})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_read_position_is_shared_between_devices(any_client: Client) -> None:
    ann, bob, match = two_at_a_table(any_client)
    path = f"/matches/{match['id']}"
    assert ann.get(f"{path}/own").json() == {"seen": None, "note": ""}
    assert put(ann, f"{path}/seen", {"version": 2}).json()["seen"] == 2
    assert put(ann, f"{path}/seen", {"version": 1}).json()["seen"] == 2
    beyond = put(ann, f"{path}/seen", {"version": 9999}).json()["seen"]
    assert beyond == match["version"]
    assert bob.get(f"{path}/own").json()["seen"] is None


def test_unread_messages_are_counted_per_recipient(any_client: Client) -> None:
    names = ("Ann", "Bea", "Cid")
    ann, bea, cid = (Person(any_client, name) for name in names)
    match = ann.open("me", "open", "open")
    for person in (bea, cid):
        match = person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]}).json()
    path = f"/matches/{match['id']}"
    for person in (ann, bea, cid):
        put(person, f"{path}/seen", {"version": match["version"]})
    ann.post(f"{path}/say", {"seat": 0, "text": "to all"})
    ann.post(f"{path}/say", {"seat": 0, "text": "psst", "to": 1})

    def unread(person: Person) -> Any:
        return person.get("/matches").json()["items"][0].get("unread")

    assert [unread(person) for person in (ann, bea, cid)] == [None, 2, 1]
    stance(cid, "Ann", muted=True)
    assert unread(cid) is None
    put(bea, f"{path}/seen", {"version": 10**6})
    assert unread(bea) is None


def test_a_note_to_oneself_reaches_nobody_else(any_client: Client) -> None:
    ann, bob, match = two_at_a_table(any_client)
    path = f"/matches/{match['id']}"
    written = put(ann, f"{path}/note", {"text": f"{SECRET}\nsecond line"})
    assert written.json()["note"] == f"{SECRET}\nsecond line"
    assert ann.get(f"{path}/own").json()["note"].endswith("second line")
    share = match["share"]
    for rest in ("", "/own", "/events", "/export", "/choices?seat=1", "/review", "/feed.atom"):
        for caller in (bob.headers, {}):
            answer = any_client.get(f"/api{path}{rest}", headers=caller, params={"share": share})
            assert SECRET not in answer.text, rest
    assert SECRET not in ann.get(f"{path}/export").text
    assert put(ann, f"{path}/note", {"text": "x" * 2001}).status_code == 422
    assert put(ann, f"{path}/note", {"text": ""}).json()["note"] == ""
    eve = Person(any_client, "Eve")
    assert put(eve, f"{path}/note", {"text": "hello"}).status_code == 404


def test_history_counts_matches_and_wins_by_game(any_client: Client) -> None:
    (ann, bob), match = over(any_client, "Ann", "Bob")
    first = [s["seat"] for s in match["standings"] if s["rank"] == 1]
    for seat, person in enumerate((ann, bob)):
        (game,) = person.get("/players/me/history").json()["games"]
        score = next(s["score"] for s in match["standings"] if s["seat"] == seat)
        assert game == {
            "game": "conquest",
            "matches": 1,
            "won": int(seat in first),
            "best": score,
        }
    assert Person(any_client).get("/players/me/history").json() == {"games": []}


def test_seat_can_be_held_for_a_former_opponent(any_client: Client) -> None:
    ann, bob, _ = two_at_a_table(any_client)
    known = people(ann)
    assert list(known) == ["Bob"]
    assert bob.id not in str(known)
    body = {
        "game": "caravanserai",
        "seats": [{"kind": "me"}, {"kind": "open", "person": known["Bob"]["id"]}],
    }
    match = ann.post("/matches", body)
    assert match.status_code == 201, match.text
    assert match.json()["seats"][1]["held_for"] == "other"
    eve = Person(any_client, "Eve")
    taken = eve.post(
        f"/matches/{match.json()['id']}/join", {"invite": match.json()["invite"], "seat": 1}
    )
    assert taken.json()["code"] == "seat_held"
    assert bob.post(f"/matches/{match.json()['id']}/join", {}).json()["status"] == "playing"
    # Ann's note on Bob is not visible to others.
    assert eve.post("/matches", body).json()["code"] == "no_such_person"


def test_muted_person_is_hidden_until_unmuted(any_client: Client) -> None:
    ann, bob, match = two_at_a_table(any_client)
    path = f"/matches/{match['id']}"
    bob.post(f"{path}/say", {"seat": 1, "text": SECRET})
    assert SECRET in ann.get(f"{path}/events").text
    stance(ann, "Bob", muted=True)
    heard = ann.get(f"{path}/events")
    assert SECRET not in heard.text
    versions = [event["version"] for event in heard.json()["events"]]
    assert versions == list(range(1, heard.json()["version"] + 1))
    assert SECRET in bob.get(f"{path}/events").text
    # The file is the full record, so that a harassed player can show it.
    assert SECRET in ann.get(f"{path}/export").text
    stance(ann, "Bob")
    assert SECRET in ann.get(f"{path}/events").text


def test_blocked_person_can_neither_join_nor_invite(any_client: Client) -> None:
    (ann, bob), match = over(any_client, "Ann", "Bob")
    stance(ann, "Bob", blocked=True)
    table = ann.open("me", "open", visibility="public")
    refused = bob.post(f"/matches/{table['id']}/join", {})
    assert (refused.status_code, refused.json()["code"]) == (403, "not_welcome")
    again = bob.post(f"/matches/{match['id']}/rematch")
    assert again.status_code == 201
    assert "rematch" not in ann.get(f"/matches/{match['id']}").json()
    assert ann.get("/matches", scope="invited").json()["items"] == []
    assert people(ann)["Bob"]["blocked"]
    stance(ann, "Bob")
    assert ann.get("/matches", scope="invited").json()["items"][0]["id"] == again.json()["id"]
    assert bob.post(f"/matches/{table['id']}/join", {}).status_code == 200


def test_longest_waiting_match_comes_first_across_pages(any_client: Client) -> None:
    ann, bob = Person(any_client, "Ann"), Person(any_client, "Bob")
    made = []
    for number in range(24):
        match = ann.open("me", "open")
        bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
        made.append(match["id"])
        if number == 3:
            ann.open("me", "open")  # waits for a guest, not for Ann
    ids: list[str] = []
    cursor = {}
    while True:
        page = ann.get("/matches", sort="turn", **cursor).json()
        ids += [item["id"] for item in page["items"]]
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
    assert ids[:24] == made
    assert len(ids) == len(set(ids)) == 25


def test_deadlines_are_a_calendar_at_a_revocable_address(any_client: Client) -> None:
    ann, bob = Person(any_client, "Ann"), Person(any_client, "Bob; DROP, \\ é" + "é" * 20)
    options = {"pace": {"kind": "days", "days": 3}}
    match = ann.open("me", "open", **options)
    bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    other = ann.open("me", "bot")
    made = ann.post("/players/me/calendar")
    assert made.status_code == 201
    address = made.json()["url"].partition("//")[2].partition("/")[2]
    found = any_client.get(f"/{address}")
    assert found.headers["content-type"] == "text/calendar; charset=utf-8"
    text = found.content.decode()
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    lines = text.replace("\r\n ", "").split("\r\n")
    assert lines.count("BEGIN:VEVENT") == 1
    assert f"UID:{match['id']}@caravanserai" in lines
    assert other["id"] not in text
    deadline = ann.get(f"/matches/{match['id']}").json()["clock"]["seats"][0]["ends"]
    compact = deadline[:19].replace("-", "").replace(":", "") + "Z"
    assert f"DTSTART:{compact}" in lines
    assert any(r"Bob\; DROP\, \\ é" in line for line in lines)
    assert "url" not in str(ann.get("/players/me/calendar").json().get("url") or "")
    renewed = ann.post("/players/me/calendar").json()["url"].partition("//")[2].partition("/")[2]
    assert any_client.get(f"/{address}").status_code == 404
    assert any_client.get(f"/{renewed}").status_code == 200
    any_client.delete("/api/players/me/calendar", headers=ann.headers)
    assert any_client.get(f"/{renewed}").json()["code"] == "no_such_calendar"


def test_a_calendar_reminds_of_each_deadline(client: Client) -> None:
    """Parsed by an independent iCalendar parser (RFC 5545)."""
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    match = ann.open("me", "open", pace={"kind": "days", "days": 3})
    bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    address = ann.post("/players/me/calendar").json()["url"]
    found = client.get("/" + address.partition("//")[2].partition("/")[2])
    calendar = Calendar.from_ical(found.content)
    (event,) = calendar.walk("VEVENT")
    alarms = event.walk("VALARM")
    assert [alarm["ACTION"] for alarm in alarms] == ["DISPLAY", "DISPLAY"]
    assert all(alarm["DESCRIPTION"] for alarm in alarms)
    before = [alarm.decoded("TRIGGER") for alarm in alarms]
    assert before == [-timedelta(hours=6), -timedelta(hours=1)]
    assert not [each.errors for each in calendar.walk() if each.errors]


@pytest.mark.parametrize("what", ["calendar", "feed"])
def test_unchanged_feed_is_not_sent_again(client: Client, what: str) -> None:
    ann = Person(client, "Ann")
    match = ann.open("me", "me", pace={"kind": "days", "days": 3})
    path = f"/api/matches/{match['id']}/feed.atom"
    if what == "calendar":
        address = ann.post("/players/me/calendar").json()["url"]
        path = "/" + address.partition("//")[2].partition("/")[2]
    first = client.get(path, headers=ann.headers)
    etag = first.headers["etag"]
    for known in (etag, f'"other", W/{etag}', "*"):
        again = client.get(path, headers={**ann.headers, "If-None-Match": known})
        assert (again.status_code, again.content) == (304, b""), known
        assert again.headers["etag"] == etag
    ann.step(match)
    changed = client.get(path, headers={**ann.headers, "If-None-Match": etag})
    assert changed.status_code == 200
    assert changed.headers["etag"] != etag


def test_feed_contains_what_a_spectator_may_see(client: Client) -> None:
    from xml.etree import ElementTree

    people = [Person(client, name) for name in ("Ann <b>&", "Bea", "Cid")]
    match = people[0].open("me", "open", "open")
    for person in people[1:]:
        joined = person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    share = people[0].get(f"/matches/{match['id']}").json()["share"]
    path = f"/api/matches/{match['id']}/feed.atom"
    people[0].post(f"/matches/{match['id']}/say", {"seat": 0, "text": SECRET, "to": 1})
    people[0].post(f"/matches/{match['id']}/say", {"seat": 0, "text": "<script> & all"})
    assert joined.status_code == 200
    assert client.get(path).status_code == 404
    found = client.get(path, params={"share": share})
    assert found.headers["content-type"] == "application/atom+xml; charset=utf-8"
    assert SECRET not in found.text
    # Even a player's feed reader gets what spectators get.
    assert SECRET not in client.get(path, headers=people[1].headers).text
    tree = ElementTree.fromstring(found.content)
    space = "{http://www.w3.org/2005/Atom}"
    titles = [each.findtext(f"{space}title") for each in tree.findall(f"{space}entry")]
    assert any(title and "<script> & all" in title for title in titles)
    ids = [each.findtext(f"{space}id") for each in tree.findall(f"{space}entry")]
    assert len(ids) == len(set(ids)) > 2
    link = tree.find(f"{space}link")
    assert link is not None
    assert f"share={share}" in str(link.get("href"))


@pytest.mark.parametrize("person", ["nonsense", "0" * 24])
def test_strangers_cannot_be_muted_or_blocked(client: Client, person: str) -> None:
    answer = put(Person(client), f"/players/me/people/{person}", {"muted": True, "blocked": False})
    assert answer.json()["code"] == "no_such_person"


def test_people_in_an_imported_file_are_unknown_players(client: Client) -> None:
    (ann, _), match = over(client, "Ann", "Bob")
    eve = Person(client, "Eve")
    file = ann.get(f"/matches/{match['id']}/export").json()
    assert eve.post("/matches/import", file).status_code == 201
    assert people(eve) == {}
    assert LANE


def test_feed_leaves_out_messages_of_muted_people(client: Client) -> None:
    """A feed reader sends no cookie: its address identifies whose feed it is."""
    ann, bob, match = two_at_a_table(client)
    bob.post(f"/matches/{match['id']}/say", {"seat": 1, "text": SECRET})
    path = f"/api/matches/{match['id']}/feed.atom"
    share = ann.get(f"/matches/{match['id']}").json()["share"]
    own = ann.get(f"/matches/{match['id']}/feed").json()["reader"]
    assert own
    assert own != bob.get(f"/matches/{match['id']}/feed").json()["reader"]
    address = {"share": share, "reader": own}
    assert SECRET in client.get(path, params=address).text
    stance(ann, "Bob", muted=True)
    assert SECRET not in client.get(path, headers=ann.headers).text
    assert SECRET not in client.get(path, params=address).text
    assert SECRET in client.get(path, headers=bob.headers).text
    assert SECRET in client.get(path, params={"share": share, "reader": "nonsense"}).text
    assert client.get(path, params={"reader": own}).status_code == 404, "it grants no access"
