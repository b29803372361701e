"""A form for choosing an amount: kind, counter, and a preview of the result."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from domain.games.conquest.market import split_amount
from frontend.app.components.primary_button import action_button
from frontend.app.core.dom import announce, button, el, fill, picture, set_blocked_reason
from frontend.app.core.types import Command, Node
from frontend.app.games.conquest.i18n import t

AMOUNT_STEPS = (("−10", -10), ("−1", -1), ("+1", 1), ("+10", 10))


class AmountKind(Struct, frozen=True):
    """A kind of action whose amount is chosen, such as selling.

    ``most``: the maximum amount; ``label(n)``: the text of the confirm button; ``after(n)``: the
    text of the preview; ``command(n)``: the command for an amount that the rules offer.
    """

    name: str
    title: str
    sign: str
    most: int
    label: Callable[[int], str]
    after: Callable[[int], str]
    command: Callable[[int], Command]


class AmountForm:
    """The tabs of the kinds, a counter, and the confirm button.

    The rules offer only certain amounts, so an amount may be played as several commands.
    """

    def __init__(self, play: Callable[..., object]) -> None:
        self.play = play
        self.node = el("div", {"class": "amounts"})
        self.kinds: Sequence[AmountKind] = ()
        self.name = ""
        self.n = 1
        self.leave: Any = None
        self.where: Any = None

    def offer(self, where: Any, kinds: Sequence[AmountKind], leave: Node) -> None:
        """Show these kinds and the button ``leave``, which leaves the form without a choice.

        ``where`` identifies the panel: for a new one, the first kind is selected. A selection
        remains while it is possible; then nothing is selected, because otherwise the confirm button
        would change its action under the finger.
        """
        self.kinds = kinds
        self.leave = leave
        if where != self.where:
            self.where = where
            self._choose(kinds[0].name if kinds else "")
        elif self.kind is None:
            self._choose("")
        self._draw()

    @property
    def kind(self) -> AmountKind | None:
        """The selected kind, or None."""
        return next((kind for kind in self.kinds if kind.name == self.name), None)

    def _choose(self, name: str) -> None:
        self.name = name
        self.n = 1

    def _pick(self, name: str) -> None:
        self._choose(name)
        self._draw()

    def _count(self, more: int, to: int | None = None) -> None:
        """Change the amount by ``more`` or set it to ``to``, and announce it to screen readers."""
        kind = self.kind
        if kind is not None:
            n = self.n + more if to is None else to
            self.n = max(1, min(kind.most, n))
            self._draw()
            announce(kind.label(self.n))

    def _draw(self) -> None:
        kind = self.kind
        given = {"class": "amount-kinds", "role": "group", "aria-label": t("amount.kinds")}
        tabs = el("div", given, [self._tab(each) for each in self.kinds], self.leave)
        if kind is None:
            fill(self.node, tabs, el("p", {"class": "muted hint"}, t("amount.choose")))
        else:
            self.n = max(1, min(kind.most, self.n))
            fill(self.node, tabs, self._counter(kind), self._result(kind))

    def _tab(self, kind: AmountKind) -> Node:
        pressed = "true" if kind.name == self.name else "false"
        more = {"aria-pressed": pressed, "data-kind": kind.name}
        node = button(kind.title, lambda _e: self._pick(kind.name), "tab", **more)
        node.prepend(picture(kind.sign, 22))
        return node

    def _counter(self, kind: AmountKind) -> Node:
        full = "" if self.n < kind.most else t("amount.maximum", n=kind.most)
        least = "" if self.n > 1 else t("amount.minimum")
        text = t("amount.all", n=kind.most)
        # Away from the confirm button, so that a second tap near this one does not hit it.
        most = button(text, lambda _e: self._count(0, kind.most), "all")
        return el(
            "div",
            {"class": "counter", "role": "group", "aria-label": t("amount.amount")},
            set_blocked_reason(most, full),
            [self._step(text, more, least) for text, more in AMOUNT_STEPS[:2]],
            el("output", {"class": "figures", "data-number": self.n}, str(self.n)),
            [self._step(text, more, full) for text, more in AMOUNT_STEPS[2:]],
        )

    def _step(self, text: str, more: int, why: str) -> Node:
        return set_blocked_reason(button(text, lambda _e: self._count(more), "step"), why)

    def _result(self, kind: AmountKind) -> Node:
        n = self.n
        commands = [kind.command(each) for each in split_amount(n, kind.most)]
        does = type(commands[0]).__name__
        after = el("span", {"class": "after"}, kind.after(n))
        go = action_button(kind.label(n), lambda _e: self.play(*commands), does, does != "Jettison")
        return el("div", {"class": "settle"}, after, go)
