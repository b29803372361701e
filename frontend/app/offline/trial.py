"""Trial play: a private copy of a running match on this device.

The user plays all seats of the copy, with the same kernel, rules and pages as in any local match.
The copy exists only in memory: it is lost when the app is closed, and no other player can see it.
It is not available in games with secrets, because the device does not know the whole position. A
copy makes its own random draws.
"""

from typing import Any

from _native import call_soon, fill

from domain.contract.registry import rules_of
from domain.match import fork
from domain.match.events import is_kernel
from domain.match.history import Decision
from domain.match.plan_recording import PlanDraft
from domain.match.seats import Seat
from domain.match.timeline import Timeline
from domain.matchfile.writer import plain_decision
from domain.text.i18n import N_
from domain.text.joiners import truncate
from frontend.app.api import client, game_catalogue, local_gateway
from frontend.app.components import page_frame
from frontend.app.components.menu_button import menu_button
from frontend.app.components.sheet import Sheet
from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import Screen, ViewModel
from frontend.app.contract.model import Match
from frontend.app.core import match_ids
from frontend.app.core.device_feedback import DeviceFeedback
from frontend.app.core.dom import (
    button,
    el,
    muted_text,
    patch,
    row,
    set_blocked_reason,
    show,
    stack,
    toast,
)
from frontend.app.core.i18n import join_and, join_list, join_sentences, t, translator_for
from frontend.app.core.problem import show_problem
from frontend.app.core.types import Data, DomEvent, Event, Navigate, Node
from frontend.app.match.match_view import MatchView
from frontend.app.match.page import MatchPage
from frontend.app.match.plan import add_branch, trim_branches
from frontend.app.match.plan_sheet import branch_nodes
from frontend.app.offline.local_match import LOCAL_PLAYER_ID, LocalMatch, Rejected
from frontend.app.offline.server import SERVER, opening_command

MAX_DESCRIPTION_CHARS = 2000
"""Maximum length in characters of a branch description that the service accepts."""
COPIED_MOVES_TEXT = N_("trial.copied_moves")


class TrialMatch(LocalMatch):
    """The private copy of a match, which is never stored.

    ``copied_decisions``: how many of its decisions come from the original match;
    ``copied_version``: the version of the original that was copied; ``copied_events``: its events
    up to that version.
    """

    def __init__(
        self, match_id: str, timeline: Timeline, copied_version: int, copied_events: list[Event]
    ) -> None:
        super().__init__({"id": match_id}, timeline, SERVER.notify_listeners)
        self.copied_decisions = len(timeline.decisions)
        self.copied_version = copied_version
        self.copied_events = copied_events

    def store(self, head: Data, timeline: Timeline, first: int, then: Any) -> None:
        """Call ``then`` without storing anything."""
        call_soon(lambda: then(True, None))

    def check_allowed(self, timeline: Timeline) -> None:
        """Raise `Rejected` (and show a toast) if moves of the original match would be undone."""
        if timeline.latest.head < self.copied_decisions - 1:
            toast(t(COPIED_MOVES_TEXT))
            raise Rejected(COPIED_MOVES_TEXT)

    def line(self, seat: int) -> PlanDraft:
        """Return the moves tried out as a draft plan for a seat."""
        timeline = self.timeline
        found = [i for i in timeline.ancestry(timeline.latest) if i >= self.copied_decisions]
        return PlanDraft(timeline, seat, found[::-1])


def copy_match(match_id: str, data: Data, events: list[Event]) -> TrialMatch:
    """Build a private copy of the current match in which this device holds all seats."""
    slug = data["game"]
    translator_for(slug)
    match = Match(data, rules_of(slug))
    match.add_events(events)
    people = [Seat("human", name, LOCAL_PLAYER_ID) for name in match.names]
    opening = opening_command(slug, data["options"], tuple(people))
    known = Timeline(rules_of(slug), _rebuild_decisions(match))
    decisions = fork.create_fork(known, known.version, data["id"], opening)
    return TrialMatch(match_id, Timeline(known.rules, decisions), known.version, match.events)


