"""The sheet in which a plan of conditional moves is shown and edited."""

from _native import dumps, fill

from frontend.app.api import client
from frontend.app.components.move_groups import MoveGroup
from frontend.app.components.secret_cover import cover_move_list
from frontend.app.components.sheet import Sheet
from frontend.app.contract.context import MatchContext
from frontend.app.core.dom import button, el, muted_text, patch, stack
from frontend.app.core.i18n import join_list, t
from frontend.app.core.types import Choice, Data, DomEvent, Node
from frontend.app.match.plan import Plan, add_branch, is_same


class PlanSheet:
    """The branches of a plan (``sheet``), each of which can be deleted.

    In an open game they are made in a trial; in a game with secrets, the sheet lists the possible
    moves of the seat's next turn.
    """

    def __init__(self, context: MatchContext, plan: Plan) -> None:
        self.context = context
        self.plan = plan
        self.is_open_game = not context.match.has_secrets
        self.listed_branches: list[Data] | None = None
        self.choices: list[tuple[str, Node]] = []
        self.list = el("div", {})
        self.action_list = stack()
        self.body = stack()
        self.sheet = Sheet(t("plan.title"), self.body)
        if context.match.has_secrets:
            cover_move_list(self.sheet, self.body, context.listeners)
        plan.changed.subscribe(self._update)

    def open(self) -> None:
        """Open the sheet and request the plan."""
        text = t("plan.reply_intro") if self.is_open_game else t("plan.move_intro")
        self.listed_branches = None
        self._fill_list()
        fill(self.action_list, trial_link(self.context, "primary") if self.is_open_game else None)
        fill(self.body, el("p", {}, text), self.list, self.action_list)
        self.sheet.open()
        self.plan.ask()
        if not self.is_open_game:
            client.get(self.plan.address("/choices"), self._show_choices)

    def _update(self) -> None:
        if self.sheet.is_open:
            self._fill_list()

    def _fill_list(self) -> None:
        """Redraw the list of branches, but only if it has changed, so that buttons do not move."""
        branches = self.plan.branches
        if self.listed_branches is not None and is_same(branches, self.listed_branches):
            return
        self.listed_branches = branches
        lines = [self._branch(number, each) for number, each in enumerate(branches)]
        if not self.is_open_game:
            self._mark()
            lines = lines or [el("li", {"class": "card empty"}, t("plan.empty"))]
        remove = button(t("plan.delete_all"), lambda _e: self.plan.set_branches([]))
        branch_list = el("ol", {"class": "plan-list"}, lines)
        fill(self.list, branch_list if lines else None, remove if len(branches) > 1 else None)

    def _branch(self, number: int, branch: Data) -> Node:
        def on_remove(_event: DomEvent) -> None:
            branches = self.plan.data["branches"]
            self.plan.set_branches([*branches[:number], *branches[number + 1 :]])

        label = {"aria-label": t("plan.delete_line_n", n=number + 1)}
        remove_button = button(t("plan.delete_line"), on_remove, **label)
        return el("li", {"class": "card"}, *branch_nodes(branch), remove_button)

    def _show_choices(self, answer: Data) -> None:
        """Show the possible moves of the seat's next turn, in a game with secrets."""
        if self.context.is_closed or not self.sheet.is_open:
            return
        self.choices = []
        at = (answer["seat"], answer["version"])
        short = [self._choice(choice) for choice in answer["choices"]]
        long = [MoveGroup(each, *at, self.plan.address, self._choice) for each in answer["groups"]]
        text = t("plan.hidden_guessed") if short or long else t("plan.none_possible")
        fill(
            self.action_list,
            muted_text(text),
            el("div", {"class": "moves"}, short, [group.node for group in long]),
        )

    def _choice(self, choice: Choice) -> Node:
        branch = {"commands": [choice["command"]], "when": [], "told": choice["label"]}

        def on_choose(_event: DomEvent) -> None:
            is_planned = node.getAttribute("aria-pressed") == "true"
            self.plan.set_branches([] if is_planned else add_branch(self.plan.branches, branch))

        node = button(choice["label"], on_choose)
        self.choices.append((dumps(choice["command"]), node))
        self._mark()
        return node

    def _mark(self) -> None:
        """Mark the buttons of the moves that are in the plan as pressed."""
        planned = [dumps(each["commands"][0]) for each in self.plan.branches if not each["when"]]
        for command, node in self.choices:
            patch(node, {"aria-pressed": "true" if command in planned else "false"})


def branch_nodes(branch: Data) -> list[Node]:
    """Return the paragraphs that describe a branch of a plan: its condition and its commands."""
    when = branch.get("told_when") or join_list([each["type"] for each in branch["when"]])
    then = branch.get("told") or join_list([each["type"] for each in branch["commands"]])
    condition = t("plan.if_they_play") if branch["when"] else t("plan.whatever")
    return [
        el("p", {}, el("strong", {}, condition), " ", when if branch["when"] else None),
        el("p", {}, el("strong", {}, t("plan.i_play")), " ", then),
    ]


def trial_link(context: MatchContext, kind: str = "") -> Node:
    """Build the link to a private copy of the match, in which a branch can be made."""
    link = el("a", {"class": "button " + kind, "href": f"/m/{context.id}/try"}, t("plan.analyse"))
    return el("div", {"class": "way-to-trial"}, link, muted_text(t("plan.trial_hint")))
