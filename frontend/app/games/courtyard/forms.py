"""Forms for the parameters of a command: one of several choices, goods, the split of income.

Nothing is sent until the confirm button is pressed, whose label says what it does.
"""

from collections.abc import Callable, Sequence
from typing import Any

from domain.games.courtyard.board import GOAL_WEALTH, LAST_LIMIT, TOWERS
from frontend.app.components.primary_button import action_button
from frontend.app.core.dom import (
    announce,
    button,
    el,
    fill,
    picture,
    plain_button,
    set_blocked_reason,
)
from frontend.app.core.i18n import join_sentences
from frontend.app.core.types import Choice, Command, Data, DomEvent, Node
from frontend.app.games.courtyard.derived import amounts_by_good
from frontend.app.games.courtyard.i18n import t

Send = Callable[..., object]


def confirm_button(text: str, action: Send, does: str, name: str = "confirm") -> Node:
    """Return the confirm button of a form, which sends a command of type ``does``."""
    return action_button(text, action, does, does != "Discard", "confirm", name=name)


class ChoiceForm:
    """A form to choose one command: a chip for each, and a confirm button with its full label.

    ``short(choice)`` returns the content of a chip; ``send(command)`` plays the command.
    """

    def __init__(
        self, choices: Sequence[Choice], short: Callable[[Choice], Any], send: Send
    ) -> None:
        self.choices = choices
        self.send = send
        self.at = 0
        self.chips = [self._chip(i, short(choice)) for i, choice in enumerate(choices)]
        self.confirm = confirm_button("", self._on_confirm, choices[0]["command"]["type"])
        look = "chips" if len(choices) > 1 else "chips alone"
        chips = el("div", {"class": look}, self.chips)
        self.node = el("div", {"class": "form"}, chips, self.confirm)
        self._draw()

    def _chip(self, i: int, text: Any) -> Node:
        label = self.choices[i]["label"]

        def on_choose(_event: DomEvent) -> None:
            self.at = i
            self._draw()
            announce(label)

        return plain_button("chip", on_choose, text, name=f"chip-{i}", **{"aria-label": label})

    def _draw(self) -> None:
        for i, chip in enumerate(self.chips):
            chip.setAttribute("aria-pressed", "true" if i == self.at else "false")
        fill(self.confirm.lastChild, self.choices[self.at]["label"])

    def _on_confirm(self, _event: DomEvent) -> None:
        self.send(self.choices[self.at]["command"])


class GoodsForm:
    """A form to choose goods, with buttons for one more and one less of each.

    ``choices`` are all legal variants of one command with goods; ``back`` is the button that
    leaves the form. All goods stand in one row, so that the panel of a phone shows them together
    with the confirm button.
    """

    def __init__(
        self,
        choices: Sequence[Choice],
        goods: Any,
        question: str,
        send: Send,
        back: Node | None = None,
    ) -> None:
        self.send = send
        self.question = question
        self.stock = amounts_by_good(goods)
        self.choices_by_goods = {_key(choice["command"]["goods"]): choice for choice in choices}
        self.picked: dict[str, int] = {}
        self.counts = {good: el("b", {}) for good in self.stock}
        self.steps: dict[str, tuple[Node, Node]] = {}
        shelf = [self._good(good) for good in self.stock]
        self.confirm = confirm_button(question, self._on_confirm, choices[0]["command"]["type"])
        row = el("div", {"class": "goods-row"}, shelf)
        confirm_row = el("div", {"class": "confirm-row"}, back, self.confirm)
        self.node = el("div", {"class": "form"}, row, confirm_row)
        self._draw()

    def _good(self, good: str) -> Node:
        text = t("form.good", good=good)
        less = button(t("form.remove_one", good=text), self._adder(good, -1), "round", "i-minus")
        more = button(t("form.add_one", good=text), self._adder(good, 1), "round", "i-plus")
        less.name, more.name = f"less-{good}", f"more-{good}"
        self.steps[good] = (less, more)
        sign = picture("good-" + good, 20)
        count = el("span", {"class": "good-count"}, sign, self.counts[good])
        return el(
            "div", {"class": "good-tile", "role": "group", "aria-label": text}, more, count, less
        )

    def _adder(self, good: str, by: int) -> Callable[..., object]:
        def on_add(_event: DomEvent) -> None:
            now = self.picked.get(good, 0) + by
            self.picked[good] = max(0, min(self.stock[good], now))
            self._draw()
            announce(self._label())

        return on_add

    def _current_choice(self) -> Choice | None:
        return self.choices_by_goods.get(_key(self.picked))

    def _label(self) -> str:
        choice = self._current_choice()
        return choice["label"] if choice else self.question

    def _draw(self) -> None:
        for good, count in self.counts.items():
            held, picked = self.stock[good], self.picked.get(good, 0)
            less, more = self.steps[good]
            set_blocked_reason(less, None if picked else t("form.none_selected"))
            set_blocked_reason(more, t("form.no_more_held") if picked == held else None)
            fill(count, f"{picked}/{held}")
        fill(self.confirm.lastChild, self._label())
        set_blocked_reason(self.confirm, None if self._current_choice() else self._block_reason())

    def _block_reason(self) -> str:
        """Return why the selected goods cannot be confirmed."""
        numbers = [_count(choice["command"]["goods"]) for choice in self.choices_by_goods.values()]
        least, most, n = min(numbers), max(numbers), _count(self.picked)
        if not n:
            return t("form.select_goods")
        if n < least:
            return t("form.select_more", n=least - n)
        if n > most:
            return t("form.select_at_most", n=most)
        return t("form.goods_dont_fit")

    def _on_confirm(self, _event: DomEvent) -> None:
        choice = self._current_choice()
        if choice:
            self.send(choice["command"])


