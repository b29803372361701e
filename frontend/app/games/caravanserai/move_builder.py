"""The tray for building a move: available kinds, progress, and pieces returned from the tail."""

from typing import Any

from domain.games.caravanserai.commands import TakeFrom
from domain.games.caravanserai.legal_commands import omission_reason
from domain.games.caravanserai.pieces import COLOURS
from domain.games.caravanserai.state import STANDING
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import button, el, fill, patch, picture, set_blocked_reason
from frontend.app.core.i18n import join_list, join_sentences
from frontend.app.core.types import Command, Node
from frontend.app.games.caravanserai import move_selection
from frontend.app.games.caravanserai.actions import ACTIONS
from frontend.app.games.caravanserai.i18n import t
from frontend.app.games.caravanserai.refusals import explain_kind

KIND_NAMES = {"camel": t("group-PlaceCamel"), "lying": t("builder.lay_camel_down")}
AIM_TEXTS = {"start": t("builder.tap_to_start"), "set": t("builder.tap_to_place")}
OMISSION_TEXTS = {
    "match": t("count.match"),
    "plain": t("count.plain"),
    "other": t("count.other"),
    "mixed": t("count.mixed"),
    "returned": t("count.returned"),
}


class MoveBuilder:
    """The tray below the board; calls ``pick(kind)`` when a kind is tapped.

    It displays the state of a `move_selection.MoveSelection`.
    """

    def __init__(self, host: ScreenHost, pick: Any) -> None:
        self.host = host
        self.pick = pick
        self.now: Any = None
        self.choosing: Any = None
        self.node = el("div", {"class": "tray"})

    def draw(self, now: ViewModel, choosing: Any) -> None:
        """Draw the kinds, the current step, the blocks laid and the pieces to return.

        What can be tapped is above what grows during a turn. On other players' turns only the
        blocks laid and the pieces to return are shown.
        """
        self.now = now
        self.choosing = choosing
        placement = now.view["placement"]
        mine = now.seat is not None and now.live
        summary = self._summary(placement) if placement is not None else []
        patch(self.node, {"class": "tray mine" if mine else "tray"})
        if not mine:
            fill(self.node, summary)
            return
        step = el("div", {"class": "step"}, self._step(placement))
        fill(self.node, self._kinds(), step, summary)

    def _step(self, placement: Any) -> Node | None:
        """Return the controls of the current step, or None if there is nothing to do."""
        givers = [c for c in self.now.choices if type(c) is TakeFrom]
        if givers:
            return el("div", {"class": "row"}, [self._giver(command) for command in givers])
        if self.choosing.found:
            return self._block(placement)
        if self.choosing.targets:
            return self._aim()
        return None

    def _aim(self) -> Node:
        """Return the controls of a single-cell move: a hint, then the confirm button."""
        setting = self.now.view["step"] == "set"
        if self.choosing.target is None:
            text = AIM_TEXTS["set" if setting else "start"]
            return el("div", {"class": "sum block-now"}, el("span", {}, text))
        command = self.choosing.targets[self.choosing.target]
        name = self.now.view["names"][self.choosing.target]
        sign = picture("good-" + command.colour if setting else "camel", 28)
        text = (
            t("builder.good_on_cell", colour=command.colour, name=name)
            if setting
            else t("builder.start_at", name=name)
        )
        play = ACTIONS.button(
            t("builder.place_good") if setting else t("builder.start_here"),
            lambda _e: self.host.play(command),
            type(command).__name__,
            is_best=True,
            # The accessible name starts with the visible label, for voice control.
            **{
                "aria-label": t("builder.place_good_named", words=text)
                if setting
                else t("builder.start_here_named", name=name)
            },
        )
        return el("div", {"class": "sum block-now"}, sign, el("span", {}, text), play)

    def _giver(self, command: Command) -> Node:
        seat = command.whom
        name = self.host.names()[seat]
        return button(
            t("choice.take_from", name=name),
            lambda _e: self.host.play(command),
            "grow",
            style=f"--tone:var(--seat-{seat});border-color:var(--tone)",
        )

    def _kinds(self) -> Node:
        """Return buttons for all kinds with their counts; impossible ones are blocked."""
        now = self.now
        player = now.view["players"][now.seat]
        possible = move_selection.possible_kinds(
            move_selection.filter_candidates(self.choosing.found, None, self.choosing.path)
        )
        anywhere = move_selection.possible_kinds(self.choosing.found)
        kinds = el("div", {"class": "kinds", "role": "group", "aria-label": t("builder.kinds")})
        for colour in COLOURS:
            kinds.append(self._kind(colour, player["goods"][colour], possible, anywhere))
        if now.view["expert"]:
            kinds.append(self._kind("lying", None, possible, anywhere))
        kinds.append(self._kind("camel", player["camels"], possible, anywhere))
        return kinds

    def _kind(self, kind: str, count: int | None, possible: Any, anywhere: Any) -> Node:
        name = KIND_NAMES.get(kind) or t("colour.name", colour=kind)
        if count is None:
            name = t("builder.kind_lying", name=name)
        else:
            name = t("builder.kind_count", name=name, count=count)
        sign = kind if kind in ("camel", "lying") else "good-" + kind
        usable = kind in possible or (kind in anywhere and not self.choosing.path)
        attributes = {
            "type": "button",
            "class": "kind",
            "data-kind": kind,
            "aria-pressed": "true" if self.choosing.kind == kind else "false",
            "aria-label": name,
            "style": f"color:var(--seat-{self.now.seat})" if sign == kind else None,
            "onclick": lambda _e: self.pick(kind),
        }
        under = t("builder.lying") if kind == "lying" else str(count)
        word = el("span", {"style": "color:var(--ink)"}, under)
        node = el("button", attributes, picture(sign), word)
        return (
            node
            if usable
            else set_blocked_reason(node, explain_kind(self.host.match, self.choosing, kind))
        )

    def _block(self, placement: Any) -> Node:
        """Return the block so far, a text about its count, and the buttons that complete it."""
        sizes = placement["sizes"]
        kind, path = self.choosing.kind, self.choosing.path
        if kind in KIND_NAMES:
            return self._single(kind, path)
        whole = (
            move_selection.complete_moves(self.choosing.found, kind, path) if kind and path else []
        )
        if len(whole) > 1:
            return el("div", {"class": "row"}, [self._variant(move) for move in whole])
        slots = [
            picture("good-" + kind)
            if kind and number < len(path)
            else el("span", {"class": "slot"})
            for number in range(sizes[-1])
        ]
        beads = el("span", {"class": "beads", "style": "gap:4px"}, slots)
        text_node = el("span", {}, self._next_step(sizes, whole))
        line = el("div", {"class": "sum block-now"}, beads, text_node)
        if whole:
            line.append(
                self._lay_button(
                    whole[0],
                    t("builder.lay", path=len(path)),
                    t("builder.lay_colour", path=len(path), colour=kind),
                )
            )
        return line

    def _single(self, kind: str, path: Any) -> Node:
        """Return the controls for a camel: a hint or the chosen cell's button that lays it."""
        text = KIND_NAMES[kind]
        if not path:
            text = t("builder.tap_marked_cell", name=text)
        sign = picture(kind, 28, style=self._ink(self.now.seat))
        line = el("div", {"class": "sum block-now"}, sign, el("span", {}, text))
        for move in move_selection.complete_moves(self.choosing.found, kind, path):
            line.append(self._lay_button(move, t("builder.lay_here"), text))
        return line

    def _next_step(self, sizes: list[int], whole: list[Any]) -> str:
        """Return a text with the next step for the block, or about its count if it is complete."""
        said = t("builder.sizes", sizes=sizes)
        kind, path = self.choosing.kind, self.choosing.path
        if kind is None:
            if path:
                return t("builder.choose_colour", said=said)
            return t("builder.tap_cell_or_colour", said=said)
        if not path:
            return t("builder.tap_place", said=said)
        if whole:
            count = t("builder.block_complete", path=len(path), said=said)
            return join_sentences([count, self._omission_text(whole[0])])
        return t("builder.next_cell", path=len(path), said=said)

    def _omission_text(self, move: Any) -> str:
        """Return a text saying whether and why the block will be omitted from the count."""
        colour, path, declined, _ = move
        state = self.now.state
        colours = state.board.colours
        returned = [
            cell
            for cell in path
            if state.ground[cell] == STANDING and (colours[cell] != colour or cell in declined)
        ]
        return OMISSION_TEXTS[omission_reason(state.board, colour, path, returned)]

    def _lay_button(self, move: Any, text: str, said: str) -> Node:
        command = move[3]
        return ACTIONS.button(
            text,
            lambda _e: self.host.commit(command),
            type(command).__name__,
            is_best=True,
            **{"aria-label": said},
        )

    def _variant(self, move: Any) -> Node:
        """Return the button of a variant that uses or sends back standing goods."""
        names = self.now.state.board.names
        if move[2]:
            text = t("builder.return_goods", cells=join_list([names[cell] for cell in move[2]]))
        else:
            text = t("builder.use_good")
        small = el("small", {"style": "display:block;font-weight:400"}, self._omission_text(move))
        kind = "grow" if move[2] else "grow uses-good"
        node = button(text, lambda _e: self.host.commit(move[3]), kind)
        node.lastChild.append(small)
        return node

    def _summary(self, placement: Any) -> list[Any]:
        """Return the blocks laid, the count and the pieces to return; empty if none are laid."""
        named = {"role": "group", "aria-label": t("count.laid_this_turn"), "tabindex": "0"}
        chips = el("div", {"class": "blocks", **named})
        for block in placement["blocks"]:
            chips.append(self._chip(block))
        if not placement["blocks"]:
            return []
        beads = [
            picture("good-" + kind)
            if kind in COLOURS
            else picture(kind, style=self._ink(placement["seat"]))
            for _, _, kind in placement["gives_back"]
        ]
        line = el(
            "div",
            {"class": "sum", "tabindex": "0"},
            _count(placement),
            el("span", {"class": "beads"}, beads),
        )
        return [chips, line]

    def _ink(self, seat: int) -> str:
        return f"color:var(--seat-{seat})"

    def _chip(self, block: Any) -> Node:
        kind = block["kind"]
        if kind not in COLOURS:
            word = t("count.lying_camel") if kind == "lying" else t("count.camel")
            return el("div", {"class": "block"}, picture(kind), word)
        beads = [picture("good-" + kind) for _ in range(block["size"])]
        why = OMISSION_TEXTS[block["why"]]
        return el(
            "div",
            {
                "class": "block omitted" if block["omitted"] else "block",
                "title": t("why-" + block["why"]),
            },
            el("span", {"class": "beads"}, beads),
            el("span", {}, why),
        )


def _count(placement: Any) -> str:
    """Return the calculation of how many pieces are returned from the tail, as a text."""
    said = {
        "laid": placement["pieces"],
        "omitted": placement["omitted"],
        "back": placement["count_with_camel"],
    }
    if placement["closed"]:
        if placement["omitted"]:
            return t("count.closed_omitted", **said)
        return t("count.closed", **said)
    if placement["omitted"]:
        return t("count.open_omitted", **said)
    return t("count.open", **said)
