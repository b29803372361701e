"""The vacation switch, which stops the player's clocks in matches with days per turn."""

from typing import Any

from _native import fill, format_day

from frontend.app.api import client
from frontend.app.components.toggle import toggle_field
from frontend.app.core.dom import el, toast
from frontend.app.core.i18n import join_sentences, t
from frontend.app.core.problem import Problem
from frontend.app.core.types import Data, Node

VACATION_PATH = "/api/players/me/vacation"


def vacation_card() -> Node:
    """Return the vacation card, hidden until loaded or if the service grants no vacation."""
    card = el("section", {"class": "card", "hidden": True})

    def show(data: Data) -> None:
        card.hidden = not data["days"]
        until = format_day(data["until"]) if data["away"] else ""
        sentences = [
            t("account.vacation_left", n=data["days_left"]),
            t("account.vacation_ends", day=until) if until else "",
        ]
        small = t("account.vacation_hint")
        fill(
            card,
            el("h2", {}, t("account.vacation")),
            toggle_field(t("account.on_vacation"), small, data["away"], change),
            el(
                "p",
                {"class": "muted", "role": "status"},
                join_sentences([w for w in sentences if w]),
            ),
        )

    def change(away: bool) -> None:
        client.call("PUT", VACATION_PATH, {"away": away}, show, on_error)

    def on_error(problem: Problem) -> None:
        toast(problem.detail)
        client.get(VACATION_PATH, show, lambda _problem: None)

    def nothing(_problem: Any) -> None:
        """Leave the card hidden."""

    client.get(VACATION_PATH, show, nothing)
    return card