def _count(goods: Any) -> int:
    return sum([*amounts_by_good(goods).values()])


def _key(goods: Any) -> str:
    return str(list(amounts_by_good(goods).items()))


class IncomeForm:
    """A form to split an income between debt and purse; the rest goes to wealth.

    ``summary``: the wealth gained with the split; ``node``: the controls; ``after``: sentences
    about the consequences.
    """

    def __init__(self, player: Data, income: int, place: str) -> None:
        self.player = player
        self.place = place
        self.shares = {"repay": 0, "save": 0}
        self.summary = el("span", {"class": "split-rest"})
        self.node = el("div", {"class": "shelf split"})
        self.after = el("p", {"class": "after"})
        self.limit(income)

    def limit(self, income: int) -> None:
        """Set the income, and reduce shares that are now too large."""
        self.income = income
        self.shares["repay"] = min(self.shares["repay"], self._max_repaid())
        self.shares["save"] = min(self.shares["save"], self._max_saved())
        self._draw()

    def command(self) -> Command:
        """Return the command for the selected split."""
        return {"type": "Share", **self.shares}

    def _max_repaid(self) -> int:
        return int(min(self.income, self.player["debt"]))

    def _max_saved(self) -> int:
        room = self.player["purse"] - self.player["coins"]
        return int(min(self.income - self.shares["repay"], room))

    def _draw(self) -> None:
        rest = self._rest()
        wealth = self.player["wealth"] + rest
        text = t("form.wealth_change", before=self.player["wealth"], after=wealth)
        gain = el("b", {"class": "gain"}, t("form.wealth_gain", rest=rest))
        fill(self.summary, gain, " ", el("span", {"class": "muted"}, text))
        repay = self._share("repay", self._max_repaid())
        fill(self.node, repay, self._share("save", self._max_saved()))
        fill(self.after, self._consequences(wealth))

    def _rest(self) -> int:
        return self.income - sum([*self.shares.values()])

    def _share(self, name: str, most: int) -> Node | None:
        """Return the controls of a share, or None if there is nothing to choose."""
        value = self.shares[name]
        if most <= 0 and not value:
            return None
        less, more = t("form.save_less"), t("form.save_more")
        room = self.player["purse"] - self.player["coins"]
        text = t("form.save_of", n=value, most=room)
        if name == "repay":
            less, more = t("form.repay_less"), t("form.repay_more")
            text = t("form.repay_of", n=value, most=self.player["debt"])
        fewer = button(less, self._adder(name, -1), "round", "i-minus", name=f"less-{name}")
        further = button(more, self._adder(name, 1), "round", "i-plus", name=f"more-{name}")
        set_blocked_reason(fewer, None if value else t("form.no_income_there"))
        set_blocked_reason(further, self._why_full(name) if value >= most else None)
        shown = {"class": "shelf-good", f"data-{name}": value}
        return el("div", shown, fewer, el("b", {"class": "share"}, text), further)

    def _why_full(self, name: str) -> str:
        """Return why a share cannot be larger."""
        if name == "repay" and self.shares[name] == self.player["debt"]:
            return t("form.debt_paid")
        if name == "save" and self.player["coins"] + self.shares[name] == self.player["purse"]:
            return t("form.purse_full")
        return t("form.no_income_left")

    def _adder(self, name: str, by: int) -> Callable[..., object]:
        def on_add(event: DomEvent) -> None:
            self.shares[name] += by
            button_name = event.currentTarget.name
            self.limit(self.income)
            again = self.node.querySelector(f"[name={button_name}]")
            if again:
                again.focus()
            announce(t("share", **self.shares, rest=self._rest()))

        return on_add

    def _consequences(self, wealth: int) -> str:
        """Return sentences about the consequences of completing the order with this split."""
        parts = []
        if self.player["credit"] < LAST_LIMIT:
            parts.append(t("form.credit_rises"))
        if self.place in TOWERS:
            parts.append(t("form.fountain_rotates"))
        if wealth >= GOAL_WEALTH > self.player["wealth"]:
            parts.append(t("form.triggers_end"))
        return join_sentences(parts)
