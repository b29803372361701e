"""Forking a match from any moment, and the lineage of a match."""

from collections.abc import Callable, Sequence
from typing import Any

from domain.text.i18n import N_
from frontend.app.api import client, session
from frontend.app.components.menu_button import button_text
from frontend.app.components.share import share
from frontend.app.components.sheet import Sheet
from frontend.app.contract import provenance
from frontend.app.contract.context import MatchContext
from frontend.app.core.dom import button, el, fill, muted_text, picture, plain_button, stack
from frontend.app.core.i18n import NODE_PLACEHOLDER, insert_nodes, join_and, join_list, t
from frontend.app.core.match_ids import is_local_match, is_local_path, is_trial
from frontend.app.core.problem import show_problem
from frontend.app.core.single_flight import SingleFlight
from frontend.app.core.types import Callback, Data, DomEvent, Navigate, Node

MID_MOVE_TEXT = N_("fork.mid_move")


class ForkSheet:
    """The sheet "Play on from here".

    ``path``: the API path of the match; ``navigate(address)`` opens a page.
    """

    def __init__(self, path: str, navigate: Navigate) -> None:
        self.path = path
        self.navigate = navigate
        self.body = stack()
        self.sheet = Sheet(t("fork.from_here"), self.body)
        self.flight = SingleFlight()

    def open(
        self,
        match: Data,
        version: int,
        where: str,
        last_text: Any,
        link: str,
        is_earlier: bool = False,
    ) -> None:
        """Open the sheet with the kinds of fork from a version, and a button to share the moment.

        ``where``: a phrase that names the version; ``last_text``: the latest event text up to it;
        ``link``: the address to share; ``is_earlier``: whether the moment is in the middle of a
        decision, so that ``version`` is the last one before it that a fork can start from.
        """
        fill(
            self.body,
            el(
                "p",
                {},
                t("fork.intro", where=where),
                " ",
                t("format.quoted", label=last_text),
                " ",
                t("fork.original_stays"),
            ),
            muted_text(t(MID_MOVE_TEXT)) if is_earlier else None,
            *self._fork_buttons(match, version),
            None
            if is_local_match(match["id"])
            else button(t("fork.share_position"), lambda _e: share(link), "quiet", "i-share"),
        )
        self.sheet.open()

    def _fork_buttons(self, match: Data, version: int) -> list[Node]:
        """Build the buttons for the kinds of fork."""
        seats = match["seats"]
        if len(seats) == 1:
            return [self._fork_choice(t("home.play_solo"), t("fork.solo_hint"), {"at": version})]

        def build(title: str, text: str, kinds: list[str]) -> Node:
            body = {"at": version, "seats": [{"kind": kind} for kind in kinds]}
            return self._fork_choice(title, text, body)

        held = [seat["seat"] for seat in seats if seat["you"]]
        others = [seat["name"] for seat in seats if seat["kind"] == "human" and not seat["you"]]
        # The seats that this device plays in a fork against bots.
        mine = held or match["to_act"][:1] or [0]
        people = [seats[seat]["name"] or t("player.seat_number", seat=seat + 1) for seat in mine]
        bots = ["me" if seat["seat"] in mine else "bot" for seat in seats]
        buttons = [
            build(t("home.play_bots"), t("fork.bots_hint", who=join_and(people)), bots),
            build(t("fork.one_phone"), t("fork.one_phone_hint"), ["me"] * len(seats)),
        ]
        if held and others:
            text = t("fork.same_players_hint", names=join_list(others))
            buttons.insert(0, build(t("fork.same_players"), text, ["same"] * len(seats)))
        return buttons

    def _fork_choice(self, title: str, text: str, body: Data) -> Node:
        def on_choose(_event: DomEvent) -> None:
            self.flight.run(self._fork, (body,), done, show_problem)

        def done(match: Data) -> None:
            self.sheet.close()
            self.navigate(f"/m/{match['id']}")

        return plain_button("way", on_choose, picture("i-fork", 26), button_text(title, text))

    def _fork(self, body: Data, done: Callback, failed: Callback) -> None:
        """Create a match from the version in ``body``, as a guest if the device has no player."""

        def send() -> None:
            client.send(self.path + "/fork", body, done, failed)

        if is_local_path(self.path):
            send()
        else:
            session.ensure_player(session.current["name"], send, failed)


def short_id(match_id: Any) -> str:
    """Return the first eight characters of a match id, shown as the name of the match."""
    return match_id[:8]


def lineage(match: Data, move: Any) -> list[Node | None] | None:
    """Build the paragraphs on the origin and the forks of a match, or return None if it has none.

    ``move(version)`` returns the name of a version of this match.
    """
    parts = [provenance.origin_paragraph(match)] if "signed" in match else []
    origin = match.get("forked_from")
    if origin:
        address = f"/m/{origin['match']}?v={origin['version']}"
        link = el("a", {"href": address}, t("fork.game", name=short_id(origin["match"])))
        parts.append(
            _lineage_line(insert_nodes(t("fork.forked_from", match=NODE_PLACEHOLDER), link))
        )
    forks = match.get("forks") or ()
    if forks:
        links: list[Any] = []
        for number, fork in enumerate(forks):
            links.append(t("format.list_separator") if number else "")
            links.append(_fork_link(fork, move(fork["version"])))
        text = t("fork.continued_from", moments=NODE_PLACEHOLDER)
        parts.append(_lineage_line(insert_nodes(text, *links)))
    return parts or None


class Lineage:
    """The origin of a match and its forks (``node``); empty in a trial.

    A local match has its origin only in its menu: a practice game need not speak of servers.
    """

    def __init__(self, context: MatchContext) -> None:
        self.match = context.match
        self.is_local = is_local_match(context.id)
        self.forks: Sequence[Data] = ()
        self.node = el("div", {"class": "lineages"})
        if not is_trial(context.id):
            context.match_changed.subscribe(self._update)

    def _update(self, _texts: Sequence[str]) -> None:
        self.forks = self.match.data.get("forks", self.forks)
        data = {**self.match.data, "forks": self.forks}
        if self.is_local:
            data.pop("signed", None)
        fill(self.node, lineage(data, self.match.move_name))


def _fork_link(fork: Data, moment: str) -> Node:
    """Build the link to a fork, named after the moment it starts from."""
    label = t("fork.game_from", name=short_id(fork["match"]), words=moment)
    return el("a", {"href": f"/m/{fork['match']}", "aria-label": label}, moment)


def _lineage_line(text: list[Any]) -> Node:
    return el("p", {"class": "lineage"}, picture("i-fork", 18), el("span", {}, text))


def fork_button(action: Callable[..., object]) -> Node:
    """Build the "Play on from here" button, which calls ``action`` when tapped."""
    return button(t("fork.from_here"), action, "round", "i-fork")
