"""Bots of every game: time per move, strength of the levels, and delay of other requests."""

import random
import tempfile
import threading
import time

import httpx

from benchmarks.process import run_service
from domain.contract.bots import Thinking, suggest_command
from domain.contract.game import LEVELS, Level
from domain.contract.registry import TITLES, rules_of
from service.matches.bot_runner import THINKING_TIME_S
from tests.game_contract.bots import duel

GAMES, MANY_GAMES = 20, 400
"""Number of games in a duel; `MANY_GAMES` for a level against "easy" in games for two."""
MOVES = 300
REQUESTS = 300


def main() -> None:
    for slug, title in TITLES.items():
        for level in LEVELS:
            times = measure_moves(slug, max(title.seats), level)
            print(
                f"{slug:16} {level:5} {max(title.seats)} seats: mean {mean(times):6.2f} ms, "
                f"99 of 100 in {quantile(times, 0.99):6.2f} ms, longest {times[-1]:6.2f} ms"
            )
        for one, other in (("good", "easy"), ("good", "chance"), ("easy", "chance")):
            games = MANY_GAMES if other == "easy" and 2 in title.seats else GAMES
            mine, theirs = duel(slug, one, other, games)  # type: ignore[arg-type]
            print(
                f"{slug:16} {one} ahead of {other} {mine} times, behind {theirs} times "
                f"in {games} games"
            )
    measure_other_requests()


def mean(times: list[float]) -> float:
    return sum(times) / len(times)


def quantile(times: list[float], part: float) -> float:
    """Return the quantile ``part`` (0 to 1) of sorted times."""
    return times[min(len(times) - 1, int(part * len(times)))]


def measure_moves(slug: str, seats: int, level: Level) -> list[float]:
    """Return the milliseconds that each move of a game between bots took, in ascending order."""
    rules, rng = rules_of(slug), random.Random(1)
    state = rules.setup(rules.Options(), seats, rng.randrange, TITLES[slug].rules_version).state
    times = []
    for _ in range(MOVES):
        acting = rules.to_act(state)
        if not acting:
            break
        seat = rng.choice(acting)
        began = time.perf_counter()
        more = _Deadline(began + THINKING_TIME_S)
        command = suggest_command(slug, state, seat, Thinking(rng.randrange, level, more))
        times.append((time.perf_counter() - began) * 1000)
        version = TITLES[slug].rules_version
        state = rules.decide(state, seat, command, rng.randrange, version).state
    return sorted(times)


class _Deadline:
    """Function that returns whether a point in time is still in the future."""

    def __init__(self, end: float) -> None:
        self.end = end

    def __call__(self) -> bool:
        return time.perf_counter() < self.end


# --- delay of other requests -------------------------------------------------------------------


def measure_other_requests() -> None:
    """Print the latency of reads and moves in a match of two people, idle and beside busy bots.

    The bots play in other matches all the time.
    """
    with tempfile.TemporaryDirectory() as folder, run_service(folder) as address:
        for busy in (False, True):
            stop = threading.Event()
            crowd = [
                threading.Thread(target=_play_against_bots, args=(address, stop)) for _ in range(2)
            ]
            for thread in crowd if busy else ():
                thread.start()
            time.sleep(0.5)
            reads, moves = _play_two_people(address)
            stop.set()
            for thread in crowd if busy else ():
                thread.join()
            label = "bots thinking" if busy else "no bots"
            print(f"{label:14} read {_format(reads)}; move {_format(moves)}")


def _format(times_ms: list[float]) -> str:
    median, slow = quantile(times_ms, 0.5), quantile(times_ms, 0.95)
    return f"{median:5.1f} ms, 95 of 100 in {slow:5.1f} ms"


def _player(address: str) -> httpx.Client:
    token = httpx.post(f"{address}/api/players", json={"name": "Ann"}).json()["token"]
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.Client(base_url=f"{address}/api", headers=headers, timeout=60)


def _longest_thinker() -> str:
    return max(
        TITLES, key=lambda slug: mean(measure_moves(slug, max(TITLES[slug].seats), LEVELS[-1]))
    )


def _play_against_bots(address: str, stop: threading.Event) -> None:
    """Play one match after another, with bots on all seats but one, until ``stop`` is set."""
    ann = _player(address)
    slug = _longest_thinker()
    seats = [{"kind": "me"}, *[{"kind": "bot"}] * (max(TITLES[slug].seats) - 1)]
    rng = random.Random(1)
    while not stop.is_set():
        match = ann.post("/matches", json={"game": slug, "seats": seats}).json()
        while not stop.is_set() and match["status"] == "playing":
            path = f"/matches/{match['id']}"
            found = ann.get(f"{path}/choices", params={"seat": 0}).json()
            if found["choices"]:
                command = rng.choice(found["choices"])["command"]
                body = {"seat": 0, "expected_version": found["version"], "commands": [command]}
                ann.post(f"{path}/commands", json=body)
            match = ann.get(path).json()


def _play_two_people(address: str) -> tuple[list[float], list[float]]:
    ann = _player(address)
    slug = next(iter(TITLES))
    reads: list[float] = []
    moves: list[float] = []
    match = ann.post("/matches", json={"game": slug, "seats": [{"kind": "me"}] * 2}).json()
    path = f"/matches/{match['id']}"
    while len(moves) < REQUESTS and match["status"] == "playing":
        seat = match["to_act"][0]
        choices = ann.get(f"{path}/choices", params={"seat": seat}).json()["choices"]
        command = choices[len(choices) // 2]["command"]
        body = {"seat": seat, "expected_version": match["version"], "commands": [command]}
        began = time.perf_counter()
        match = ann.post(f"{path}/commands", json=body).json()["match"]
        moves.append((time.perf_counter() - began) * 1000)
        began = time.perf_counter()
        ann.get(path)
        reads.append((time.perf_counter() - began) * 1000)
    return sorted(reads), sorted(moves)


if __name__ == "__main__":
    main()