def _rebuild_decisions(match: Match) -> list[Decision]:
    """Group the service's events into the decisions that caused them."""
    found: list[Decision] = []
    number = None
    for event, step in zip(match.events, match.history.decisions, strict=True):
        if event["decision"] == number:
            last = found.pop()
            version, seat, events = last.version, last.seat, (*last.events, *step.events)
        else:
            version, seat, events = event["version"], event["seat"], step.events
        number = event["decision"]
        found.append(Decision(version, seat, None, events))
    return found


class TrialContext(MatchContext):
    """The context of a trial, whose address does not include a version."""

    def address_at(self, version: int | None = None) -> str:
        """Return the address of the trial."""
        return f"/m/{self.id[len(match_ids.TRIAL_PREFIX) :]}/try"


class NoFeedback(DeviceFeedback):
    """Disabled device feedback, because a copy has no turns to signal."""

    def update(self, is_own_turn: bool, other_moved: bool) -> None:
        """Do nothing."""


class TrialPage(MatchPage):
    """The match page of the copy; ``original_id`` is the id of the original match."""

    context_class = TrialContext
    feedback_class = NoFeedback
    screen: Screen

    def __init__(self, original_id: str, navigate: Navigate) -> None:
        self.original_id = original_id
        self.original_path = "/api/matches/" + original_id
        self.seat: int | None = None
        super().__init__(match_ids.TRIAL_PREFIX + original_id, {}, navigate)

    # -- making the copy -----------------------------------------------------------------------

    def _ask(self) -> None:
        if not self.context.is_closed:
            game_catalogue.load(
                lambda _games: client.get(self.original_path, self._on_original, self._on_missing)
            )

    def _on_original(self, data: Data) -> None:
        if self.context.is_closed:
            return
        held = [seat["seat"] for seat in data["seats"] if seat["you"]]
        self.seat = held[0] if len(held) == 1 else None
        if data["status"] != "playing" or "secret" in game_catalogue.get(data["game"])["traits"]:
            show(page_frame.message_page(t("trial.unavailable"), t("trial.unavailable_text")))
            return
        kept: Any = SERVER.matches.get(self.context.id)
        if kept is not None and kept.copied_version == data["version"]:
            MatchPage._ask(self)
            return

        def on_events(answer: Data) -> None:
            local_gateway.load_server(
                lambda _server: self._copy(data, answer["events"]), data["game"]
            )

        client.get(self.original_path + "/events?after=0", on_events, self._on_missing)

    def _copy(self, data: Data, events: list[Event]) -> None:
        if not self.context.is_closed:
            SERVER.matches[self.context.id] = copy_match(self.context.id, data, events)
            MatchPage._ask(self)

    @property
    def trial_match(self) -> TrialMatch:
        """The match copy shown on this page."""
        found: Any = SERVER.matches[self.context.id]
        return found

    # -- the page ------------------------------------------------------------------------------

    def extend(self, view: MatchView) -> None:
        """Add the banner with the link to the original match, and the sheet to keep a plan."""
        self.screen = view.screen
        link = {"href": f"/m/{self.original_id}"}
        text = t("trial.back_to_game")
        patch(view.game_bar.back_link, {**link, "aria-label": text, "title": text})
        self.body = stack()
        self.sheet = Sheet(t("trial.save_plan"), self.body)
        view.sheets.all.append(self.sheet)
        self.plan_button = button(
            t("trial.save_plan"), lambda _e: self._open_plan_sheet(), "primary grow"
        )
        self.advice = el("span", {})
        links = row(el("a", {"class": "button grow", **link}, text))
        if self.seat is not None:
            links.append(self.plan_button)
        given = {"class": "notice trial", "role": "note"}
        view.layout.banners.prepend(el("div", given, self.advice, links))
        self.context.moment_changed.subscribe(self._advise)

    def _advise(self, _view_model: ViewModel) -> None:
        """Show the next step towards a plan; block the save button with a reason if necessary."""
        match = self.context.match
        step = why = ""
        if self.seat is not None:
            line = self.trial_match.line(self.seat)
            mine = self.seat in match.acting_seats()
            if line.begins_with_own or (mine and not line.others_decisions):
                step = t("trial.your_turn")
                why = t("trial.your_turn_why")
            elif line.own_decisions:
                step = t("trial.line_complete")
            elif mine:
                step = t("trial.reply")
                why = t("trial.reply_why")
            else:
                names = join_and([self.context.match.names[seat] for seat in match.acting_seats()])
                step = t("trial.play_for", names=names)
                why = t("trial.play_for_why")
        fill(self.advice, join_sentences([t("trial.private"), step]))
        set_blocked_reason(self.plan_button, why or None)

    # -- saving the line as a plan ---------------------------------------------------------------

    def _open_plan_sheet(self) -> None:
        """Show the plan that would be saved, and let the user choose its condition."""
        assert self.seat is not None
        line = self.trial_match.line(self.seat)
        only = self._branch(line, not line.has_too_many_conditions)
        always = self._branch(line, False)
        buttons = []
        if only["when"]:
            buttons.append(self._branch_button(t("trial.only_if"), t("trial.only_if_hint"), only))
        buttons.append(self._branch_button(t("plan.whatever"), t("trial.whatever_hint"), always))
        fill(
            self.body,
            el("div", {"class": "card"}, branch_nodes(only)),
            [muted_text(text) for text in _limits(line)],
            buttons,
        )
        self.sheet.open()

    def _branch_button(self, title: str, message: str, branch: Data) -> Node:
        def on_choose(_event: DomEvent) -> None:
            self.sheet.close()
            self._add_to_plan(branch)

        return menu_button(title, message, on_choose)

    def _branch(self, line: PlanDraft, exactly: bool) -> Data:
        """Return the line as a plan branch; ``exactly``: only if the others' events happen."""
        versions = line.condition_versions if exactly else ()
        when = [self.context.match.events[version - 1] for version in versions]
        seen = [{"type": e["type"], "seat": e["seat"], "data": e["data"]} for e in when]
        return {
            "when": seen,
            "commands": [plain_decision(each)["command"] for each in line.own_decisions],
            "told_when": self._describe(when),
            "told": self._describe(self._events(line.own_decisions)),
        }

    def _events(self, decisions: list[Decision]) -> list[Event]:
        """Return the game events (no kernel events) of decisions, in the page's form."""
        found = []
        for decision in decisions:
            for number, event in enumerate(decision.events):
                if not is_kernel(event):
                    found.append(self.context.match.events[decision.version + number - 1])
        return found

    def _describe(self, events: list[Event]) -> str:
        """Describe moves as the screen does, or with the log texts if it has no description."""
        moves: list[tuple[Any, list[Event]]] = []
        for event in events:
            deed = self.screen.move_of(event)
            if deed is not None and moves and moves[-1][0] == deed:
                moves[-1][1].append(event)
            elif deed is not None:
                moves.append((deed, [event]))
        sentences = [self.screen.describe_move(some) for _, some in moves]
        texts = [event["text"] for event in events if event["text"]]
        return truncate(join_sentences(sentences) or join_list(texts), MAX_DESCRIPTION_CHARS)

    def _add_to_plan(self, branch: Data) -> None:
        """Add a branch to the plan on the service, trimmed by the events since.

        Only events up to the copied version are considered.
        """
        path = f"{self.original_path}/plan?seat={self.seat}"

        def on_found(known: Data) -> None:
            branches: list[Data] = []
            if known["branches"] and known["dropped"] is None:
                since = self._events_since(known["version"])
                branches = trim_branches(known["branches"], since)
            version = self.trial_match.copied_version
            body = {"branches": add_branch(branches, branch), "since": version}
            client.call("PUT", path, body, laid, show_problem)

        def laid(_plan: Data) -> None:
            toast(t("trial.plan_saved"))
            if not self.context.is_closed:
                self.context.navigate(f"/m/{self.original_id}")

        client.get(path, on_found, show_problem)

    def _events_since(self, version: int) -> list[Event]:
        """Return other players' events after a version, up to the copied version.

        Undone events are left out.
        """
        found, decision, mine = [], None, False
        for event in self.trial_match.copied_events:
            if event["decision"] != decision:
                decision, mine = event["decision"], event["seat"] == self.seat
            if event["version"] > version and not (mine or event["undone"]):
                found.append(event)
        return found


def _limits(line: PlanDraft) -> list[str]:
    """Return sentences about the parts of a line that a plan cannot contain."""
    limits = (
        (line.has_too_many_conditions, t("trial.too_many_conditions")),
        (line.depends_on_chance, t("trial.chance_differs")),
        (line.is_unfinished, t("trial.turn_continues")),
        (line.is_truncated, t("trial.line_too_long")),
    )
    return [text for applies, text in limits if applies]
