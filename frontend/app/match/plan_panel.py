"""Conditional moves: a plan of what this device's seat plays after the others have moved.

The service stores the plan, shows it only to its seat, and plays it. This module shows it in words
and edits it.
"""

from typing import Any

from _native import dumps, fill

from frontend.app.api import client
from frontend.app.components.move_groups import MoveGroup
from frontend.app.components.secret_cover import cover_move_list
from frontend.app.components.sheet import Sheet
from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core import match_ids
from frontend.app.core.dom import after, button, el, patch, toast
from frontend.app.core.i18n import join_list, join_sentences, t
from frontend.app.core.problem import Problem
from frontend.app.core.single_flight import SingleFlight
from frontend.app.core.types import Choice, Data, DomEvent, Event, Node

NO_PLAN: Data = {"version": None, "branches": [], "dropped": None, "played": None}
POLL_INTERVAL_MS = 3000  # milliseconds between two requests for a plan that is about to be played


class PlanPanel:
    """The plan of this device's seat; inactive unless it holds exactly one in a non-local match.

    ``line``: the button in the dock that opens the plan; ``banner``: the outcome of the plan;
    ``trial``: the link in the move list to a private copy of the match.
    """

    def __init__(self, context: MatchContext) -> None:
        self.context = context
        match = context.match
        held = match.own_seats()
        self.can_plan = len(held) == 1 and not match_ids.is_local_match(context.id)
        self.seat: int = held[0] if self.can_plan else 0
        self.is_open_game = not match.has_secrets
        self.plan = NO_PLAN
        self.asked_version: Any = None
        self.is_asking = False
        self.flight = SingleFlight()
        self.changes = 0
        self.shown: Any = None
        self.view_model: ViewModel | None = None
        self.listed_branches: Any = None
        self.choices: list[tuple[str, Node]] = []
        self.label = el("span", {})
        self.line = button("", lambda _e: self._open(), "plan-line", "i-plan")
        self.line.lastChild.replaceWith(self.label)
        self.line.hidden = True
        self.banner = el("div", {})
        self.list = el("div", {})
        self.action_list = el("div", {"class": "stack"})
        self.body = el("div", {"class": "stack"})
        self.sheet = Sheet(t("plan.title"), self.body)
        if match.has_secrets:
            cover_move_list(self.sheet, self.body, context.listeners)
        self.trial = el("div", {"hidden": True})
        if self.can_plan and self.is_open_game:
            self.trial.append(self._trial_link())
        context.moment_changed.subscribe(self._update)

    @property
    def is_active(self) -> bool:
        """Whether the plan has branches and was not dropped."""
        return bool(self.plan["branches"]) and self.plan["dropped"] is None

    # -- state from the service ----------------------------------------------------------------

    def _update(self, view_model: ViewModel) -> None:
        """Update the button, the trial link and the banner; request the plan if it may be outdated.

        The plan can be edited only at the current moment, while it is not this seat's turn.
        """
        self.view_model = view_model
        match = self.context.match
        playing = self.can_plan and match.data["status"] == "playing"
        mine = playing and self.seat in match.acting_seats()
        self.line.hidden = not playing or mine or not view_model.live
        self.trial.hidden = not (playing and self.is_open_game and view_model.live)
        count = len(self.plan["branches"])
        waiting = t("plan.active", n=count)
        fill(self.label, waiting if self.is_active else t("plan.title"))
        self._show_outcome(mine)
        if playing and (
            self.asked_version is None or (self.is_active and self.asked_version != match.version)
        ):
            self.ask()

    def ask(self) -> None:
        """Request the plan from the service."""
        if self.is_asking or self.context.is_closed:
            return
        self.is_asking = True
        self.asked_version = self.context.match.version
        changes = self.changes

        def on_answer(answer: Data) -> None:
            self.is_asking = False
            if changes == self.changes:  # otherwise the response predates a change by the user
                self._on_plan(answer)

        client.get(self._address(), on_answer, self._on_error)

    def _address(self) -> str:
        return self.context.address("/plan", seat=self.seat)

    def _on_error(self, _problem: Problem) -> None:
        self.is_asking = False

    def _on_plan(self, answer: Data) -> None:
        if self.context.is_closed:
            return
        self.plan = answer
        self._show()
        if self.is_active and self.seat in self.context.match.acting_seats():
            after(POLL_INTERVAL_MS, self.ask)  # the service will soon play or drop the plan

    def _show(self) -> None:
        if self.view_model is not None:
            self._update(self.view_model)
        if self.sheet.is_open:
            self._fill_list()

    # -- outcome -------------------------------------------------------------------------------

    def _show_outcome(self, mine: bool) -> None:
        """Show in the banner that the plan was played or dropped, or is about to be played.

        ``mine``: whether it is this seat's turn.
        """
        known = self.plan
        dismiss = button(t("common.ok"), self._remove_all)
        if known["dropped"]:
            text = join_sentences([t("plan.dropped"), known["dropped"]])
        elif known["played"]:
            text = join_sentences([t("plan.played"), self._played_text(known["played"])])
        elif self.is_active and mine:
            text = t("plan.about_to_play")
            dismiss = button(t("plan.delete_now"), self._remove_all)
        else:
            text = ""
        if text != self.shown:
            self.shown = text
            given = {"class": "notice", "role": "status"}
            fill(self.banner, el("div", given, el("span", {}, text), dismiss) if text else None)

    def _played_text(self, version: int) -> str:
        """Return the texts of this seat's events after ``version``, as played from the plan."""
        texts: list[str] = []
        decision = None
        for event in self.context.match.events[version:]:
            if event["decision"] != decision and event["seat"] != self.seat:
                break
            decision = event["decision"]
            if event["text"]:
                texts.append(event["text"])
        return t("format.list_sentence", list=join_list(texts)) if texts else ""

    # -- the sheet -----------------------------------------------------------------------------

    def _open(self) -> None:
        text = t("plan.reply_intro") if self.is_open_game else t("plan.move_intro")
        self.listed_branches = None
        self._fill_list()
        fill(self.action_list, self._trial_link("primary") if self.is_open_game else None)
        fill(self.body, el("p", {}, text), self.list, self.action_list)
        self.sheet.open()
        self.ask()
        if not self.is_open_game:
            client.get(
                self.context.address("/plan/choices", seat=self.seat),
                self._show_choices,
                self._on_error,
            )

    def _fill_list(self) -> None:
        """Redraw the list of branches, but only if it has changed, so that buttons do not move."""
        branches = self.plan["branches"] if self.is_active else []
        if self.listed_branches is not None and _is_same(branches, self.listed_branches):
            return
        self.listed_branches = branches
        lines = [self._branch(number, each) for number, each in enumerate(branches)]
        if not self.is_open_game:
            self._mark()
            lines = lines or [el("li", {"class": "card empty"}, t("plan.empty"))]
        remove = button(t("plan.delete_all"), self._remove_all)
        branch_list = el("ol", {"class": "plan-list"}, lines)
        fill(self.list, branch_list if lines else None, remove if len(branches) > 1 else None)

    def _trial_link(self, kind: str = "") -> Node:
        text = t("plan.trial_hint")
        address = {"class": "button " + kind, "href": f"/m/{self.context.id}/try"}
        return el(
            "div", {"class": "way-to-trial"}, el("a", address, t("plan.analyse")), _help_text(text)
        )

    def _branch(self, number: int, branch: Data) -> Node:
        def on_remove(_event: DomEvent) -> None:
            branches = self.plan["branches"]
            self.set_branches([*branches[:number], *branches[number + 1 :]])

        remove_button = button(
            t("plan.delete_line"),
            on_remove,
            **{"aria-label": t("plan.delete_line_n", n=number + 1)},
        )
        return el("li", {"class": "card"}, *branch_nodes(branch), remove_button)

    def _show_choices(self, answer: Data) -> None:
        """Show the possible moves of the seat's next turn, in a game with secrets."""
        if self.context.is_closed or not self.sheet.is_open:
            return
        self.choices = []
        at = (answer["seat"], answer["version"])
        short = [self._choice(choice) for choice in answer["choices"]]
        long = [MoveGroup(each, *at, self._plan_address, self._choice) for each in answer["groups"]]
        text = t("plan.hidden_guessed")
        none = t("plan.none_possible")
        fill(
            self.action_list,
            el("p", {"class": "muted"}, text if short or long else none),
            el("div", {"class": "moves"}, short, [group.node for group in long]),
        )

    def _plan_address(self, rest: str, **query: Any) -> str:
        return self.context.address("/plan" + rest, **query)

    def _choice(self, choice: Choice) -> Node:
        branch = {"commands": [choice["command"]], "when": [], "told": choice["label"]}

        def on_choose(_event: DomEvent) -> None:
            if node.getAttribute("aria-pressed") == "true":
                self._remove_all(None)
            else:
                self.set_branches(
                    add_branch(self.plan["branches"] if self.is_active else [], branch)
                )

        node = button(choice["label"], on_choose)
        self.choices.append((dumps(choice["command"]), node))
        self._mark()
        return node

    def _mark(self) -> None:
        """Mark the buttons of the moves that are in the plan as pressed."""
        branches = self.plan["branches"] if self.is_active else []
        planned = [dumps(each["commands"][0]) for each in branches if not each["when"]]
        for command, node in self.choices:
            patch(node, {"aria-pressed": "true" if command in planned else "false"})

    # -- changes ---------------------------------------------------------------------------------

    def set_branches(self, branches: list[Data]) -> None:
        """Replace the branches of the plan; an empty list deletes the plan."""
        if not branches:
            self._remove_all(None)
            return
        body: Data = {"branches": branches}
        if self.is_active:
            body["since"] = self.plan["version"]
        self._send("PUT", body)

    def _remove_all(self, _event: DomEvent) -> None:
        self._send("DELETE", None)

    def _send(self, method: str, body: Data | None) -> None:
        """Send a change of the plan; does nothing while another one is being sent."""
        if self.flight.is_running:
            return
        self.changes += 1

        def done(answer: Data) -> None:
            self._on_plan(answer)

        def on_error(problem: Problem) -> None:
            toast(problem.detail)
            self.ask()  # the plan shown may be outdated

        self.flight.run(client.call, (method, self._address(), body), done, on_error)


