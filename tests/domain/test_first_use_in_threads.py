"""Threads that first use a game at the same time; see `domain.matchfile.msgspec_warmup`."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from domain.contract.registry import TITLES
from domain.matchfile import codec
from projections import snapshots

ROOT = Path(__file__).parents[2]

AT_ONCE = """
import sys, threading
from pathlib import Path
from domain.matchfile.codec import codec_of
import json

plain = json.loads(Path(sys.argv[1]).read_bytes())
sys.setswitchinterval(1e-6)
begin = threading.Barrier(4)
failed = []

def meet():
    begin.wait()
    try:
        codec = codec_of(plain["game"])
        for decision in plain["decisions"]:
            found = codec.from_plain(decision)
            assert codec.decode(codec.encode(found)) == found
    except BaseException as error:
        failed.append(error)

threads = [threading.Thread(target=meet) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not failed, failed
"""


@pytest.mark.slow
@pytest.mark.parametrize("slug", TITLES)
def test_concurrent_first_use_of_a_game(slug: str) -> None:
    """Without the lock about every fourth of these processes crashed (SIGSEGV)."""
    newest = TITLES[slug].rules_version
    file = next((ROOT / "tests" / "recorded_matches").glob(f"{slug}-[2-6]*-v{newest}.json"))
    for _ in range(4):
        done = subprocess.run([sys.executable, "-c", AT_ONCE, str(file)], cwd=ROOT, check=False)
        assert done.returncode == 0


@pytest.mark.parametrize(
    ("room", "made", "find"),
    [(codec, "Codec", codec.codec_of), (snapshots, "_decoder", snapshots.decoder_of)],
    ids=["codec", "moments"],
)
def test_type_info_is_built_once_by_one_thread(
    room: object, made: str, find: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_it, most, count = 0, 0, 0
    real = getattr(room, made)

    def slowly(*args: object) -> object:
        nonlocal at_it, most, count
        at_it, count = at_it + 1, count + 1
        most = max(most, at_it)
        threading.Event().wait(0.05)
        at_it -= 1
        return real(*args)

    monkeypatch.setattr(room, made, slowly)
    monkeypatch.setattr(room, "_codecs" if room is codec else "_decoders", {})
    found: list[object] = []
    threads = [
        threading.Thread(target=lambda slug=slug: found.append(find(slug)))  # type: ignore[operator,misc]
        for slug in TITLES
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (count, most, len(found)) == (len(TITLES), 1, 2 * len(TITLES))
    assert len({id(each) for each in found}) == len(TITLES)
