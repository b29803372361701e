"""Real match files of every game, each changed in one place.

A mutant has a matching digest, so only the schema, the rules, the seed or the signature can tell.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from domain.contract.options import schema_of
from domain.contract.registry import TITLES
from domain.match.commands import Say, Undo
from domain.match.fork import create_fork
from domain.match.seats import Seat
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.matchfile.writer import compute_digest, content_to_sign
from domain.toolkit.randomness import compute_commitment
from service.matches.seating import build_open_command as opened_by
from service.matches.signing import key_id
from service.players.identity import Player
from service.store import Store, StoredDecision
from tests.game_contract.play import play, random_steps, to_the_end
from tests.service.people import Person

File = dict[str, Any]
Mutate = Callable[[File, random.Random], None]


# --- originals --------------------------------------------------------------------------------


def originals(person: Person, store: Store, rng: random.Random) -> list[File]:
    """Return exported files: finished, running and forked matches of every game."""
    files = []
    for slug in TITLES:
        timeline = _begun(person, slug)
        for _ in random_steps(timeline, rng, 9):
            pass
        _talked(timeline)
        files.append(_taken_home(person, store, timeline))
        to_the_end(timeline, rng)
        _talked(timeline)
        files.append(_taken_home(person, store, timeline))
        version = timeline.decisions[len(timeline.decisions) // 2].version
        opening = replace(timeline.decisions[0].command, seed=rng.randbytes(32).hex())
        opening = replace(opening, commitment=compute_commitment(bytes.fromhex(opening.seed)))
        branch = Timeline(timeline.rules, create_fork(timeline, version, str(uuid4()), opening))
        to_the_end(branch, rng)
        files.append(_taken_home(person, store, branch))
    # An export is rejected as a whole if its player may not see everything.
    return [file for file in files if not file["hidden"]]


def _begun(person: Person, slug: str) -> Timeline:
    """Return a match of two players and as many bots as needed, with an undone move."""
    title = TITLES[slug]
    count = min(n for n in title.seats if n > 1)
    seats = [Seat("human", "Ann", person.id), Seat("human", "Bea", "bea")]
    seats += [Seat("bot", f"Bot {i}") for i in range(1, count - 1)]
    options = {name: part["default"] for name, part in schema_of(title)["properties"].items()}
    owner = Player(person.id, "Ann")
    timeline = Timeline(codec_of(slug).rules)
    play(timeline, None, opened_by(title, options, tuple(seats), "public", owner))
    for _ in random_steps(timeline, random.Random(1), 12):
        seat = timeline.to_act(timeline.latest)[0]
        if timeline.undo_kind(seat).kind == "free" and timeline.version > 8:
            play(timeline, seat, Undo())
            break
    return timeline


def _talked(timeline: Timeline) -> None:
    play(timeline, 0, Say("Salt for dates?"))
    play(timeline, 1, Say("Not today.", 0))


def _taken_home(person: Person, store: Store, timeline: Timeline) -> File:
    key = uuid4()
    store.save_decisions(
        [StoredDecision(key, timeline.latest.opened.game, d) for d in timeline.decisions]
    )
    file: File = person.get(f"/matches/{key}/export").json()
    assert "signature" in file
    return file


# --- places in a file -------------------------------------------------------------------------


def _openings(file: File) -> list[File]:
    first = file["decisions"][0]
    return [first["command"], *first["events"]]


def _everywhere(node: Any) -> Iterator[tuple[Any, Any]]:
    """Yield all ``(container, key)`` of a document."""
    keys = list(node) if isinstance(node, dict) else range(len(node))
    for key in keys:
        yield node, key
        if isinstance(node[key], dict | list):
            yield from _everywhere(node[key])


def _somewhere(file: File, rng: random.Random, kind: Any = object) -> tuple[Any, Any]:
    """Pick a place of that kind, in the head of the file as often as in its long tail."""
    decisions = file["decisions"]
    part = rng.choice([file, {**file, "decisions": 0}, rng.choice(decisions), decisions[0]])
    found = [(n, k) for n, k in _everywhere(part) if isinstance(n[k], kind)]
    return rng.choice(found) if found else (file["decisions"][0], "version")


def _seat(file: File, rng: random.Random, **changes: Any) -> None:
    index = rng.randrange(len(_openings(file)[0]["seats"]))
    for opening in _openings(file):
        opening["seats"][index].update(changes)


def _renumbered(file: File) -> None:
    version = 1
    for decision in file["decisions"]:
        decision["version"] = version
        version += len(decision["events"])


# --- mutations -----------------------------------------------------------------------------------


def name(file: File, rng: random.Random) -> None:
    names = ["Eve", "", " ", "\u3164", "\x1b[31m", "x" * 5_000, "<b>", "Ann\u202e", "Bea"]
    _seat(file, rng, name=rng.choice(names))


def clock(file: File, rng: random.Random) -> None:
    kind = rng.randrange(4)
    decision = rng.choice(file["decisions"])
    if kind == 0:
        decision["at"] = rng.choice([2**63, -(2**62), 2**62, 0, -1, 2**53, 4 * 10**12])
    elif kind == 1:
        decision["at"] -= rng.choice([1, 10**6, 10**12])
    else:
        by = rng.choice([-1, 1, 60_000, -(10**9), 10**15])
        for each in file["decisions"]:
            each["at"] += by


def holder(file: File, rng: random.Random) -> None:
    _seat(file, rng, player=rng.choice(["player-1", "player-2", "player-3", "player-99", None, ""]))


def kind(file: File, rng: random.Random) -> None:
    index = rng.randrange(len(_openings(file)[0]["seats"]))
    turned = "bot" if _openings(file)[0]["seats"][index]["kind"] == "human" else "human"
    player = None if turned == "bot" else rng.choice(["player-1", "player-3"])
    for opening in _openings(file):
        opening["seats"][index].update(kind=turned, player=player)


def owner(file: File, rng: random.Random) -> None:
    who = rng.choice(["player-2", "player-3", "", "0" * 32])
    for opening in _openings(file):
        opening["owner"] = who


def visibility(file: File, rng: random.Random) -> None:
    seen = rng.choice(["private", "secret", ""])
    for opening in _openings(file):
        opening["visibility"] = seen


def origin(file: File, rng: random.Random) -> None:
    version = rng.choice([1, 5, 17, 2**31, 2**63, -1])
    made = {"match": str(uuid4()), "version": version, "draws": rng.choice([0, 3, 10**9, -1])}
    for opening in _openings(file):
        opening["forked_from"] = None if opening["forked_from"] and rng.random() < 0.5 else made


def cut_short(file: File, rng: random.Random) -> None:
    del file["decisions"][rng.randrange(1, len(file["decisions"])) :]
    if rng.random() < 0.7:
        file["status"] = "playing"
    if rng.random() < 0.7:
        file["fairness"].pop("seed", None)
        for opening in _openings(file):
            opening["seed"] = ""
    said = [d["command"] for d in file["decisions"] if d["command"]["type"] == "Say"]
    file["withheld"] = sum(1 for say in said if say["text"] == "")


def status(file: File, rng: random.Random) -> None:
    others = {"open", "playing", "finished", "over", ""} - {file["status"]}
    file["status"] = rng.choice(sorted(others))


def draws(file: File, rng: random.Random) -> None:
    drawn = [decision for decision in file["decisions"] if decision["draws"]]
    if not drawn:
        rng.choice(file["decisions"])["draws"].append([6, rng.randrange(6)])
        return
    pair = rng.choice(rng.choice(drawn)["draws"])
    pair[rng.randrange(2)] += rng.choice([1, -1, 2**40])


def command(file: File, rng: random.Random) -> None:
    node = rng.choice(file["decisions"][1:])["command"]
    other = rng.choice(file["decisions"][1:])["command"]
    field = rng.choice(list(node))
    node[field] = other.get(field, rng.choice([0, 1, None, "red", [0, 0]]))


def events(file: File, rng: random.Random) -> None:
    listed = rng.choice(file["decisions"])["events"]
    index = rng.randrange(len(listed))
    how = rng.randrange(3)
    if how == 0:
        listed.insert(index, msgspec.json.decode(msgspec.json.encode(listed[index])))
    elif how == 1:
        del listed[index]
    else:
        rng.shuffle(listed)
    if rng.random() < 0.5:
        _renumbered(file)


def decisions(file: File, rng: random.Random) -> None:
    listed = file["decisions"]
    index = rng.randrange(len(listed))
    how = rng.randrange(3)
    if how == 0:
        listed.insert(index, msgspec.json.decode(msgspec.json.encode(listed[index])))
    elif how == 1 and len(listed) > 1:
        del listed[index]
    else:
        other = rng.randrange(len(listed))
        listed[index], listed[other] = listed[other], listed[index]
    if rng.random() < 0.7:
        _renumbered(file)


def options(file: File, rng: random.Random) -> None:
    field = rng.choice([*_openings(file)[0]["options"], "unknown"])
    value = rng.choice([True, False, 2**63, -1, None, "", [], {}])
    for opening in _openings(file):
        opening["options"][field] = value


def number_of_match(file: File, rng: random.Random) -> None:
    file["id"] = rng.choice([str(uuid4()), "", "../../x", "x" * 10_000, "\x1b[2J"])


def talk(file: File, rng: random.Random) -> None:
    """Change text, sender or recipient of a message, add one or remove one."""
    said = [d for d in file["decisions"] if d["command"]["type"] == "Say"]
    if not said or rng.random() < 0.2:
        file["withheld"] = rng.choice([1, -1, 2**40, 7])
        return
    word = rng.choice(said)
    if rng.random() < 0.3:
        word.update(seat=None, command={"type": "Say", "text": "", "to": None})
        word["events"] = [{"type": "Said", "seat": None, "text": "", "to": None}]
        file["withheld"] += rng.choice([0, 1])
        return
    field = rng.choice(["text", "to"])
    value = rng.choice(["I lost.", "", "x" * 9_000, "\x1b[1m"] if field == "text" else [0, None, 9])
    for part in (word["command"], *word["events"]):
        part[field] = value


def versions(file: File, rng: random.Random) -> None:
    field = rng.choice(["format_version", "rules_version", "version"])
    node = rng.choice(file["decisions"]) if field == "version" else file
    node[field] = rng.choice([0, 2, 99, -1, 2**63, "1"])


def seeds(file: File, rng: random.Random) -> None:
    """Use a chosen seed, perhaps with the matching commitment."""
    seed = rng.choice([rng.randbytes(32).hex(), "00" * 32, "zz", ""])
    hashed = compute_commitment(bytes.fromhex(seed)) if len(seed) == 64 else "00" * 32
    with_hash = rng.random() < 0.6
    for part in (file["fairness"], *_openings(file)):
        part["seed"] = seed
        if with_hash:
            part["commitment"] = hashed
    for event in file["decisions"][-1]["events"]:
        if event["type"] == "SeedRevealed" and rng.random() < 0.8:
            event["seed"] = seed


def hidden_seed(file: File, rng: random.Random) -> None:
    for opening in _openings(file):
        opening["deal_commitment"] = rng.randbytes(32).hex()
        opening["deal_seed"] = rng.choice(["", "00" * 32])


def source(file: File, rng: random.Random) -> None:
    said = rng.choice(["", "file", "signed", "elsewhere"])
    for opening in _openings(file):
        opening["source"] = said


def extreme(file: File, rng: random.Random) -> None:
    node, key = _somewhere(file, rng, int)
    node[key] = rng.choice([2**63, 2**63 - 1, -(2**63), 2**62, 2**31, 2**70, -1, 10**9])


def another_type(file: File, rng: random.Random) -> None:
    node, key = _somewhere(file, rng)
    node[key] = rng.choice([None, 0, 1.5, True, "", "x", [], {}, [[]], {"type": "Say"}])


def unknown_field(file: File, rng: random.Random) -> None:
    node, key = _somewhere(file, rng, dict)
    node[key][rng.choice(["extra", "__class__", "type", "seed", ""])] = rng.choice([0, "x", {}])


def deep(file: File, rng: random.Random) -> None:
    node, key = _somewhere(file, rng)
    for _ in range(rng.choice([12, 60, 200])):
        node[key] = [node[key]] if rng.random() < 0.5 else {"x": node[key]}


def flood(file: File, rng: random.Random) -> None:
    node, key = _somewhere(file, rng, list)
    node[key] = node[key] * 300 or [0] * 3_000


MUTATIONS: tuple[Mutate, ...] = (
    name,
    clock,
    holder,
    kind,
    owner,
    visibility,
    origin,
    cut_short,
    status,
    draws,
    command,
    events,
    decisions,
    options,
    number_of_match,
    talk,
    versions,
    seeds,
    hidden_seed,
    source,
    extreme,
    another_type,
    unknown_field,
    deep,
    flood,
)


# --- treatment of the signature ------------------------------------------------------------------


def kept(_file: File, _rng: random.Random) -> None:
    """Keep the original signature."""


def stripped(file: File, _rng: random.Random) -> None:
    file.pop("signature", None)


def damaged(file: File, rng: random.Random) -> None:
    signature = file.get("signature")
    if not isinstance(signature, dict):
        return
    field = rng.choice(["algorithm", "key", "public", "value"])
    old = str(signature.get(field, ""))
    signature[field] = rng.choice([old[::-1] + "0", old[:-2], None, "", "00" * 32, 7])


def of_a_stranger(file: File, _rng: random.Random) -> None:
    """Sign with another key under the id of the service's key."""
    private = Ed25519PrivateKey.from_private_bytes(bytes(32))
    public = private.public_key().public_bytes_raw().hex()
    value = private.sign(content_to_sign(file)).hex()
    made = {"algorithm": "Ed25519", "key": key_id(public), "public": public, "value": value}
    file["signature"] = made


TREATMENTS: tuple[Mutate, ...] = (kept, stripped, stripped, damaged, of_a_stranger)


def mutant(original: bytes, rng: random.Random) -> tuple[str, str, File]:
    """Return the names of the mutation and of the signature treatment, and the mutant."""
    while True:
        file: File = msgspec.json.decode(original)
        mutate, treat = rng.choice(MUTATIONS), rng.choice(TREATMENTS)
        before = content_to_sign(file)
        mutate(file, rng)
        treat(file, rng)
        if content_to_sign(file) == before:
            continue  # the content is unchanged
        file["digest"] = compute_digest(
            {key: part for key, part in file.items() if key != "digest"}
        )
        return mutate.__name__, treat.__name__, file
