"""Players that play over HTTP, and their phones."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser

from service.settings import Settings
from tests.browser.phone import Phone

LIMITS = (
    "play_limit",
    "create_limit",
    "draw_limit",
    "talk_limit",
    "propose_limit",
    "stranger_limit",
    "fork_limit",
    "hold_limit",
)
Pass = Callable[[int], None]
"""Advances the clock of the service by milliseconds, without waiting."""


def unlimited(folder: Path, **settings: Any) -> Settings:
    """Return the settings of a service with its data in ``folder`` and no request limits."""
    limits: dict[str, Any] = dict.fromkeys(LIMITS, 0)
    return Settings(data=str(folder), **limits | settings)


class Program:
    """A player of the running service, by bearer token."""

    def __init__(self, base: str, name: str) -> None:
        self.base = base
        self.name = name
        # Loading the certificates, which plain HTTP does not need, takes longer than a request.
        self._http = httpx.Client(base_url=base, timeout=30, verify=False)
        self.token = self.post("/players", {"name": name}, 201)["token"]
        self._http.cookies.clear()
        self._http.headers["Authorization"] = f"Bearer {self.token}"

    def get(self, path: str) -> Any:
        """GET of an API path."""
        answer = self._http.get(f"/api{path}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any, status: int = 200) -> Any:
        """POST of an API path."""
        answer = self._http.post(f"/api{path}", json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    def put(self, path: str, body: Any) -> Any:
        """PUT of an API path."""
        answer = self._http.put(f"/api{path}", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def step(self, match_id: str, rng: random.Random) -> Any:
        """Make a random move for the seat to act, which must be this player's; return the match."""
        match = self.get(f"/matches/{match_id}")
        seat = match["to_act"][0]
        choices = self.get(f"/matches/{match_id}/choices?seat={seat}")["choices"]
        command = rng.choice(choices)["command"]
        body = {"seat": seat, "expected_version": match["version"], "commands": [command]}
        return self.post(f"/matches/{match_id}/commands", body)["match"]

    def phone(self, browser: Browser, size: dict[str, int] | None = None) -> Phone:
        """Open a phone signed in as this player."""
        phone = Phone(browser, self.base, size)
        self.sign_in(phone)
        return phone

    def sign_in(self, phone: Phone) -> None:
        """Make this the player of a phone, also of one that another player has used."""
        cookie = {"name": "player", "value": self.token, "url": self.base}
        phone.context.add_cookies([cookie])  # type: ignore[list-item]
        phone.page.add_init_script("localStorage.setItem('player', '1')")


def table(
    base: str, *names: str, game: str = "caravanserai", **options: Any
) -> tuple[list[Program], str]:
    """Start a match with one seat per player; return the players and its id. Seat 0 starts."""
    people = [Program(base, name) for name in names]
    seats = [{"kind": "me"}, *({"kind": "open"} for _ in names[1:])]
    if game == "caravanserai":
        options["begins"] = "host"
    body = {"game": game, "seats": seats, "options": options}
    match = people[0].post("/matches", body, 201)
    for person in people[1:]:
        person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    return people, match["id"]


def played(base: str, moves: int, *names: str, seed: int = 1) -> tuple[list[Program], str]:
    """Start a match and play some random moves; return the players and its id."""
    people, match_id = table(base, *names)
    rng = random.Random(seed)
    for _ in range(moves):
        (seat,) = people[0].get(f"/matches/{match_id}")["to_act"]
        people[seat].step(match_id, rng)
    return people, match_id
