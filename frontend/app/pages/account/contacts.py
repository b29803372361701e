"""The player's results, the people they have played with, and the calendar of deadlines."""

from typing import Any

from _native import format_moment

from frontend.app.api import client, game_catalogue
from frontend.app.components.share import copy_button
from frontend.app.core.dom import button, el, fill, link_box, muted_text, row, stack
from frontend.app.core.i18n import t
from frontend.app.core.problem import Problem, show_problem
from frontend.app.core.single_flight import SingleFlight
from frontend.app.core.types import Callback, Data, Node

PLAYER_PATH = "/api/players/me/"


class ContactsCard:
    """The sections for results, contacts and calendar, shown in ``card`` once all are loaded.

    A section that cannot be loaded shows the reason.
    """

    def __init__(self, card: Any) -> None:
        self.flight = SingleFlight()
        self.results = el("div", {})
        self.people = el("div", {})
        self.calendar = stack()
        parts = (
            el("h2", {}, t("account.game_history")),
            self.results,
            el("h2", {}, t("account.people")),
            self.people,
            el("h2", {}, t("account.calendar")),
            self.calendar,
        )
        self.pending = 3

        def load(path: str, draw: Callback, section: Node) -> None:
            # Show all at once: a section that loads later would shift the page under a finger.
            def end_with(show: Callback) -> Callback:
                def on_end(result: Any) -> None:
                    show(result)
                    self.pending -= 1
                    if not self.pending:
                        fill(card, parts)

                return on_end

            def show_in_section(problem: Problem) -> None:
                fill(section, el("p", {"class": "notice-line", "role": "alert"}, problem.detail))

            client.get(PLAYER_PATH + path, end_with(draw), end_with(show_in_section))

        game_catalogue.load(lambda _games: load("history", self._show_results, self.results))
        load("people", self._show_contacts, self.people)
        load("calendar", self._show_calendar, self.calendar)

    def _send(self, method: str, path: str, body: Data | None, on_answer: Callback) -> None:
        """Send a change, unless another one is in progress."""
        args = (method, PLAYER_PATH + path, body)
        self.flight.run(client.call, args, on_answer, show_problem)

    def _show_results(self, data: Data) -> None:
        lines = [el("li", {}, _title(each), " ", _score(each)) for each in data["games"]]
        left = [el("li", {}, _left_game(each)) for each in data.get("left", ())]
        fill(
            self.results,
            el("ul", {}, lines) if lines else muted_text(t("account.no_games")),
            [el("h3", {}, t("account.games_left")), el("ul", {}, left)] if left else None,
        )

    def _show_contacts(self, data: Data) -> None:
        lines = [self._fill(el("div", {"class": "person"}), each) for each in data["items"]]
        fill(self.people, lines or muted_text(t("account.no_people")))

    def _fill(self, line: Node, person: Data) -> Node:
        """Show a person in a line and return it."""
        name = person["name"]

        def toggle(field: str) -> None:
            stance = {"muted": person["muted"], "blocked": person["blocked"]}
            stance[field] = not person[field]
            # Without a single flight, a double tap would toggle the setting back.
            self._send(
                "PUT", "people/" + person["id"], stance, lambda answer: self._fill(line, answer)
            )

        def switch(text: str, label: str, field: str) -> Node:
            given = {"aria-pressed": "true" if person[field] else "false", "aria-label": label}
            return button(text, lambda _e: toggle(field), **given)

        invite = {"class": "button", "href": f"/new?with={person['id']}"}
        invite["aria-label"] = t("account.play_again_with", name=name)
        return fill(
            line,
            el("strong", {}, name),
            row(
                el("a", invite, t("account.play_again")),
                switch(t("account.mute"), t("account.mute_name", name=name), "muted"),
                switch(t("account.block"), t("account.block_name", name=name), "blocked"),
            ),
            el("small", {"class": "muted"}, _effect(person)),
        )

    def _show_calendar(self, data: Data) -> None:
        url = data.get("url")

        def ask(method: str) -> None:
            self._send(method, "calendar", None, self._show_calendar)

        again, first = t("account.calendar_new_link"), t("account.calendar_create_link")
        remove = button(t("account.calendar_remove"), lambda _e: ask("DELETE"))
        once = el("p", {"role": "status"}, t("account.calendar_once_contacts"))
        fill(
            self.calendar,
            el("p", {}, t("account.calendar_text")),
            [link_box(url), once] if url else None,
            row(
                copy_button(url, "primary") if url else None,
                button(again if data["since"] else first, lambda _e: ask("POST")),
                remove if data["since"] else None,
            ),
        )


def _title(item: Data) -> Node:
    return el("strong", {}, game_catalogue.get(item["game"])["title"])


def _score(tally: Data) -> str:
    played = t("account.games_played", n=tally["matches"])
    return t("account.games_won", played=played, won=tally["won"])


def _left_game(match: Data) -> list[Any]:
    title = _title(match)
    link = el("a", {"href": f"/m/{match['match']}"}, title) if "match" in match else title
    when = t("account.game_begun", when=format_moment(match["created"]))
    return [link, " ", el("span", {"class": "muted"}, when)]


def _effect(person: Data) -> str:
    """Describe the effect of muting or blocking a person; "" if they are neither."""
    if person["muted"] and person["blocked"]:
        return t("account.muted_blocked_effect")
    if person["blocked"]:
        return t("account.blocked_effect")
    if person["muted"]:
        return t("account.muted_effect")
    return ""
