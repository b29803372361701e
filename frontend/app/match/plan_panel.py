"""The plan of conditional moves on the match page: its button and its outcome."""

from _native import fill

from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core import match_ids
from frontend.app.core.dom import button, el, notice
from frontend.app.core.i18n import join_list, join_sentences, t
from frontend.app.match.plan import Plan
from frontend.app.match.plan_sheet import PlanSheet, trial_link


class PlanPanel:
    """The plan of this device's seat; inactive unless it holds exactly one in a non-local match.

    ``line``: the button in the dock that opens the plan; ``banner``: the outcome of the plan;
    ``trial``: the link in the move list to a private copy of the match.
    """

    def __init__(self, context: MatchContext) -> None:
        self.context = context
        held = context.match.own_seats()
        self.can_plan = len(held) == 1 and not match_ids.is_local_match(context.id)
        self.plan = Plan(context, held[0] if self.can_plan else 0)
        self.plan_sheet = PlanSheet(context, self.plan)
        self.shown_outcome = ""
        self.view_model: ViewModel | None = None
        self.line = button("", lambda _e: self.plan_sheet.open(), "plan-line", "i-plan")
        self.line.hidden = True
        self.banner = el("div", {})
        self.trial = el("div", {"hidden": True})
        if self.can_plan and not context.match.has_secrets:
            self.trial.append(trial_link(context))
        context.moment_changed.subscribe(self._on_moment)
        self.plan.changed.subscribe(self._update)

    def _on_moment(self, view_model: ViewModel) -> None:
        self.view_model = view_model
        self._update()

    def _update(self) -> None:
        """Update the button, the trial link and the banner; request the plan if it may be outdated.

        The plan can be edited only at the current moment, while it is not this seat's turn.
        """
        if self.view_model is None:
            return
        match, plan, is_live = self.context.match, self.plan, self.view_model.live
        playing = self.can_plan and match.data["status"] == "playing"
        mine = playing and plan.seat in match.acting_seats()
        self.line.hidden = not playing or mine or not is_live
        self.trial.hidden = not (playing and not match.has_secrets and is_live)
        active = t("plan.active", n=len(plan.branches))
        fill(self.line.lastChild, active if plan.is_active else t("plan.title"))
        self._show_outcome(mine)
        is_outdated = plan.is_active and plan.asked_version != match.version
        if playing and (plan.asked_version is None or is_outdated):
            plan.ask()

    def _show_outcome(self, mine: bool) -> None:
        """Show in the banner that the plan was played or dropped, or is about to be played.

        ``mine``: whether it is this seat's turn.
        """
        dropped, played = self.plan.data["dropped"], self.plan.data["played"]
        label, text = t("common.ok"), ""
        if dropped:
            text = join_sentences([t("plan.dropped"), dropped])
        elif played:
            text = join_sentences([t("plan.played"), self._played_text(played)])
        elif self.plan.is_active and mine:
            label, text = t("plan.delete_now"), t("plan.about_to_play")
        if text == self.shown_outcome:
            return
        self.shown_outcome = text
        dismiss = button(label, lambda _e: self.plan.set_branches([]))
        fill(self.banner, notice(text, dismiss, role="status") if text else None)

    def _played_text(self, version: int) -> str:
        """Return the texts of this seat's events after ``version``, as played from the plan."""
        texts: list[str] = []
        decision = None
        for event in self.context.match.events[version:]:
            if event["decision"] != decision and event["seat"] != self.plan.seat:
                break
            decision = event["decision"]
            if event["text"]:
                texts.append(event["text"])
        return t("format.list_sentence", list=join_list(texts)) if texts else ""
