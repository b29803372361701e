"""Caravane through the page: whole games, and that a phone never shows or hears a secret of
another seat."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Response, expect

from service.settings import Settings
from tests.browser.phone import Phone
from tests.browser.service import Program
from tests.service.running import server

pytestmark = pytest.mark.browser

SECRET_EVENTS = ("GourdsAllotted", "BagsPacked", "BidMade", "BidRevised", "WaterLeaked")
HIDE = """() => {
  Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true })
  document.dispatchEvent(new Event("visibilitychange"))
  delete document.visibilityState
}"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("caravane")
    with server(Settings(data=str(folder), play_limit=0, create_limit=0)) as address:
        yield address


def race(
    base: str, *names: str, one_phone: bool = False, **options: bool
) -> tuple[list[Program], str]:
    """Players of a running race and its id; with ``one_phone`` the first holds all seats."""
    people = [Program(base, name) for name in (names[:1] if one_phone else names)]
    kind = "me" if one_phone else "open"
    seats = [{"kind": "me", "name": names[0]}]
    seats += [{"kind": kind, "name": name} if one_phone else {"kind": kind} for name in names[1:]]
    match = people[0].post(
        "/matches", {"game": "caravane", "seats": seats, "options": options}, 201
    )
    for person in people[1:]:
        person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    return people, match["id"]


def choose(person: Program, match_id: str, seat: int, pick: Callable[[list[Any]], Any]) -> None:
    """One choice of a seat over HTTP."""
    path = f"/matches/{match_id}"
    version = person.get(path)["version"]
    choices = person.get(f"{path}/choices?seat={seat}")["choices"]
    command = pick(choices)["command"]
    body = {"seat": seat, "expected_version": version, "commands": [command]}
    person.post(f"{path}/commands", body)


def bid(gourds: int) -> Callable[[list[Any]], Any]:
    """Picks the bid of so many gourds, or of all."""
    return lambda choices: choices[min(gourds, len(choices) - 1)]


class Racer(Phone):
    """A phone at the race, which remembers what came over its network."""

    def __init__(
        self, browser: Browser, person: Program, match_id: str, size: dict[str, int] | None = None
    ) -> None:
        super().__init__(browser, person.base, size)
        cookie = {"name": "player", "value": person.token, "url": person.base}
        self.context.add_cookies([cookie])  # type: ignore[list-item]
        self.page.add_init_script("localStorage.setItem('player', '1')")
        self.heard: list[Any] = []
        self.page.on("response", self._note)
        self.page.goto(f"/m/{match_id}")
        self.page.wait_for_selector(".racer")

    def _note(self, response: Response) -> None:
        if "/api/matches/" in response.url and not response.url.endswith("/live"):
            self.heard.append(response)

    def answers(self) -> Iterator[Any]:
        """Every answer of the service so far."""
        for response in self.heard:
            if "json" in response.headers.get("content-type", ""):
                yield response.json()

    def may_choose(self) -> bool:
        """Whether a choice of this phone is missing."""
        return self.waits_for_me() and self.page.locator(".desk .cover-button").count() == 1

    def uncover(self) -> None:
        """A tap on the cover, which then stays open."""
        self.page.locator(".cover-button").click()
        expect(self.page.locator(".covered")).not_to_be_empty()

    def choose(self, pick: str) -> None:
        """A number by its chip, then the one button."""
        before = self.version()
        self.uncover()
        chips = self.page.locator(".quick-chip")
        chips.first.or_(chips.last).first.wait_for()
        (chips.last if pick == "all" else chips.get_by_text(pick, exact=True)).click()
        self.page.locator(".confirm").click()
        self.page.wait_for_function(
            "before => document.querySelector('.history input').max > before", arg=before
        )
        self.settled()


def own_secrets_only(phone: Racer, seat: int) -> None:
    """Nothing that came over the network tells another seat's secret."""
    seen = 0
    for answer in phone.answers():
        match = answer.get("match", answer)
        if match.get("status") == "finished":
            continue
        for racer in (match.get("view") or {}).get("racers", ()):
            if racer["seat"] != seat:
                seen += 1
                assert racer["stock"] is None
                assert racer["bags"] is None
                assert racer["revised"] is None
                assert racer["bid"] is None or match["view"]["phase"] == "revise"
        for event in answer.get("events", ()):
            if event["type"] in SECRET_EVENTS and event["seat"] != seat:
                seen += 1
                hidden = set(event["data"]) - {"seat", "stage"}
                assert hidden, event
                assert all(event["data"][name] is None for name in hidden)
    assert seen > 20


def test_three_phones_play_a_whole_race(browser: Browser, base: str) -> None:
    people, match_id = race(base, "Ann", "Bea", "Cleo")
    phones = [Racer(browser, person, match_id) for person in people]
    began = time.monotonic()
    picks = ("4", "3", "all")
    taps = 0
    while not all(phone.over() for phone in phones):
        for number, phone in enumerate(phones):
            if phone.over() or not phone.may_choose():
                continue
            pick = picks[(taps + number) % 3]
            available = phone.page.locator(".quick-chip").get_by_text(pick, exact=True)
            try:
                phone.choose("all" if pick == "all" else pick) if pick == "all" else None
                if pick != "all":
                    phone.uncover()
                    chip = available if available.count() else phone.page.locator(".quick-chip")
                    chip.last.click()
                    phone.page.locator(".confirm").click()
                    phone.settled()
            finally:
                taps += 1
        assert time.monotonic() - began < 120
    scores = [phone.page.locator(".podium .score").all_inner_texts() for phone in phones]
    assert scores[0] == scores[1] == scores[2]
    assert len(scores[0]) == 3
    assert people[0].get(f"/matches/{match_id}")["status"] == "finished"
    for seat, phone in enumerate(phones):
        own_secrets_only(phone, seat)
        phone.close()
