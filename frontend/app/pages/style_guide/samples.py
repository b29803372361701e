"""The sample elements on the style guide page, built with the components of the app."""

from collections.abc import Callable
from typing import Any

from frontend.app.components.chart import chart
from frontend.app.components.page_frame import medal
from frontend.app.components.sheet import Sheet
from frontend.app.components.toggle import toggle_field
from frontend.app.core.dom import button, el, picture, set_blocked_reason
from frontend.app.core.i18n import t
from frontend.app.core.types import Node

SEATS = 8
CHART_ROWS = ((0, 3, 3), (1, 5, 4), (2, 8, 9), (3, 12, 10))
"""Sample chart data, one row per turn: the turn, then the scores of two seats."""


def _do_nothing(*_event: object) -> None:
    """Do nothing; used as the action of sample buttons."""


def _player(seat: int) -> str:
    return t("Player {seat}", seat=seat + 1)


def _type(_theme: str) -> list[Node]:
    return [
        el("p", {"class": "as-h1"}, t("The caravan is home")),
        el("p", {"class": "as-h2"}, t("The last round")),
        el("p", {"class": "as-h3"}, t("What happened")),
        el("p", {}, t("How each game is played, in short and with pictures.")),
        el("p", {"class": "muted"}, t("No table waits for players just now.")),
        el("p", {"class": "figures"}, "0123456789"),
        el("p", {}, el("a", {"href": "/rules"}, t("The rules"))),
        el("p", {"class": "problem"}, t("This file cannot be read.")),
        el("p", {"class": "hint-line"}, t("It is your turn.")),
        el("div", {"class": "link code", "tabindex": "0", "translate": "no"}, "2345 6789"),
    ]


def _buttons(_theme: str) -> list[Node]:
    """Return the kinds of buttons: normal, hovered, focused and disabled; some also pressed."""
    kinds = (("", t("Look back")), ("primary", t("Sit down")), ("quiet", t("Skip")))
    rows = []
    for kind, label in kinds:
        barred = set_blocked_reason(button(label, _do_nothing, kind), t("It is not your turn."))
        states = [
            button(label, _do_nothing, f"{kind} {state}") for state in ("", "hovered", "focused")
        ]
        rows.append(el("div", {"class": "row"}, states, barred))
    signs = ("i-undo", "i-share", "i-whole")
    rows.append(
        el(
            "div",
            {"class": "row"},
            [button(t("Share"), _do_nothing, "round", sign) for sign in signs],
            set_blocked_reason(
                button(t("Share"), _do_nothing, "round quiet", "i-close"), t("It is not your turn.")
            ),
            button(t("Keep as a file"), _do_nothing, "", "i-save"),
        )
    )
    speeds = [(t("Slow"), "false"), (t("Even"), "true"), (t("Fast"), "false")]
    chosen = [el("button", {"type": "button", "aria-pressed": on}, text) for text, on in speeds]
    rows.append(el("div", {"class": "speeds", "role": "group", "aria-label": t("Speed")}, chosen))
    return rows


def _fields(theme: str) -> list[Node]:
    name = {"type": "text", "aria-label": t("Your name"), "placeholder": t("Your name")}
    count = {"type": "number", "aria-label": t("Players"), "value": 4, "min": 2, "max": 8}
    options = [el("option", {}, _player(seat)) for seat in range(3)]
    radios = []
    for at, text in enumerate((t("Person"), t("Bot"), t("Guest"))):
        field = {"type": "radio", "name": theme, "value": at, "checked": at == 0}
        radios.append(el("label", {}, el("input", field), el("span", {}, text)))
    small = t("a wooden click for a move, two notes when it is your turn")
    return [
        el("input", name),
        el("label", {"class": "number"}, el("span", {}, t("Players")), el("input", count)),
        el("select", {"aria-label": t("To whom")}, options),
        el("fieldset", {"class": "choice"}, el("legend", {}, t("Players")), radios),
        toggle_field(t("Sound and vibration"), small, True, _do_nothing),
        toggle_field(t("Hints"), t("what you may do, in a line at the table"), False, _do_nothing),
        el(
            "div",
            {"class": "history"},
            el(
                "input",
                {"type": "range", "aria-label": t("Moment of the game"), "max": 20, "value": 8},
            ),
        ),
    ]


