"""The sheet with the list of all legal moves."""

from collections.abc import Callable

from _native import add_listener

from frontend.app.components.move_groups import MoveGroup
from frontend.app.components.secret_cover import cover_move_list
from frontend.app.components.sheet import Sheet
from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core.dom import button, el, fill, muted_text
from frontend.app.core.i18n import t
from frontend.app.core.types import Choice, Data, DomEvent, Node
from frontend.app.match.screen_host import MatchScreenHost


class MoveList:
    """The list of the moves at the moment shown, in ``sheet``.

    ``get_view_model()`` returns the view model of that moment; ``above``: the node above the list.
    """

    def __init__(
        self,
        context: MatchContext,
        host: MatchScreenHost,
        get_view_model: Callable[[], ViewModel],
        above: Node,
    ) -> None:
        self.context = context
        self.host = host
        self.screen = host.screen
        self.get_view_model = get_view_model
        self.groups: dict[str, MoveGroup] = {}
        self.node = el("div", {"class": "moves"})
        self.sheet = Sheet(t("turn.all_legal_moves"), [above, self.node])
        self.sheet.node.classList.add("low")
        self.sheet.on_close(self._on_close)
        if context.match.has_secrets:
            cover_move_list(self.sheet, self.node, context.listeners)
        context.moment_changed.subscribe(self._on_moment)

    def open(self) -> None:
        """Fill the list and open its sheet."""
        self._fill(self.get_view_model())
        self.sheet.open()

    def _on_moment(self, view_model: ViewModel) -> None:
        if self.sheet.is_open:
            self._fill(view_model)

    def _on_close(self) -> None:
        self.groups = {}
        self.screen.highlight(None)

    def _fill(self, view_model: ViewModel) -> None:
        if view_model.seat is None or not view_model.has_choices:
            fill(self.node, muted_text(t("error.not_your_turn")))
            return
        groups = [self._group(group, view_model) for group in view_model.unlisted_groups()]
        self.groups = {group.group["type"]: group for group in groups}
        short = [self._move(choice, view_model) for choice in view_model.choices]
        fill(self.node, short, [group.node for group in groups])

    def _group(self, group: Data, view_model: ViewModel) -> MoveGroup:
        """Build the line of a group of moves.

        Reuses the previous line for the same version and seat; otherwise a group that was open
        stays open.
        """
        assert view_model.seat is not None
        before = self.groups.get(group["type"])
        if before is not None and before.at == (view_model.version, view_model.seat):
            return before
        line = MoveGroup(
            group,
            view_model.seat,
            view_model.version,
            self.context.address,
            lambda choice: self._move(choice, view_model),
        )
        if before is not None and before.is_open:
            line.open()
        return line

    def _move(self, choice: Choice, view_model: ViewModel) -> Node:
        command = self.screen.command(choice)

        def on_choose(_event: DomEvent) -> None:
            self.sheet.close()
            self.host.play(command)

        node = button(self.screen.label(choice, view_model), on_choose)
        for name, lit in (("focus", choice), ("pointerenter", choice), ("pointerleave", None)):
            add_listener(node, name, lambda _e, lit=lit: self.screen.highlight(lit))
        return node
