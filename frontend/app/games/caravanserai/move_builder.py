"""The tray for building a move: available kinds, progress, and pieces returned from the tail."""

from typing import Any

from domain.games.caravanserai.commands import TakeFrom
from domain.games.caravanserai.legal_commands import omission_reason
from domain.games.caravanserai.pieces import COLOURS
from domain.games.caravanserai.state import STANDING
from frontend.app.components.primary_button import action_button
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import (
    button,
    el,
    fill,
    patch,
    picture,
    plain_button,
    set_blocked_reason,
    tone,
)
from frontend.app.core.i18n import join_list, join_sentences
from frontend.app.core.types import Command, Node
from frontend.app.games.caravanserai.i18n import t
from frontend.app.games.caravanserai.move_selection import filter_candidates, possible_kinds
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
    """The tray below the board, which shows the state of a `MoveSelection`, ``choosing``.

    ``pick(kind)`` is called when a kind is tapped.
    """

    def __init__(self, host: ScreenHost, choosing: Any, pick: Any) -> None:
        self.host = host
        self.choosing = choosing
        self.pick = pick
        self.now: Any = None
        self.node = el("div", {"class": "tray"})

    def draw(self, now: ViewModel) -> None:
        """Draw the kinds, the current step, the blocks laid and the pieces to return.

        What can be tapped is above what grows during a turn. On other players' turns only the
        blocks laid and the pieces to return are shown.
        """
        self.now = now
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
        if setting:
            sign = picture("good-" + command.colour, 28)
            text = t("builder.good_on_cell", colour=command.colour, name=name)
            label, said = t("builder.place_good"), t("builder.place_good_named", words=text)
        else:
            sign, text = picture("camel", 28), t("builder.start_at", name=name)
            label, said = t("builder.start_here"), t("builder.start_here_named", name=name)
        # The accessible name starts with the visible label, for voice control.
        play = self._play_button(command, label, said, self.host.play)
        return el("div", {"class": "sum block-now"}, sign, el("span", {}, text), play)

    def _giver(self, command: Command) -> Node:
        text = t("choice.take_from", name=self.host.match.names[command.whom])
        style = f"{tone(command.whom)};border-color:var(--tone)"
        return button(text, lambda _e: self.host.play(command), "grow", style=style)

    def _kinds(self) -> Node:
        """Return buttons for all kinds with their counts; impossible ones are blocked."""
        now, found = self.now, self.choosing.found
        player = now.view["players"][now.seat]
        possible = possible_kinds(filter_candidates(found, None, self.choosing.path))
        anywhere = possible_kinds(found)
        counts: dict[str, int | None] = {colour: player["goods"][colour] for colour in COLOURS}
        if now.view["expert"]:
            counts["lying"] = None
        counts["camel"] = player["camels"]
        kinds = [self._kind(kind, count, possible, anywhere) for kind, count in counts.items()]
        given = {"class": "kinds", "role": "group", "aria-label": t("builder.kinds")}
        return el("div", given, kinds)

    def _kind(self, kind: str, count: int | None, possible: Any, anywhere: Any) -> Node:
        name = KIND_NAMES.get(kind) or t("colour.name", colour=kind)
        if count is None:
            name = t("builder.kind_lying", name=name)
        else:
            name = t("builder.kind_count", name=name, count=count)
        sign = kind if kind in KIND_NAMES else "good-" + kind
        given = {
            "data-kind": kind,
            "aria-pressed": "true" if self.choosing.kind == kind else "false",
            "aria-label": name,
            "style": self._ink(self.now.seat) if sign == kind else None,
        }
        under = t("builder.lying") if kind == "lying" else str(count)
        word = el("span", {"style": "color:var(--ink)"}, under)
        node = plain_button("kind", lambda _e: self.pick(kind), picture(sign), word, **given)
        usable = kind in possible or (kind in anywhere and not self.choosing.path)
        reason = "" if usable else explain_kind(self.host.match, self.choosing, kind)
        return set_blocked_reason(node, reason)

    def _block(self, placement: Any) -> Node:
        """Return the block so far, a text about its count, and the buttons that complete it."""
        sizes = placement["sizes"]
        kind, path = self.choosing.kind, self.choosing.path
        if kind in KIND_NAMES:
            return self._single(kind, path)
        whole = self.choosing.complete_moves()
        if len(whole) > 1:
            return el("div", {"class": "row"}, [self._variant(move) for move in whole])
        laid = len(path) if kind else 0
        slots = [picture(f"good-{kind}") for _ in range(min(laid, sizes[-1]))]
        slots += [el("span", {"class": "slot"}) for _ in range(laid, sizes[-1])]
        beads = el("span", {"class": "beads", "style": "gap:4px"}, slots)
        line = el("div", {"class": "sum block-now"}, beads)
        line.append(el("span", {}, self._next_step(sizes, whole)))
        if whole:
            said = t("builder.lay_colour", path=len(path), colour=kind)
            line.append(self._lay_button(whole[0], t("builder.lay", path=len(path)), said))
        return line

    def _single(self, kind: str, path: Any) -> Node:
        """Return the controls for a camel: a hint or the chosen cell's button that lays it."""
        text = KIND_NAMES[kind]
        if not path:
            text = t("builder.tap_marked_cell", name=text)
        sign = picture(kind, 28, style=self._ink(self.now.seat))
        line = el("div", {"class": "sum block-now"}, sign, el("span", {}, text))
        for move in self.choosing.complete_moves():
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
        standing = [cell for cell in path if state.ground[cell] == STANDING]
        colours = state.board.colours
        returned = [cell for cell in standing if colours[cell] != colour or cell in declined]
        return OMISSION_TEXTS[omission_reason(state.board, colour, path, returned)]

    def _lay_button(self, move: Any, text: str, said: str) -> Node:
        return self._play_button(move[3], text, said, self.host.commit)

    def _play_button(self, command: Command, text: str, said: str, play: Any) -> Node:
        does, more = type(command).__name__, {"aria-label": said}
        return action_button(text, lambda _e: play(command), does, is_best=True, **more)

    def _variant(self, move: Any) -> Node:
        """Return the button of a variant that uses or sends back standing goods."""
        names = self.now.state.board.names
        text, kind = t("builder.use_good"), "grow uses-good"
        if move[2]:
            text = t("builder.return_goods", cells=join_list([names[cell] for cell in move[2]]))
            kind = "grow"
        small = el("small", {"style": "display:block;font-weight:400"}, self._omission_text(move))
        node = button(text, lambda _e: self.host.commit(move[3]), kind)
        node.lastChild.append(small)
        return node

    def _summary(self, placement: Any) -> list[Any]:
        """Return the blocks laid, the count and the pieces to return; empty if none are laid."""
        if not placement["blocks"]:
            return []
        named = {"role": "group", "aria-label": t("count.laid_this_turn"), "tabindex": "0"}
        blocks = [self._chip(block) for block in placement["blocks"]]
        ink = self._ink(placement["seat"])
        beads = [
            picture("good-" + kind) if kind in COLOURS else picture(kind, style=ink)
            for _, _, kind in placement["gives_back"]
        ]
        line = [_count(placement), el("span", {"class": "beads"}, beads)]
        return [
            el("div", {"class": "blocks", **named}, blocks),
            el("div", {"class": "sum", "tabindex": "0"}, line),
        ]

    def _ink(self, seat: int) -> str:
        return f"color:var(--seat-{seat})"

    def _chip(self, block: Any) -> Node:
        kind = block["kind"]
        if kind not in COLOURS:
            word = t("count.lying_camel") if kind == "lying" else t("count.camel")
            return el("div", {"class": "block"}, picture(kind), word)
        beads = [picture("good-" + kind) for _ in range(block["size"])]
        look = "block omitted" if block["omitted"] else "block"
        why = el("span", {}, OMISSION_TEXTS[block["why"]])
        given = {"class": look, "title": t("why-" + block["why"])}
        return el("div", given, el("span", {"class": "beads"}, beads), why)


def _count(placement: Any) -> str:
    """Return the calculation of how many pieces are returned from the tail, as a text."""
    omitted = placement["omitted"]
    said = {
        "laid": placement["pieces"],
        "omitted": omitted,
        "back": placement["count_with_camel"],
    }
    if placement["closed"]:
        return t("count.closed_omitted", **said) if omitted else t("count.closed", **said)
    return t("count.open_omitted", **said) if omitted else t("count.open", **said)
