"""The controls for secret choices: bidding gourds, allotting them and packing food bags."""

from collections.abc import Callable
from typing import Any

from domain.games.caravane.pace import suggest_gourds
from frontend.app.components.primary_button import action_button
from frontend.app.components.toggle import toggle_field
from frontend.app.core.dom import button, el, fill, patch, picture, plain_button, set_blocked_reason
from frontend.app.core.types import Choice, DomEvent, Node
from frontend.app.games.caravane.i18n import t

USUAL_GOURDS = {1: 15, 2: 25, 3: 20}


class BidControl:
    """The controls for a secret choice.

    ``play(choice, picked)`` is called with the confirmed choice, or None if none matches, and
    whether the user picked the number; ``now`` is the view model of the moment shown.
    ``suggests``: whether a bid is suggested, as in matches against bots.
    """

    def __init__(self, play: Callable[..., object], suggests: Callable[[], bool]) -> None:
        self.play = play
        self.suggests = suggests
        self.now: Any = None
        self.amount = 0
        self.with_bag = False
        self.picked = False

    def reset(self) -> None:
        """Reset the controls to a sensible default amount for the current choices."""
        now = self.now
        self.with_bag = self.picked = False
        self.amount = 0
        if now.choices:
            key, args = now.choices[0]["key"], now.choices[0]["args"]
            most = now.choices[-1]["args"].get("gourds", 0)
            if key in ("allot", "allot-rest"):
                self.amount = min(USUAL_GOURDS[args["stage"]], most)
            elif key in ("stay", "change"):
                self.amount = now.view["racers"][now.seat]["bid"]["gourds"]
            elif key == "bid" and self.suggests():
                self.amount = suggest_gourds(now.view, now.seat)

    def draw_bag_choice(self) -> Node:
        """Return a button for each assignment of the food bags to the stages."""
        rows = [self._pack_button(choice) for choice in self.now.choices]
        return el("div", {"class": "control"}, el("div", {"class": "packs"}, rows))

    def _pack_button(self, choice: Choice) -> Node:
        more = {"aria-label": t("panel.packing", **choice["args"])}
        row = button("", lambda _e: self.play(choice, False), "pack", **more)
        worths = [str(choice["args"][name]) for name in ("first", "second", "third")]
        bags = [el("span", {"class": "pack-bag"}, picture("sign-bag", 24), n) for n in worths]
        return fill(row, [[bag, " "] for bag in bags])

    def draw_gourd_choice(self) -> Node:
        """Return the amount control: confirm button, stepper, slider, chips and bag switch."""
        choices = self.now.choices
        most = choices[-1]["args"]["gourds"]
        quick = _chip_numbers(choices[0]["key"], most)
        self.chips = [(number, self._chip(number, most)) for number in quick]
        does = choices[0]["command"]["type"]
        self.confirm = action_button("", self._on_confirm, does, is_best=True, kind="confirm")
        self.slider = self._slider(most)
        group = {"class": "quick", "role": "group", "aria-label": t("panel.gourds")}
        self.output = el("output", {"class": "amount"})
        self.rest = el("p", {"class": "rest"})
        readout = el("div", {"class": "readout"}, self.output, self.rest)
        bottom = el("div", {"class": "bottom"}, readout, self.confirm)
        parts = [bottom, self._stepper(most), el("div", group, [chip for _, chip in self.chips])]
        if choices[-1]["key"] == "bid-bag":
            parts.append(toggle_field(t("panel.food_bag"), "", self.with_bag, self._set_bag))
        self._choose(self.amount)
        return el("div", {"class": "control"}, parts)

    def _slider(self, most: int) -> Node:
        given = {"type": "range", "min": 0, "max": most, "step": 1, "aria-label": t("panel.gourds")}
        return el("input", {**given, "oninput": lambda event: self._pick(int(event.target.value))})

    def _stepper(self, most: int) -> Node:
        """Return the slider between the buttons for one less and one more."""

        def nudge(label: str, sign: str, by: int) -> Node:
            return button(label, lambda _e: self._pick(self.amount + by), "round nudge", sign)

        self.less = nudge(t("panel.one_less"), "i-minus", -1)
        self.more = nudge(t("panel.one_more"), "i-plus", 1)
        slider = self.slider if most > 1 else None
        return el("div", {"class": "stepper"}, self.less, slider, self.more)

    def _chip(self, number: int, most: int) -> Node:
        text = t("panel.all", most=most) if number == most and most > 4 else str(number)
        more = {"data-number": number}
        return plain_button("quick-chip", lambda _e: self._pick(number), text, **more)

    def _set_bag(self, on: bool) -> None:
        self.with_bag = on
        self._pick(self.amount)

    def _on_confirm(self, _event: DomEvent) -> None:
        self.play(self._choice(), self.picked)

    def _pick(self, amount: int) -> None:
        """Select an amount picked by the user."""
        self.picked = True
        self._choose(amount)

    def _choose(self, amount: int) -> None:
        """Select an amount, clamped to the possible range, and update all controls."""
        most = self.now.choices[-1]["args"]["gourds"] if self.now.choices else 0
        self.amount = max(0, min(most, amount))
        fill(self.output, str(self.amount))
        self.slider.value = str(self.amount)
        set_blocked_reason(self.less, t("panel.below_zero") if self.amount == 0 else "")
        set_blocked_reason(self.more, t("panel.no_more", n=most) if self.amount == most else "")
        for number, chip in self.chips:
            patch(chip, {"aria-pressed": "true" if number == self.amount else "false"})
        choice = self._choice()
        if choice is not None:
            is_suggested = self.suggests() and not self.picked and choice["key"] == "bid"
            label = choice["label"]
            text = t("panel.suggested", label=label) if is_suggested else label
            fill(self.confirm.lastChild, text)
            fill(self.rest, _remainder_text(choice, most))

    def _choice(self) -> Choice | None:
        """Return the choice that matches the amount and the bag switch, or None."""
        wanted = (self.amount, self.with_bag)
        for choice in self.now.choices:
            if (choice["args"]["gourds"], choice["key"] == "bid-bag") == wanted:
                return choice
        return None


def _chip_numbers(key: str, most: int) -> list[Any]:
    """Return the amounts that get a chip: at most five, so that chips are large enough to tap."""
    usual = (10, 15, 20, 25) if key in ("allot", "allot-rest") else (0, 1, 2, 3)
    return [*[number for number in usual if number < most], most]


def _remainder_text(choice: Choice, most: int) -> str:
    """Return a text about the gourds that remain after a choice."""
    args = choice["args"]
    if choice["key"] == "allot-rest":
        return t("panel.rest_stage_2", rest=args["rest"])
    if choice["key"] == "allot":
        return t("panel.rest_stage_1", most=most - args["gourds"])
    return t("panel.rest", most=most, most2=most - args["gourds"])
