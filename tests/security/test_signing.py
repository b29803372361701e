"""Only the service's signature proves that a match was played here; a wrong one is always
rejected."""

import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Barrier
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from service.matches.signing import SigningKeys, key_id
from service.settings import Settings
from service.store import Store
from service.store_setup import open_store
from tests.domain.test_matchfile import sealed
from tests.service.apps import run_service
from tests.service.databases import DATABASES, fresh
from tests.service.people import Client, Person

ROOT = Path(__file__).parent.parent.parent
KEYS = "/.well-known/caravanserai-keys.json"
File = dict[str, Any]


def played(person: Person, moves: int = 10_000) -> str:
    match = person.open("me", visibility="public")
    while match["status"] == "playing" and moves > 0:
        match, moves = person.step(match, -1), moves - 1
    return str(match["id"])


def taken_home(person: Person, match_id: str) -> File:
    answer = person.get(f"/matches/{match_id}/export")
    assert answer.status_code == 200
    return dict(answer.json())


def content(file: File) -> bytes:
    """Return the signed content, built without the service's code."""
    bare = {key: part for key, part in file.items() if key not in ("digest", "signature")}
    return json.dumps(bare, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def signed_by(private: Ed25519PrivateKey, file: File) -> File:
    public = private.public_key().public_bytes_raw().hex()
    signature = {
        "algorithm": "Ed25519",
        "key": key_id(public),
        "public": public,
        "value": private.sign(content(file)).hex(),
    }
    return sealed({**file, "signature": signature})


def unsigned(file: File) -> File:
    return sealed({key: part for key, part in file.items() if key != "signature"})


def test_a_match_played_here_is_signed_over_its_whole_content(any_client: Client) -> None:
    """Verified with the published key and the documentation alone."""
    ann = Person(any_client)
    file = taken_home(ann, played(ann))
    (key,) = any_client.get(KEYS).json()["keys"]
    signature = file["signature"]
    assert (signature["algorithm"], signature["key"]) == (key["algorithm"], key["id"])
    assert signature["public"] == key["public"]
    assert key["retired"] is None
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key["public"]))
    public.verify(bytes.fromhex(signature["value"]), content(file))


def renamed(file: File) -> None:
    for part in (file["decisions"][0]["command"], *file["decisions"][0]["events"]):
        part["seats"][0]["name"] = "Bob"


def hurried(file: File) -> None:
    for decision in file["decisions"]:
        decision["at"] -= 1_000


def published(file: File) -> None:
    for part in (file["decisions"][0]["command"], *file["decisions"][0]["events"]):
        part["visibility"] = "private"


def from_elsewhere(file: File) -> None:
    file["id"] = "00000000-0000-0000-0000-000000000000"


CHANGES: tuple[Callable[[File], None], ...] = (renamed, hurried, published, from_elsewhere)


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_file_is_refused_with_the_signature_and_hearsay_without(
    client: Client, change: Callable[[File], None]
) -> None:
    """The rules do not check names and clocks; only the signature does."""
    ann = Person(client)
    file = taken_home(ann, played(ann))
    change(file)
    refused = ann.post("/matches/import", sealed(file))
    assert refused.status_code == 422
    assert "invalid signature" in refused.json()["detail"]
    assert refused.json()["key"] == "file.bad_signature"
    taken = ann.post("/matches/import", unsigned(file))
    assert taken.status_code == 201, taken.text
    assert taken.json()["signed"] is False


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        "Ed25519",
        {},
        {"algorithm": "none"},
        {"value": "00" * 64},
        {"value": "zz"},
        {"value": ""},
        {"public": "00" * 32},
        {"public": "00"},
        {"key": "0" * 16},
        {"more": 1},
    ],
)
def test_a_present_but_wrong_signature_is_always_refused(client: Client, wrong: Any) -> None:
    ann = Person(client)
    file = taken_home(ann, played(ann, 0))
    whole = isinstance(wrong, dict) and wrong
    file["signature"] = {**file["signature"], **wrong} if whole else wrong
    answer = ann.post("/matches/import", sealed(file))
    assert answer.status_code == 422
    assert "signature" in answer.json()["detail"]


