"""The vacation switch, which stops the player's clocks in matches with days per turn."""

from _native import fill, format_day

from frontend.app.api import client
from frontend.app.components.toggle import toggle_field
from frontend.app.core.dom import el
from frontend.app.core.i18n import join_sentences, t
from frontend.app.core.problem import Problem, show_problem
from frontend.app.core.types import Data, Node

VACATION_PATH = "/api/players/me/vacation"


def vacation_card() -> Node:
    """Return the vacation card, hidden until loaded or if the service grants no vacation."""
    card = el("section", {"class": "card", "hidden": True})

    def show(data: Data) -> None:
        card.hidden = not data["days"]
        sentences = [t("account.vacation_left", n=data["days_left"])]
        if data["away"]:
            sentences.append(t("account.vacation_ends", day=format_day(data["until"])))
        small = t("account.vacation_hint")
        fill(
            card,
            el("h2", {}, t("account.vacation")),
            toggle_field(t("account.on_vacation"), small, data["away"], change),
            el("p", {"class": "muted", "role": "status"}, join_sentences(sentences)),
        )

    def change(away: bool) -> None:
        client.call("PUT", VACATION_PATH, {"away": away}, show, on_error)

    def on_error(problem: Problem) -> None:
        show_problem(problem)
        client.get(VACATION_PATH, show)

    client.get(VACATION_PATH, show)
    return card
