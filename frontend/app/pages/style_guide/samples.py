"""The sample elements on the style guide page, built with the components of the app."""

from collections.abc import Callable
from typing import Any

from frontend.app.components.chart import chart
from frontend.app.components.page_frame import medal
from frontend.app.components.sheet import Sheet
from frontend.app.components.toggle import toggle_field
from frontend.app.core.dom import button, el, muted_text, notice, picture, row, set_blocked_reason
from frontend.app.core.i18n import t
from frontend.app.core.types import Node

SEATS = 8
CHART_ROWS = ((0, 3, 3), (1, 5, 4), (2, 8, 9), (3, 12, 10))
"""Sample chart data, one row per turn: the turn, then the scores of two seats."""


def _do_nothing(*_event: object) -> None:
    """Do nothing; used as the action of sample buttons."""


def _player(seat: int) -> str:
    return t("player.number", seat=seat + 1)


def _type(_theme: str) -> list[Node]:
    return [
        el("p", {"class": "as-h1"}, t("result.safely_home")),
        el("p", {"class": "as-h2"}, t("review.last_round")),
        el("p", {"class": "as-h3"}, t("log.title")),
        el("p", {}, t("rules.intro")),
        muted_text(t("home.no_public_tables")),
        el("p", {"class": "figures"}, "0123456789"),
        el("p", {}, el("a", {"href": "/rules"}, t("rules.title"))),
        el("p", {"class": "problem"}, t("error.file_unreadable")),
        el("p", {"class": "hint-line"}, t("turn.your_turn_sentence")),
        el("div", {"class": "link code", "tabindex": "0", "translate": "no"}, "2345 6789"),
    ]


def _buttons(_theme: str) -> list[Node]:
    """Return the kinds of buttons: normal, hovered, focused and disabled; some also pressed."""
    kinds = (("", t("result.replay")), ("primary", t("seat.join")), ("quiet", t("lesson.skip")))
    rows = []
    for kind, label in kinds:
        barred = set_blocked_reason(button(label, _do_nothing, kind), t("error.not_your_turn"))
        states = [
            button(label, _do_nothing, f"{kind} {state}") for state in ("", "hovered", "focused")
        ]
        rows.append(row(states, barred))
    signs = ("i-undo", "i-share", "i-whole")
    rows.append(
        row(
            [button(t("share.share"), _do_nothing, "round", sign) for sign in signs],
            set_blocked_reason(
                button(t("share.share"), _do_nothing, "round quiet", "i-close"),
                t("error.not_your_turn"),
            ),
            button(t("setup.save_file"), _do_nothing, "", "i-save"),
        )
    )
    speeds = [
        (t("history.speed_slow"), "false"),
        (t("history.speed_normal"), "true"),
        (t("history.speed_fast"), "false"),
    ]
    chosen = [el("button", {"type": "button", "aria-pressed": on}, text) for text, on in speeds]
    rows.append(
        el("div", {"class": "speeds", "role": "group", "aria-label": t("history.speed")}, chosen)
    )
    return rows


def _fields(theme: str) -> list[Node]:
    name = {"type": "text", "aria-label": t("setup.your_name"), "placeholder": t("setup.your_name")}
    count = {"type": "number", "aria-label": t("setup.players"), "value": 4, "min": 2, "max": 8}
    options = [el("option", {}, _player(seat)) for seat in range(3)]
    radios = []
    for at, text in enumerate((t("setup.person"), t("setup.bot"), t("player.guest"))):
        field = {"type": "radio", "name": theme, "value": at, "checked": at == 0}
        radios.append(el("label", {}, el("input", field), el("span", {}, text)))
    return [
        el("input", name),
        el("label", {"class": "number"}, el("span", {}, t("setup.players")), el("input", count)),
        el("select", {"aria-label": t("chat.to")}, options),
        el("fieldset", {"class": "choice"}, el("legend", {}, t("setup.players")), radios),
        toggle_field(t("account.sound"), t("account.sound_hint"), True, _do_nothing),
        toggle_field(t("turn.hints"), t("turn.hints_hint"), False, _do_nothing),
        el(
            "div",
            {"class": "history"},
            el(
                "input",
                {"type": "range", "aria-label": t("history.position"), "max": 20, "value": 8},
            ),
        ),
    ]


