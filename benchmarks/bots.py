"""Bots of every game: time per move, strength of the levels, and delay of other requests."""

import random
import tempfile
import threading
import time
from functools import partial
from statistics import fmean

from benchmarks.process import new_player, run_service
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
                f"{slug:16} {level:5} {max(title.seats)} seats: mean {fmean(times):6.2f} ms, "
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
        has_time = partial(_is_before, began + THINKING_TIME_S)
        thinking = Thinking(rng.randrange, level, has_time)
        command = suggest_command(slug, state, seat, thinking)
        times.append((time.perf_counter() - began) * 1000)
        version = TITLES[slug].rules_version
        state = rules.decide(state, seat, command, rng.randrange, version).state
    return sorted(times)


def _is_before(end: float) -> bool:
    """Return whether a point in time is still in the future."""
    return time.perf_counter() < end


# --- delay of other requests -------------------------------------------------------------------


def measure_other_requests() -> None:
    """Print the latency of reads and moves in a match of two people, idle and beside busy bots.

    The bots play in other matches all the time.
    """
    with tempfile.TemporaryDirectory() as folder, run_service(folder) as address:
        for busy in (False, True):
            stop = threading.Event()
            job = partial(_play_against_bots, address, stop)
            crowd = [threading.Thread(target=job) for _ in range(2 * busy)]
            for thread in crowd:
                thread.start()
            time.sleep(0.5)
            reads, moves = _play_two_people(address)
            stop.set()
            for thread in crowd:
                thread.join()
            label = "bots thinking" if busy else "no bots"
            print(f"{label:14} read {_format(reads)}; move {_format(moves)}")


def _format(times_ms: list[float]) -> str:
    median, slow = quantile(times_ms, 0.5), quantile(times_ms, 0.95)
    return f"{median:5.1f} ms, 95 of 100 in {slow:5.1f} ms"


def _longest_thinker() -> str:
    return max(
        TITLES, key=lambda slug: fmean(measure_moves(slug, max(TITLES[slug].seats), LEVELS[-1]))
    )


def _play_against_bots(address: str, stop: threading.Event) -> None:
    """Play one match after another, with bots on all seats but one, until ``stop`` is set."""
    ann, _ = new_player(address, "Ann")
    slug = _longest_thinker()
    seats = [{"kind": "me"}, *[{"kind": "bot"}] * (max(TITLES[slug].seats) - 1)]
    rng = random.Random(1)
    while not stop.is_set():
        match = ann.post("/api/matches", json={"game": slug, "seats": seats}).json()
        while not stop.is_set() and match["status"] == "playing":
            path = f"/api/matches/{match['id']}"
            found = ann.get(f"{path}/choices", params={"seat": 0}).json()
            if found["choices"]:
                command = rng.choice(found["choices"])["command"]
                body = {"seat": 0, "expected_version": found["version"], "commands": [command]}
                ann.post(f"{path}/commands", json=body)
            match = ann.get(path).json()


def _play_two_people(address: str) -> tuple[list[float], list[float]]:
    ann, _ = new_player(address, "Ann")
    slug = next(iter(TITLES))
    reads: list[float] = []
    moves: list[float] = []
    seats = [{"kind": "me"}] * 2
    match = ann.post("/api/matches", json={"game": slug, "seats": seats}).json()
    path = f"/api/matches/{match['id']}"
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
