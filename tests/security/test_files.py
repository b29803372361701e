"""Imported files: what they may contain, what they may trigger, what they prove."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from domain.contract.registry import TITLES
from domain.match.commands import Say
from domain.match.fork import create_fork
from domain.match.seating import MAX_MESSAGES
from domain.match.seats import Refused
from domain.match.timeline import MAX_DECISIONS, Timeline
from domain.matchfile.codec import codec_of
from domain.matchfile.schema import (
    EARLIEST_MS,
    LATEST_MS,
    MAX_CLOCK_SKEW_MS,
    MAX_LIST_ENTRIES,
    MAX_NUMBER,
    BadFile,
)
from domain.matchfile.verification import prove, transcript_entries
from domain.matchfile.writer import export_match
from domain.text.text_rules import MAX_MESSAGE_CHARS, MAX_NAME_CHARS
from domain.toolkit.randomness import draws_from_seed
from service.common.clock import now_ms
from service.matches.options import check_options
from tests.game_contract.play import opened, play
from tests.security.files import (
    GAMES,
    finished_file,
    moves,
    plain,
    running,
    sealed,
    unfinished_file,
)
from tests.service.people import Client, Person

Document = dict[str, Any]
Change = Callable[[Document], None]


def at_move(document: Document) -> Document:
    """Return a decision in the middle."""
    decision: Document = document["decisions"][moves(document)[3]]
    return decision


def opening(document: Document) -> list[Document]:
    """Return the opening twice: as a command and as an event."""
    first = document["decisions"][0]
    return [first["command"], first["events"][0]]


def clock_of(value: int) -> Change:
    def change(document: Document) -> None:
        at_move(document)["at"] = value

    return change


def backwards(document: Document) -> None:
    at_move(document)["at"] = EARLIEST_MS


def field_of_the_opening(name: str, value: Any) -> Change:
    def change(document: Document) -> None:
        for part in opening(document):
            part[name] = value

    return change


def of_a_seat(name: str, value: Any) -> Change:
    def change(document: Document) -> None:
        for part in opening(document):
            part["seats"][0][name] = value

    return change


def of_a_move(name: str, value: Any) -> Change:
    def change(document: Document) -> None:
        at_move(document)[name] = value

    return change


def of_the_head(name: str, value: Any) -> Change:
    def change(document: Document) -> None:
        document[name] = value

    return change


def in_the_command(value: Any) -> Change:
    def change(document: Document) -> None:
        at_move(document)["command"]["more"] = value

    return change


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def origin(**more: Any) -> Document:
    return {"match": "some-match", "version": 10, "draws": 0, **more}


def commitment(text: str) -> Change:
    def change(document: Document) -> None:
        document["fairness"]["commitment"] = text
        field_of_the_opening("commitment", text)(document)

    return change


HOSTILE: dict[str, tuple[Change, str]] = {
    "clock 2**63": (clock_of(2**63), "future|int"),
    "clock 2**62": (clock_of(2**62), "in the future"),
    "clock -2**62": (clock_of(-(2**62)), "before 2020"),
    "clock 2**70": (clock_of(2**70), "int|in the future"),
    "clock 0": (clock_of(0), "before 2020"),
    "clock of 2101": (clock_of(LATEST_MS + 1), "in the future"),
    "clock of tomorrow": (clock_of(now_ms() + 86_400_000), "in the future"),
    "clock runs backwards": (backwards, "earlier"),
    "no clock": (of_a_move("at", "noon"), "int"),
    "fork of version 2**63": (field_of_the_opening("forked_from", origin(version=2**63)), "range"),
    "fork of version 0": (field_of_the_opening("forked_from", origin(version=0)), "versions"),
    "fork of another's file": (field_of_the_opening("forked_from", origin(match="../x")), "origin"),
    "fork with -1 draws": (field_of_the_opening("forked_from", origin(draws=-1)), "negative"),
    "fork with 2**31 draws": (field_of_the_opening("forked_from", origin(draws=2**31)), "range"),
    "fork with draws of nowhere": (
        field_of_the_opening("forked_from", origin(draws=MAX_NUMBER)),
        "can’t inherit",
    ),
    "rules of version 0": (of_the_head("rules_version", 0), "rules"),
    "rules of version 2**63": (of_the_head("rules_version", 2**63), "rules"),
    "seat 16": (of_a_move("seat", 16), "seat"),
    "seat -1": (of_a_move("seat", -1), "seat"),
    "seat 2**40": (of_a_move("seat", 2**40), "range"),
    "nobody's move": (of_a_move("seat", None), "seat"),
    "version 0": (of_a_move("version", 0), "version"),
    "version 2**63": (of_a_move("version", 2**63), "range"),
    "a draw of 0 outcomes": (of_a_move("draws", [[0, 0]]), "invalid draw"),
    "a draw out of range": (of_a_move("draws", [[6, 6]]), "invalid draw"),
    "a draw of 2**64": (of_a_move("draws", [[2**64, 1]]), "range"),
    "many draws": (of_a_move("draws", [[6, 1]] * (MAX_LIST_ENTRIES + 1)), "entries"),
    "no events": (of_a_move("events", []), "no events"),
    "many events": (of_a_move("events", [{"type": "MatchStarted"}] * 1001), "entries"),
    "a stranger's field": (of_a_move("more", 1), "unknown field"),
    "a stranger's field on top": (of_the_head("more", 1), "unknown field"),
    "a long text": (in_the_command("x" * (MAX_MESSAGE_CHARS + 1)), "too long"),
    "a bell": (in_the_command("a\x07b"), "unprintable"),
    "a depth of 11": (in_the_command(deep(11)), "deep"),
    "a fraction": (in_the_command(0.5), "whole"),
    "a long name": (of_a_seat("name", "x" * (MAX_NAME_CHARS + 1)), "name"),
    "a name of 5,000 letters": (of_a_seat("name", "x" * 5_000), "too long"),
    "a name turned round": (of_a_seat("name", "Ann\u202eeve"), "unprintable"),
    "a name with an escape": (of_a_seat("name", "\x1b[2JAnn"), "unprintable"),
    "a blank name": (of_a_seat("name", " "), "name"),
    "a robot": (of_a_seat("kind", "robot"), "kind"),
    "a player that is none of the file's": (of_a_seat("player", "player-99"), "numbered"),
    "a player with the id of a real one": (of_a_seat("player", "3f6c1c44"), "numbered"),
    "an owner that is none": (field_of_the_opening("owner", "player-2"), "numbered"),
    "a human without a player": (of_a_seat("player", None), "held"),
    "a seat that is open when the game begins": (of_a_seat("kind", "open"), "can’t start"),
    "a bot with a player": (of_a_seat("kind", "bot"), "held"),
    "another visibility": (field_of_the_opening("visibility", "secret"), "visibility"),
    "seventeen seats": (
        field_of_the_opening("seats", [{"kind": "open", "name": "", "player": None}] * 17),
        "seats",
    ),
    "an id of another shape": (of_the_head("id", "../../etc"), "wrong format"),
    "a long id": (of_the_head("id", "x" * 65), "wrong format"),
    "another status": (of_the_head("status", "lost"), "status"),
    "less than nothing hidden": (of_the_head("hidden", -1), "hidden"),
    "a commitment that is none": (commitment("zz" * 32), "hex"),
    "a seed that is none": (of_the_head("fairness", {"commitment": "00" * 32, "seed": "1"}), "hex"),
    "no decisions": (of_the_head("decisions", []), "no decisions"),
    "too many decisions": (of_the_head("decisions", [{}] * (MAX_DECISIONS + 1)), "decisions"),
    "a decision that is none": (of_the_head("decisions", [7]), "object"),
}


def changed(game: str, change: Change) -> Document:
    document = finished_file(game)
    change(document)
    return sealed(document)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", HOSTILE)
def test_invalid_content_is_rejected_with_a_reason(game: str, name: str) -> None:
    """Everything in a file has a strict schema: numbers, clocks, names, lists, depth, shapes."""
    change, reason = HOSTILE[name]
    with pytest.raises(BadFile) as error:
        prove(changed(game, change), check_options, now_ms())
    said = str(error.value)
    assert re.search(reason, said), said
    assert said.isprintable()
    assert len(said) < 400


@pytest.mark.parametrize("game", GAMES)
def test_the_service_refuses_them_and_goes_on(client: Client, game: str) -> None:
    """422 ``bad_file`` names the decision; lists, health and another match are unaffected.

    ``prove`` refuses every hostile file of every game above; here one game has all of them.
    """
    ann, eve = Person(client, "Ann"), Person(client, "Eve")
    match = ann.open("me", "me")
    for name, (change, _) in [*HOSTILE.items()][:: 1 if game == GAMES[0] else 6]:
        answer = eve.post("/matches/import", changed(game, change))
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_file"), name
    late = eve.post("/matches/import", changed(game, clock_of(2**62))).json()
    assert late["decision"] == moves(finished_file(game))[3]
    assert eve.get("/matches").json()["items"] == []
    assert ann.get(f"/matches/{match['id']}").status_code == 200
    assert [item["id"] for item in ann.get("/matches").json()["items"]] == [match["id"]]
    assert client.get("/health/ready").status_code == 200


@pytest.mark.parametrize("game", GAMES)
def test_replayed_file_passes_the_same_schema(game: str) -> None:
    """``replay`` verifies nothing, but prints nothing unprintable or oversized."""
    assert len(list(transcript_entries(finished_file(game)))) == len(
        finished_file(game)["decisions"]
    )
    for name in ("a bell", "a name with an escape", "clock 2**63", "a depth of 11", "a long id"):
        with pytest.raises(BadFile):
            list(transcript_entries(changed(game, HOSTILE[name][0])))


def test_file_of_a_running_match_is_replayed_to_its_end() -> None:
    document = plain(export_match("some-match", running("caravane", people=5), 0))
    assert document["hidden"] > 0
    assert len(list(transcript_entries(document))) == len(document["decisions"])
    hidden = next(d for d in document["decisions"] if "hidden" in d)
    hidden["events"][0]["type"] = "\x1b]0;x\x07"
    with pytest.raises(BadFile) as error:
        list(transcript_entries(document))
    assert str(error.value).isprintable()


# --- unfinished files -----------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_an_unfinished_file_that_names_a_seed_is_refused(game: str) -> None:
    """Its maker could otherwise host a live match and know every future draw."""
    timeline = running(game)
    document = unfinished_file(game)
    seed = timeline.latest.opened.seed
    field_of_the_opening("seed", seed)(document)
    with pytest.raises(BadFile, match="the seed differs from the one named in the file"):
        prove(sealed(document), check_options)
    document["fairness"]["seed"] = seed
    with pytest.raises(BadFile, match="only a finished game contains its seed"):
        prove(sealed(document), check_options)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_a_finished_file_cut_short_is_recognised(game: str, share: float) -> None:
    """A file with a seed and without the end is rejected, whatever status it claims."""
    document = finished_file(game)
    document["decisions"] = document["decisions"][: int(share * len(document["decisions"]))]
    with pytest.raises(BadFile, match="the file is truncated"):
        prove(sealed(document), check_options)
    document["status"] = "playing"
    with pytest.raises(BadFile, match="this file was truncated or forged"):
        prove(sealed(document), check_options)


@pytest.mark.parametrize("game", GAMES)
def test_an_unfinished_file_is_for_review_only(client: Client, game: str) -> None:
    """No codes, seats to join, moves, messages, undo, clock or bots."""
    ann, eve = Person(client, "Ann"), Person(client, "Eve")
    document = unfinished_file(game)
    # as in a fork: one seat claims to be a bot's, another open
    for part in opening(document):
        part["forked_from"] = origin()
        part["seats"][0] = {"kind": "open", "name": "", "player": None}
        part["seats"][1] = {"kind": "bot", "name": "Bot 1", "player": None}
    match = eve.post("/matches/import", sealed(document))
    assert match.status_code == 201, match.text
    match = match.json()
    path = f"/matches/{match['id']}"
    assert match["imported"] is True
    assert "invite" not in match
    assert "share" not in match
    assert eve.get("/matches").json()["items"][0]["to_act"] == []
    assert eve.get("/matches").json()["items"][0]["your_turn"] is False
    for body in ({}, {"invite": "a" * 16}, {"seat": 1}):
        assert ann.post(f"{path}/join", body).status_code == 404
        assert eve.post(f"{path}/join", {"seat": 0}).json()["code"] == "imported"
    seat = next((i for i, s in enumerate(match["seats"]) if s["you"]), None)
    version = {"seat": seat, "expected_version": match["version"]}
    calls: list[tuple[str, Document]] = [
        ("/commands", {**version, "commands": [{"type": "X"}]}),
        ("/undo", version),
        ("/redo", version),
        ("/undo/answer", {"seat": seat, "accept": True}),
        ("/say", {"seat": seat, "text": "hello"}),
        ("/leave", {"seat": seat}),
    ]
    for call, body in calls if seat is not None else ():
        assert eve.post(path + call, body).json()["code"] == "imported", call
    assert seat is not None or len(match["seats"]) == 2
    assert eve.get(f"{path}/invite.svg").status_code == 409
    views = client.app.services.lists.read_models
    client.app.services.lists.projector.catch_up()
    assert views.due_matches(LATEST_MS) == []
    assert eve.get(path).json()["version"] == match["version"]


def test_public_unfinished_import_cannot_be_joined(client: Client) -> None:
    """The command line imports files as public; none of them becomes playable."""
    import uuid

    from domain.matchfile.verification import verify
    from service.matches.seating import replace_owner
    from service.store import StoredDecision

    document = unfinished_file("caravanserai")
    for part in opening(document):
        part["forked_from"] = origin()
        part["seats"][1] = {"kind": "open", "name": "", "player": None}
    found = verify(sealed(document), check_options)
    key = uuid.uuid4()
    public = replace_owner(found, "nobody", str(key), "public")
    client.app.services.store.save_decisions(
        [StoredDecision(key, "caravanserai", d) for d in public.decisions]
    )
    ann = Person(client)
    assert ann.get(f"/matches/{key}").json()["imported"] is True
    assert ann.post(f"/matches/{key}/join", {"seat": 1}).json()["code"] == "imported"


def test_a_fork_of_an_unfinished_file_has_a_fresh_seed(client: Client) -> None:
    """Two forks of one file draw differently, and nobody knows the seed before the end."""
    ann = Person(client)
    match = ann.post("/matches/import", unfinished_file("caravanserai")).json()
    forks = []
    for _ in range(2):
        made = ann.post(f"/matches/{match['id']}/fork", {"at": match["version"]})
        assert made.status_code == 201, made.text
        forks.append(made.json())
        assert "imported" not in made.json()
        assert ann.step(made.json())["version"] > made.json()["version"]
    commitments = {fork["fairness"]["commitment"] for fork in forks}
    assert len(commitments | {match["fairness"]["commitment"]}) == 3
    invited = {"at": match["version"], "seats": [{"kind": "me"}, {"kind": "open"}]}
    assert "invite" in ann.post(f"/matches/{match['id']}/fork", invited).json()


@pytest.mark.parametrize("game", ["caravane", "caravanserail"])
def test_importer_who_knows_all_secrets_plays_alone(client: Client, game: str) -> None:
    """A file in which everything is visible reveals all cards of the others to its importer."""
    ann = Person(client)
    match = ann.post("/matches/import", unfinished_file(game)).json()
    seats = [{"kind": "me"}, *[{"kind": "bot"}] * (len(match["seats"]) - 1)]
    path = f"/matches/{match['id']}/fork"
    open_seat = {"at": match["version"], "seats": [*seats[:-1], {"kind": "open"}]}
    refused = ann.post(path, open_seat)
    assert (refused.status_code, refused.json()["code"]) == (409, "secrets_known")
    assert ann.post(path, {"at": match["version"], "seats": seats}).status_code == 201
    assert ann.post(path, {"at": match["version"]}).status_code == 201


# --- draws of forks -----------------------------------------------------------------------------


def forked(game: str) -> Timeline:
    """Return a fork of a running match after some moves."""
    import random

    from tests.game_contract.play import random_steps

    timeline = running(game)
    other = opened(_table(timeline), 99, people=1).decisions[0].command
    branch = Timeline(timeline.rules, create_fork(timeline, timeline.version, "parent", other))
    for _ in random_steps(branch, random.Random(3), 100_000):
        pass
    assert branch.latest.status == "finished"
    return branch


def _table(timeline: Timeline) -> tuple[str, int, dict[str, Any]]:
    opened_ = timeline.latest.opened
    return opened_.game, len(opened_.seats), opened_.options


@pytest.mark.parametrize("game", GAMES)
def test_fork_states_its_number_of_unproven_draws(game: str) -> None:
    """Inherited draws are counted separately; all others follow from the fork's own seed."""
    branch = forked(game)
    proof = prove(plain(export_match("branch", branch, None)), check_options)
    brought = branch.latest.opened.forked_from
    assert brought is not None
    assert proof.inherited == brought.draws
    assert proof.inherited + proof.proved == proof.drawn == branch.latest.drawn
    whole = prove(finished_file(game), check_options)
    assert (whole.inherited, whole.proved) == (0, whole.drawn)
    assert whole.drawn > 0 or game == "caravane", "the one game without chance"


