"""Make the README's screenshots from the running app: ``python -m tests.browser.screenshots``.

Play a match through the service with seeded moves, then open it in a phone-sized Chromium.
"""

import json
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from PIL import Image
from playwright.sync_api import Browser, Page

from service.settings import Settings
from tests.browser.chromium import chromium
from tests.service.running import server

FOLDER = Path(__file__).parents[2] / "frontend" / "screenshots"
KEPT = Path(__file__).parents[1] / "recorded_matches"
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}


class Player:
    """A player with a bearer token."""

    def __init__(self, address: str, name: str) -> None:
        self.http = httpx.Client(base_url=address)
        self.token = str(self.post("/api/players", {"name": name})["token"])
        self.http.headers["Authorization"] = f"Bearer {self.token}"

    def post(self, path: str, body: Any) -> Any:
        """POST a body and return the answer; raise on an error status."""
        answer = self.http.post(path, json=body)
        answer.raise_for_status()
        return answer.json()

    def get(self, path: str) -> Any:
        """GET a path and return the answer."""
        return self.http.get(path).json()


def played(people: list[Player], game: str, options: dict[str, Any], steps: int) -> Any:
    """Play ``steps`` choices of a new match, preferring long blocks; return the match."""
    seats = [{"kind": "me"}] + [{"kind": "open"}] * (len(people) - 1)
    match = people[0].post("/api/matches", {"game": game, "seats": seats, "options": options})
    for person in people[1:]:
        match = person.post(f"/api/matches/{match['id']}/join", {"invite": match["invite"]})
    rng = random.Random(5)
    for _ in range(steps):
        if not match["to_act"]:
            break
        seat = match["to_act"][0]
        path = f"/api/matches/{match['id']}"
        choices = people[seat].get(f"{path}/choices?seat={seat}")["choices"]
        blocks = [c for c in choices if c["command"]["type"] == "LayBlock"]
        choice = rng.choice(blocks if blocks and rng.random() < 0.6 else choices)
        body = {"seat": seat, "expected_version": match["version"], "commands": [choice["command"]]}
        match = people[seat].post(f"{path}/commands", body)["match"]
    return match


def travelled(person: Player, turns: int) -> Any:
    """Play ``turns`` turns against three bots without discarding; return the match."""
    seats = [
        {"kind": "me"},
        *[{"kind": "bot", "name": name} for name in ("Olivia", "Grace", "Ada")],
    ]
    match = person.post("/api/matches", {"game": "conquest", "seats": seats, "options": {}})
    path = f"/api/matches/{match['id']}"
    rng = random.Random(8)
    while match["view"]["round"] <= turns:
        if match["to_act"] == [0]:
            choices = person.get(f"{path}/choices?seat=0")["choices"]
            kept = [c for c in choices if c["command"]["type"] not in ("Jettison", "Buy", "Sell")]
            body = {"seat": 0, "expected_version": match["version"]}
            person.post(f"{path}/commands", {**body, "commands": [rng.choice(kept)["command"]]})
        match = person.get(path)
    return match


def choose_tile(page: Page) -> None:
    """Select a tile in reach."""
    box = page.locator(".legal").nth(2).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def branched(person: Player, kept: str, version: int) -> Any:
    """Fork a stored match at a version; the person holds every seat."""
    origin = person.post("/api/matches/import", json.loads((KEPT / kept).read_text()))
    return person.post(f"/api/matches/{origin['id']}/fork", {"at": version})


def uncover(page: Page) -> None:
    """Open the cover over the secrets of a seat."""
    page.locator(".cover-button").click()


def whole(page: Page) -> None:
    """Zoom out to the whole board."""
    page.get_by_role("button", name="Show whole board").click()


def plan(page: Page) -> None:
    """Start planning a journey."""
    uncover(page)
    page.locator(".way-to").nth(1).click()
    for ware in range(2):
        page.locator(".shelf-ware").nth(ware).click()


def shoot(
    browser: Browser,
    address: str,
    token: str,
    at: str,
    name: str,
    first: Callable[[Page], None] | None = None,
    **look: Any,
) -> None:
    """Take a screenshot of a page after running ``first`` on it."""
    context = browser.new_context(**look, base_url=address)
    context.add_cookies([{"name": "player", "value": token, "url": address}])
    context.add_init_script("localStorage.setItem('player', '1')")
    page = context.new_page()
    page.goto(at)
    page.wait_for_selector("[aria-busy=true]", state="detached")
    if first:
        first(page)
    page.wait_for_timeout(1200)
    path = FOLDER / f"{name}.png"
    page.screenshot(path=path)
    context.close()
    whole = Image.open(path).convert("RGB")
    # MAXCOVERAGE keeps all colours of pieces; k-means brings those of the ground close to the
    # original.
    small = whole.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=4)
    small.save(path, optimize=True)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    limits = {"play_limit": 0, "create_limit": 0, "draw_limit": 0}
    with tempfile.TemporaryDirectory() as data, server(Settings(data=data, **limits)) as address:
        names = ("Billy", "Olivia", "Grace", "Dorothy", "Margaret", "Radia")
        people = [Player(address, name) for name in names]
        hexes = played(people[:2], "caravanserai", {}, 66)
        over = played(people[:3], "caravanserai", {"expert": True}, 10_000)
        race = played(people[:4], "caravane", {}, 26)
        trails = played(people, "caravanserail", {}, 6)
        desert = travelled(people[0], 5)
        token = people[hexes["to_act"][0]].token
        with chromium() as browser:
            game = f"/m/{hexes['id']}"
            for scheme in ("light", "dark"):
                look = {"viewport": PHONE, "color_scheme": scheme, "device_scale_factor": 2}
                shoot(browser, address, token, game, f"game-390-{scheme}", whole, **look)
                shoot(browser, address, token, "/", f"home-390-{scheme}", **look)
            look = {"viewport": PHONE, "device_scale_factor": 2}
            shoot(browser, address, token, f"/m/{over['id']}/review", "review-390", **look)
            shoot(browser, address, token, game, "game-1280", viewport=DESK)
            token = people[race["to_act"][0]].token
            shoot(browser, address, token, f"/m/{race['id']}", "caravane-390", uncover, **look)
            shoot(browser, address, token, f"/m/{trails['id']}", "caravanserail-390", plan, **look)
            token, at = people[0].token, f"/m/{desert['id']}"
            shoot(browser, address, token, at, "conquest-390", choose_tile, **look)
            yard = f"/m/{branched(people[0], 'courtyard-3-v1.json', 1133)['id']}"
            shoot(browser, address, people[0].token, yard, "courtyard-390", **look)


if __name__ == "__main__":
    main()