def test_a_match_from_a_file_says_so_wherever_it_is_shown(any_client: Client) -> None:
    ann, eve = Person(any_client), Person(any_client, "Eve")
    original = played(ann)
    file = taken_home(ann, original)
    for document, signed in ((file, True), (unsigned(file), False)):
        match = eve.post("/matches/import", document).json()
        path = f"/matches/{match['id']}"
        (listed,) = [m for m in eve.get("/matches").json()["items"] if m["id"] == match["id"]]
        shown = (match, eve.get(path).json(), eve.get(f"{path}/review").json(), listed)
        assert [answer["signed"] for answer in shown] == [signed] * 4
        page = any_client.get(f"/m/{match['id']}", params={"share": match["share"]}).text
        assert "og:title" in page
        assert ("Unverified: " in page) == (not signed)
    for answer in (ann.get(f"/matches/{original}"), ann.get("/matches")):
        assert '"signed"' not in answer.text


def test_the_picture_of_an_unsigned_file_says_so(client: Client) -> None:
    """The same match at the same moment: only the line on its origin differs."""
    ann = Person(client)
    file = taken_home(ann, played(ann))
    pictures = []
    for document in (file, unsigned(file)):
        match = ann.post("/matches/import", document).json()
        pictures.append(ann.get(f"/matches/{match['id']}/picture.png").content)
    assert pictures[0] != pictures[1]


def test_a_foreign_key_vouches_for_nothing_here(client: Client) -> None:
    ann = Person(client)
    file = taken_home(ann, played(ann))
    renamed(file)
    forged = signed_by(Ed25519PrivateKey.generate(), file)
    taken = ann.post("/matches/import", forged)
    assert taken.status_code == 201
    assert taken.json()["signed"] is False


def test_nothing_that_came_in_a_file_is_signed_again(client: Client) -> None:
    """Neither the match, nor new messages in it, nor its forks."""
    eve = Person(client, "Eve")
    file = taken_home(eve, played(eve))
    version = file["decisions"][4]["version"]
    for document, again in ((unsigned(file), False), (file, True)):
        match = eve.post("/matches/import", document).json()
        words = {"seat": 0, "text": "I cheated."}
        said = eve.post(f"/matches/{match['id']}/say", words).status_code
        assert said == (409 if again else 200)
        assert "signature" not in taken_home(eve, match["id"])
        fork = eve.post(f"/matches/{match['id']}/fork", {"at": version}).json()
        assert ("signature" in taken_home(eve, fork["id"])) == again
        assert ("signed" in fork) == (not again)


def test_a_file_cannot_say_itself_that_it_was_played_here(client: Client) -> None:
    """It bears the note of the service that played it; an import drops that note."""
    ann = Person(client)
    file = taken_home(ann, played(ann))
    assert file["decisions"][0]["command"]["source"] == "here"
    match = ann.post("/matches/import", unsigned(file)).json()
    again = taken_home(ann, match["id"])
    assert again["decisions"][0]["command"]["source"] == "file"
    assert "signature" not in again


def test_a_finished_match_cannot_be_cut_short_nor_a_running_one_be_called_finished(
    client: Client,
) -> None:
    """An earlier file of the same match stays valid, and says that the match was running."""
    ann = Person(client)
    match_id = played(ann, 12)
    early = taken_home(ann, match_id)
    match = ann.get(f"/matches/{match_id}").json()
    while match["status"] == "playing":
        match = ann.step(match, -1)
    late = taken_home(ann, match_id)
    cut = {**late, "status": "playing", "decisions": late["decisions"][: len(early["decisions"])]}
    cut["fairness"] = early["fairness"]
    cut["decisions"][0] = early["decisions"][0]
    assert ann.post("/matches/import", sealed(cut)).status_code == 422
    assert early["status"] == "playing"
    taken = ann.post("/matches/import", early).json()
    assert (taken["status"], taken["signed"]) == ("playing", True)