@pytest.mark.parametrize("game", GAMES)
def test_fork_cannot_claim_more_draws_than_its_moves(game: str) -> None:
    """``forked_from.draws`` cannot disable verification for draws after the fork."""
    document = plain(export_match("branch", forked(game), None))
    brought = opening(document)[0]["forked_from"]
    total = sum(len(d["draws"]) for d in document["decisions"])
    for draws in {brought["draws"] + 1, total, total + 1, MAX_NUMBER} - {brought["draws"]}:
        forged = plain(document)
        for part in opening(forged):
            part["forked_from"]["draws"] = draws
        with pytest.raises(BadFile, match=r"can’t inherit|doesn’t match"):
            prove(sealed(forged), check_options)


def test_a_whole_file_cannot_pose_as_inherited() -> None:
    """A match with chosen draws that claims to be a fork."""
    document = finished_file("caravane")
    for part in opening(document):
        part["forked_from"] = origin(version=MAX_NUMBER, draws=1)
    with pytest.raises(BadFile, match="can’t inherit"):
        prove(sealed(document), check_options)


# --- limits that hold for live matches too -------------------------------------------------------


def test_live_chat_has_the_limits_of_files() -> None:
    """Live matches and files have the same limits."""
    timeline = running("caravanserai")
    for _ in range(MAX_MESSAGES):
        play(timeline, 0, Say("word"))
    with pytest.raises(Refused) as error:
        timeline.act(0, [Say("word")], 0, draws_from_seed)
    assert error.value.code == "talk_full"
    assert (
        prove(plain(export_match("some-match", timeline, 0)), check_options).timeline.latest.said
        == MAX_MESSAGES
    )