def _cards(_theme: str) -> list[Node]:
    board = el("span", {"class": "small-board"}, picture("camel", 84))
    pips = [el("span", {"class": "pip", "style": f"background:var(--seat-{s})"}) for s in range(3)]
    tags = [
        el("span", {"class": "tag now"}, t("home.your_turn_tag")),
        el("span", {"class": "tag"}, t("home.finished")),
        el("span", {"class": "tag"}, t("home.seats_open")),
    ]
    details = el(
        "div",
        {"class": "body"},
        el("strong", {}, t("setup.preview_title")),
        el("div", {"class": "muted"}, _player(0)),
        el("div", {"class": "pips"}, pips),
        el("div", {"class": "state"}, tags[0]),
    )
    return [
        el("a", {"class": "table-card", "href": "/"}, board, details),
        el("div", {"class": "card"}, el("p", {}, t("account.back_up")), row(tags[1:])),
        el("div", {"class": "skeleton sample"}),
    ]


def _seats(_theme: str) -> list[Node]:
    lines = []
    for seat in range(SEATS):
        label = t("player.you_tag") if seat == 0 else t("player.is_here")
        name = el("span", {"class": "name"}, _player(seat))
        tag = el("span", {"class": "tag" + (" now" if seat == 0 else "")}, label)
        lines.append(el("div", {"class": "seat-line"}, medal(seat), name, tag))
    turns = []
    for seat in range(SEATS):
        text_node = el("span", {}, t("turn.to_play", names=_player(seat)))
        tone = {"class": "turn", "style": f"--tone:var(--seat-{seat})"}
        turns.append(el("div", tone, picture("camel"), text_node))
    return [el("div", {"class": "card"}, lines), *turns]


def _messages(_theme: str) -> list[Node]:
    """Return notices, a toast, and a sheet: shown statically, and with a button that opens it."""
    sheet = Sheet(t("result.title"), _podium())
    answers = [
        button(t("common.decline"), _do_nothing),
        button(t("common.agree"), _do_nothing, "primary"),
    ]
    asks = t("undo.asks_to", who=_player(1), moment=t("history.start_name"))
    return [
        el("div", {"class": "offline still-there"}, t("error.no_connection")),
        el(
            "div",
            {"class": "notices"},
            notice(t("error.moved_on")),
            el(
                "div",
                {"class": "notice asking"},
                el("span", {"class": "asked"}, asks),
                row(answers),
            ),
        ),
        el("div", {"class": "latest"}, el("span", {}, t("undo.accepted"))),
        el("div", {"class": "toast"}, t("share.link_copied")),
        el("div", {"class": "card sheet-inner"}, _sheet_bar(), _podium()),
        button(t("result.title"), lambda _e: sheet.open()),
        sheet.node,
    ]


def _sheet_bar() -> Node:
    close = button(t("common.close"), _do_nothing, "round quiet", "i-close")
    return el(
        "div", {"class": "sheet-bar"}, el("h4", {"class": "as-h2 grow"}, t("result.title")), close
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
    return [chart(t("review.standings"), points, [_player(0), _player(1)]), _podium()]


PARTS: tuple[tuple[Callable[[], str], Callable[[str], list[Any]]], ...] = (
    (lambda: t("style.typography"), _type),
    (lambda: t("style.buttons"), _buttons),
    (lambda: t("style.fields"), _fields),
    (lambda: t("style.cards"), _cards),
    (lambda: t("style.seats"), _seats),
    (lambda: t("style.messages"), _messages),
    (lambda: t("style.charts"), _figures),
)
"""Title and node factories of each part. The theme class passed in keeps names unique per theme."""