def _cards(_theme: str) -> list[Node]:
    board = el("span", {"class": "small-board"}, picture("camel", 84))
    pips = [el("span", {"class": "pip", "style": f"background:var(--seat-{s})"}) for s in range(3)]
    tags = [
        el("span", {"class": "tag now"}, t("your turn")),
        el("span", {"class": "tag"}, t("finished")),
        el("span", {"class": "tag"}, t("seats open")),
    ]
    details = el(
        "div",
        {"class": "body"},
        el("strong", {}, t("The table")),
        el("div", {"class": "muted"}, _player(0)),
        el("div", {"class": "pips"}, pips),
        el("div", {"class": "state"}, tags[0]),
    )
    return [
        el("a", {"class": "table-card", "href": "/"}, board, details),
        el(
            "div",
            {"class": "card"},
            el("p", {}, t("Keep your identity")),
            el("div", {"class": "row"}, tags[1:]),
        ),
        el("div", {"class": "skeleton sample"}),
    ]


def _seats(_theme: str) -> list[Node]:
    lines = []
    for seat in range(SEATS):
        label = t("you") if seat == 0 else t("is here")
        name = el("span", {"class": "name"}, _player(seat))
        tag = el("span", {"class": "tag" + (" now" if seat == 0 else "")}, label)
        lines.append(el("div", {"class": "seat-line"}, medal(seat), name, tag))
    turns = []
    for seat in range(SEATS):
        text_node = el("span", {}, t("{names} to play", names=_player(seat)))
        tone = {"class": "turn", "style": f"--tone:var(--seat-{seat})"}
        turns.append(el("div", tone, picture("camel"), text_node))
    return [el("div", {"class": "card"}, lines), *turns]


def _messages(_theme: str) -> list[Node]:
    """Return notices, a toast, and a sheet: shown statically, and with a button that opens it."""
    sheet = Sheet(t("The result"), _podium())
    answers = [button(t("Decline"), _do_nothing), button(t("Agree"), _do_nothing, "primary")]
    asks = t("{who} asks to go back to {moment}.", who=_player(1), moment=t("the start"))
    return [
        el("div", {"class": "offline still-there"}, t("No connection.")),
        el(
            "div",
            {"class": "notices"},
            el("div", {"class": "notice"}, el("span", {}, t("The table has moved on."))),
            el(
                "div",
                {"class": "notice asking"},
                el("span", {"class": "asked"}, asks),
                el("div", {"class": "row"}, answers),
            ),
        ),
        el("div", {"class": "latest"}, el("span", {}, t("Agreed: the moves are taken back."))),
        el("div", {"class": "toast"}, t("The link is copied.")),
        el("div", {"class": "card sheet-inner"}, _sheet_bar(), _podium()),
        button(t("The result"), lambda _e: sheet.open()),
        sheet.node,
    ]


def _sheet_bar() -> Node:
    close = button(t("Close"), _do_nothing, "round quiet", "i-close")
    return el(
        "div", {"class": "sheet-bar"}, el("h4", {"class": "as-h2 grow"}, t("The result")), close
    )


def _podium() -> Node:
    places = []
    for seat, score in ((1, 31), (0, 27)):
        rank = el("span", {"class": "rank", "aria-hidden": "true"}, f"{2 - seat}.")
        name = el("strong", {"class": "whose"}, _player(seat))
        points = el("span", {"class": "score"}, str(score))
        places.append(el("li", {"style": f"--tone:var(--seat-{seat})"}, rank, name, points))
    return el("ol", {"class": "podium"}, places)


def _figures(_theme: str) -> list[Node]:
    points = [{"turn": turn, "values": values} for turn, *values in CHART_ROWS]
    return [chart(t("Standings"), points, [_player(0), _player(1)]), _podium()]


PARTS: tuple[tuple[Callable[[], str], Callable[[str], list[Any]]], ...] = (
    (lambda: t("Type"), _type),
    (lambda: t("Buttons"), _buttons),
    (lambda: t("Fields"), _fields),
    (lambda: t("Cards"), _cards),
    (lambda: t("Seats"), _seats),
    (lambda: t("What is said"), _messages),
    (lambda: t("Charts and results"), _figures),
)
"""Title and node factories of each part. The theme class passed in keeps names unique per theme."""