# --- keys -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", DATABASES)
def test_workers_that_start_at_once_make_one_key(kind: str, tmp_path: Path) -> None:
    workers = 4
    with fresh(kind, tmp_path) as settings, ExitStack() as stack:
        stores = [stack.enter_context(closing(open_store(settings))) for _ in range(workers)]
        start = Barrier(workers)

        def public(store: Store) -> str:
            start.wait()
            return SigningKeys(store).signer(1)(b"").public

        with ThreadPoolExecutor(workers) as pool:
            used = {*pool.map(public, stores)}
        assert used == SigningKeys(stores[0]).public_keys()
        assert len(used) == 1

        def rotate(store: Store) -> str:
            start.wait()
            return SigningKeys(store).rotate(2).public

        with ThreadPoolExecutor(workers) as pool:
            rotated = [*pool.map(rotate, stores)]
        active = [key.public for key in SigningKeys(stores[0]).list_keys() if key.retired is None]
        assert len(active) == 1
        assert active[0] in rotated
        assert SigningKeys(stores[1]).signer(3)(b"").public == active[0]


def rows(settings: Settings) -> list[dict[str, Any]]:
    with closing(open_store(settings)) as store, store.transaction(commit=False) as sql:
        return [dict(row) for row in sql.all("SELECT * FROM {0}keys ORDER BY created")]