def test_live_match_has_the_size_limit_of_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    timeline = running("caravanserai")
    monkeypatch.setattr("domain.match.timeline.MAX_DECISIONS", len(timeline.decisions))
    seat = timeline.to_act(timeline.latest)[0]
    command = timeline.rules.choices(timeline.latest.state, seat)[0]
    with pytest.raises(Refused) as error:
        timeline.act(seat, [command], 0, draws_from_seed)
    assert error.value.code == "match_full"


@pytest.mark.parametrize("game", GAMES)
def test_the_clock_of_a_match_never_runs_backwards(game: str) -> None:
    """A clock set back would make a file that is rejected later."""
    timeline = running(game)
    last = timeline.decisions[-1].at
    seat = timeline.to_act(timeline.latest)[0]
    command = timeline.rules.choices(timeline.latest.state, seat)[0]
    (made, *_) = timeline.act(seat, [command], last - 60_000, draws_from_seed)
    assert made.at == last


def test_a_file_of_a_service_whose_clock_is_a_little_ahead_is_taken() -> None:
    document = finished_file("caravanserai")
    last = document["decisions"][-1]["at"]
    prove(document, check_options, last - MAX_CLOCK_SKEW_MS)
    with pytest.raises(BadFile, match="in the future"):
        prove(document, check_options, last - MAX_CLOCK_SKEW_MS - 1)


def test_every_title_has_files_here() -> None:
    for game in TITLES:
        assert codec_of(game).title.slug == finished_file(game)["game"]