def branch_nodes(branch: Data) -> list[Node]:
    """Return the paragraphs that describe a branch of a plan: its condition and its commands."""
    when = branch.get("told_when") or join_list([each["type"] for each in branch["when"]])
    then = branch.get("told") or join_list([each["type"] for each in branch["commands"]])
    condition = t("plan.if_they_play") if branch["when"] else t("plan.whatever")
    return [
        el("p", {}, el("strong", {}, condition), " ", when if branch["when"] else None),
        el("p", {}, el("strong", {}, t("plan.i_play")), " ", then),
    ]


def add_branch(branches: list[Data], fresh: Data) -> list[Data]:
    """Return the branches with ``fresh`` added.

    It replaces the branch with the same condition. A branch without a condition is always the last.
    """
    kept = [each for each in branches if not _is_same(each["when"], fresh["when"])]
    if not fresh["when"]:
        return [*kept, fresh]
    return [
        *[each for each in kept if each["when"]],
        fresh,
        *[each for each in kept if not each["when"]],
    ]


def trim_branches(branches: list[Data], events: list[Event]) -> list[Data]:
    """Return the branches without the leading conditions that ``events`` have fulfilled."""
    return [
        {**branch, "when": _remaining_conditions(branch["when"], events)} for branch in branches
    ]


def _remaining_conditions(when: list[Data], events: list[Event]) -> list[Data]:
    left = [*when]
    for event in events:
        if left and _matches(left[0], event):
            left.pop(0)
    return left


def _matches(wanted: Data, event: Event) -> bool:
    if wanted["type"] != event["type"] or wanted["seat"] not in (None, event["seat"]):
        return False
    data = event["data"]
    return all(name in data and _is_same(data[name], each) for name, each in wanted["data"].items())


def _help_text(text: str) -> Node:
    return el("p", {"class": "muted"}, text)


def _is_same(one: Any, other: Any) -> bool:
    """Return whether two JSON values are equal, including the order of keys."""
    return bool(dumps(one) == dumps(other))