def run(settings: Settings, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DATA": settings.data, "DATABASE_URL": settings.database_url}
    return subprocess.run(
        [sys.executable, "-m", "service.cli", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("kind", DATABASES)
def test_a_key_is_rotated_under_a_running_service_and_old_files_hold(
    kind: str, tmp_path: Path
) -> None:
    with fresh(kind, tmp_path) as settings, run_service(settings) as client:
        ann = Person(client)
        match_id = played(ann)
        old = taken_home(ann, match_id)
        done = run(settings, "rotate-key")
        assert done.returncode == 0, done.stderr
        new = taken_home(ann, match_id)
        assert new["signature"]["key"] != old["signature"]["key"]
        assert new["signature"]["public"] in done.stdout
        newest, first = client.get(KEYS).json()["keys"]
        assert (newest["id"], newest["retired"]) == (new["signature"]["key"], None)
        assert first["id"] == old["signature"]["key"]
        assert first["retired"] is not None
        for file in (old, new):
            assert ann.post("/matches/import", file).json()["signed"] is True
        assert [len(row["private"]) for row in rows(settings)] == [0, 64]


def test_a_restarted_service_signs_with_the_same_key(tmp_path: Path) -> None:
    with fresh("sqlite", tmp_path) as settings:
        listed = []
        for _ in range(2):
            with run_service(settings) as client:
                listed.append(client.get(KEYS).json())
        assert listed[0] == listed[1]
        assert len(listed[0]["keys"]) == 1


def test_the_private_key_never_leaves(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with fresh("sqlite", tmp_path) as settings, run_service(settings) as client:
        ann = Person(client)
        match_id = played(ann)
        (row,) = rows(settings)
        said = [
            client.get(KEYS).text,
            ann.get(f"/matches/{match_id}/export").text,
            ann.get(f"/matches/{match_id}").text,
            ann.get("/matches").text,
            client.get("/health/ready").text,
            client.get("/schema/openapi.json").text,
            ann.post("/matches/import", {"signature": row["public"]}).text,
            caplog.text,
        ]
        rotated = run(settings, "rotate-key")
        said += [rotated.stdout, rotated.stderr]
        assert row["public"] in said[0]
        assert not any(row["private"] in text for text in said)


# --- the command line -------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path) -> tuple[Settings, dict[str, str]]:
    """Return a store and files: signed, unsigned, changed, signed by another key; and a key
    list."""
    with fresh("sqlite", tmp_path / "store") as settings:
        with run_service(settings) as client:
            ann = Person(client)
            file = taken_home(ann, played(ann))
            changed = msgspec.json.decode(msgspec.json.encode(file))
            renamed(changed)
            files = {
                "signed": file,
                "bare": unsigned(file),
                "changed": sealed(changed),
                "foreign": signed_by(Ed25519PrivateKey.generate(), unsigned(changed)),
                "keys": client.get(KEYS).json(),
            }
        names = {}
        for name, document in files.items():
            names[name] = str(tmp_path / f"{name}.json")
            Path(names[name]).write_bytes(msgspec.json.encode(document))
        names["hex"] = file["signature"]["public"]
        return settings, names


Home = tuple[Settings, dict[str, str]]


def test_verify_says_honestly_what_it_knows(home: Home) -> None:
    settings, files = home
    bare = run(settings, "verify", files["bare"])
    assert bare.returncode == 0
    assert "valid: " in bare.stdout
    assert "not signed" in bare.stdout
    signed = run(settings, "verify", files["signed"])
    assert signed.returncode == 0
    assert "signed by key" in signed.stdout
    assert "whose owner is unverified" in signed.stdout


def test_verify_with_a_key_takes_only_what_that_key_signed(home: Home) -> None:
    settings, files = home
    for keys in (("--key", files["hex"]), ("--key", "0" * 64, "--key", files["keys"])):
        good = run(settings, "verify", files["signed"], *keys)
        assert good.returncode == 0, good.stderr
        assert "signed by key" in good.stdout
        assert "unverified" not in good.stdout
        for name in ("bare", "changed", "foreign"):
            bad = run(settings, "verify", files[name], *keys)
            assert (bad.returncode, bad.stdout) == (1, "")
            assert len(bad.stderr.splitlines()) == 1
    other = run(settings, "verify", files["signed"], "--key", "0" * 64)
    assert other.returncode == 1
    assert "not one of the given keys" in other.stderr
    assert run(settings, "verify", files["signed"], "--key", files["bare"]).returncode == 1


@pytest.mark.parametrize("command", ["verify", "replay", "import"])
def test_every_command_refuses_a_wrong_signature_and_says_where_a_match_is_from(
    home: Home, command: str
) -> None:
    settings, files = home
    wrong = run(settings, command, files["changed"])
    assert wrong.returncode == 1
    assert "invalid signature" in wrong.stderr
    said = {name: run(settings, command, files[name]) for name in ("bare", "signed", "foreign")}
    for done in said.values():
        assert done.returncode == 0, done.stderr
    told = {name: done.stdout + done.stderr for name, done in said.items()}
    assert "not signed" in told["bare"]
    assert "signed by key" in told["signed"]
    assert "whose owner is unverified" in told["foreign"]


def test_a_match_brought_in_or_taken_home_by_command_is_labelled_too(home: Home) -> None:
    settings, files = home
    ids = {n: run(settings, "import", files[n]).stdout.strip() for n in ("bare", "signed")}
    with run_service(settings) as client:
        for name, match_id in ids.items():
            assert client.get(f"/api/matches/{match_id}").json()["signed"] is (name == "signed")
    file = json.loads(Path(files["signed"]).read_bytes())
    again = json.loads(run(settings, "export", file["id"]).stdout)
    assert again["signature"]["public"] == files["hex"]
    assert "signature" not in json.loads(run(settings, "export", ids["bare"]).stdout)


@pytest.mark.parametrize("first", [True, False])
def test_a_field_that_stands_twice_is_read_by_nobody(
    client: Client, tmp_path: Path, first: bool
) -> None:
    """Some parsers take the first of two fields and some the last: one file, two matches."""
    ann = Person(client)
    honest = json.dumps(taken_home(ann, played(ann, 3)))
    twice = '{"game": "another", ' + honest[1:] if first else honest[:-1] + ', "status": "open"}'
    headers = {**ann.headers, "Content-Type": "application/json"}
    answer = client.post("/api/matches/import", content=twice.encode(), headers=headers)
    assert answer.status_code == 422
    assert answer.json()["code"] == "bad_file"
    assert "twice" in answer.json()["detail"]
    path = tmp_path / "twice.json"
    path.write_text(twice)
    done = subprocess.run(
        [sys.executable, "-m", "service.cli", "verify", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "twice" in done.stderr
