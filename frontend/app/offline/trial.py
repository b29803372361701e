"""Trying moves out: a private copy of a running match on this device.

The copy is played for all seats, by the same kernel, rules and pages as every local match. It is
only in memory, so it is lost when the app is closed, and nobody else learns of it. Games with
secrets have none, because the device does not know the whole position. The random draws of a copy
are its own.
"""

from collections.abc import Iterator
from typing import Any

from _native import fill, soon

from domain.contract.registry import rules_of
from domain.match import Decision, Seat, Timeline, fork, is_kernel
from domain.match.plan_recording import PlanDraft
from domain.matchfile.writer import plain_decision
from domain.text.i18n import N_
from domain.text.joiners import truncate
from frontend.app.api import client, game_catalogue, local_gateway
from frontend.app.components import page_frame
from frontend.app.components.sheet import Sheet
from frontend.app.contract.model import Match
from frontend.app.core import match_ids
from frontend.app.core.device_feedback import Senses
from frontend.app.core.dom import bar, button, el, patch, show, toast
from frontend.app.core.i18n import both, row, sentences, t, words_of
from frontend.app.core.problem import Problem
from frontend.app.core.types import Data, DomEvent, Event, Node, Went
from frontend.app.match.page import MatchPage
from frontend.app.match.plan_panel import in_words, merged, trimmed
from frontend.app.offline.local_match import PLAYER, Stopped, Table
from frontend.app.offline.server import HOUSE, opening_here

MOST = 100
"""Maximum number of events in the condition of a plan's branch, as the service accepts it."""
LONGEST = 2000
"""Maximum length in characters of the description of a branch, as the service accepts it."""
BEHIND = N_("What happened in the match itself stays: here one only goes on from it.")


class TrialTable(Table):
    """The copy, which is never stored.

    ``first``: how many of its decisions are those of the original match; ``since``: the version of
    the match that was copied; ``told_before``: the events of the match up to then.
    """

    def __init__(self, match_id: str, timeline: Timeline, since: int, before: list[Event]) -> None:
        super().__init__({"id": match_id}, timeline, HOUSE.told)
        self.first = len(timeline.decisions)
        self.since = since
        self.told_before = before

    def keep(self, head: Data, timeline: Timeline, first: int, then: Any) -> None:
        """Call ``then`` without storing anything."""
        soon(lambda: then(True, None))

    def allow(self, timeline: Timeline) -> None:
        """Raise `Stopped` if moves of the original match would be taken back."""
        if timeline.latest.head < self.first - 1:
            toast(t(BEHIND))
            raise Stopped(BEHIND)

    def line(self, seat: int) -> PlanDraft:
        """Return what was tried out, as a line that a seat can plan."""
        timeline = self.timeline
        found = [i for i in timeline.ancestry(timeline.latest) if i >= self.first]
        return PlanDraft(timeline, seat, found[::-1])


def copied(match_id: str, data: Data, events: list[Event]) -> TrialTable:
    """Build a private copy of a match as it is now, with all seats held by this device."""
    slug = data["game"]
    words_of(slug)
    match = Match(data, rules_of(slug))
    match.take(events)
    people = [Seat("human", name, PLAYER) for name in match.names]
    opening = opening_here(slug, data["options"], tuple(people))
    known = Timeline(rules_of(slug), _decided(match))
    decisions = fork.create_fork(known, known.version, data["id"], opening)
    return TrialTable(match_id, Timeline(known.rules, decisions), known.version, match.events)


def _decided(match: Match) -> list[Decision]:
    """Rebuild the decisions of a match from the events that the service sends."""
    found: list[Decision] = []
    number = None
    for told, step in zip(match.events, match.history.decisions, strict=True):
        if told["decision"] == number:
            last = found.pop()
            version, seat, events = last.version, last.seat, (*last.events, *step.events)
        else:
            version, seat, events = told["version"], told["seat"], step.events
        number = told["decision"]
        found.append(Decision(version, seat, None, events))
    return found


class TrialPage(MatchPage):
    """The page of the copy; ``origin``: the id of the original match."""

    def __init__(self, origin: str, went: Went) -> None:
        self.origin = origin
        self.live = "/api/matches/" + origin
        self.seat: int | None = None
        super().__init__(match_ids.TRIAL + origin, {}, went)
        self.senses = _Senseless(self.id)
        self.told_end = True  # the end of a copy shows no result

    # -- making the copy -----------------------------------------------------------------------

    def _ask(self) -> None:
        if not self.closed:
            game_catalogue.learn(lambda _games: client.get(self.live, self._matched, self._missing))

    def _matched(self, data: Data) -> None:
        if self.closed:
            return
        held = [seat["seat"] for seat in data["seats"] if seat["you"]]
        self.seat = held[0] if len(held) == 1 else None
        if data["status"] != "playing" or "secret" in game_catalogue.of(data["game"])["traits"]:
            words = t("Here the phone does not know the whole position, or there is none to try.")
            show(page_frame.message(t("Nothing to try out"), words))
            return
        kept: Any = HOUSE.tables.get(self.id)
        if kept is not None and kept.since == data["version"]:
            MatchPage._ask(self)
            return

        def told(answer: Data) -> None:
            local_gateway.ask(lambda _house: self._copy(data, answer["events"]), data["game"])

        client.get(self.live + "/events?after=0", told, self._missing)

    def _copy(self, data: Data, events: list[Event]) -> None:
        if not self.closed:
            HOUSE.tables[self.id] = copied(self.id, data, events)
            MatchPage._ask(self)

    @property
    def table(self) -> TrialTable:
        """The copied match."""
        found: Any = HOUSE.tables[self.id]
        return found

    # -- the page ------------------------------------------------------------------------------

    def address_at(self, version: int | None = None) -> str:
        """Return the address of this page, which does not name versions."""
        return f"/m/{self.origin}/try"

    def _set_up(self) -> None:
        super()._set_up()
        self.playback.seen = None  # the moves of an earlier copy are not marked as new

    def _family(self) -> None:
        """Show no lineage: the banner names the match, and a copy has no forks."""

    def _furnish(self) -> Iterator[None]:
        yield from MatchPage._furnish(self)
        way = {"href": f"/m/{self.origin}"}
        words = t("Back to the match")
        patch(self.layout.back, {**way, "aria-label": words, "title": words})
        self.body = el("div", {"class": "stack"})
        self.sheet = Sheet(t("Keep as my plan"), self.body)
        self.layout.sheets.append(self.sheet)
        self.keep = button(t("Keep as my plan"), lambda _e: self._keep(), "primary grow")
        self.said = el("span", {})
        ways = el("div", {"class": "row"}, el("a", {"class": "button grow", **way}, words))
        if self.seat is not None:
            ways.append(self.keep)
        given = {"class": "notice trial", "role": "note"}
        self.layout.notices.prepend(el("div", given, self.said, ways))

    def _drawing(self) -> Iterator[None]:
        yield from MatchPage._drawing(self)
        self._advise()

    def _advise(self) -> None:
        """Show the next step towards a plan, and why the line cannot be kept before."""
        step = why = ""
        if self.seat is not None:
            line = self.table.line(self.seat)
            mine = self.seat in self.match.acting()
            if line.begins_with_own or (mine and not line.others_decisions):
                step = t("In the match it is your turn.")
                why = t(
                    "It is your turn in the match: play there, and plan when others are to move."
                )
            elif line.own_decisions:
                step = t("Keep your line, or play on.")
            elif mine:
                step = t("Now play your own answer.")
                why = t("Now play your own answer to it: then it can be kept.")
            else:
                names = both([self.match.names[seat] for seat in self.match.acting()])
                step = t("Play for {names} first.", names=names)
                why = t("Play what the others may do, and then your answer to it.")
        fill(self.said, sentences([t("Private trial: only you see it."), step]))
        bar(self.keep, why or None)

    # -- keeping the line ------------------------------------------------------------------------

    def _keep(self) -> None:
        """Show what would be kept, and under which conditions it can be."""
        assert self.seat is not None
        line = self.table.line(self.seat)
        only, always = self._branch(line, True), self._branch(line, False)
        if only["when"]:
            ways = [
                self._way(
                    t("Only if this happens"), t("After anything else you decide anew."), only
                )
            ]
        else:
            ways = []
        ways.append(
            self._way(t("Whatever happens"), t("If your move is still possible by then."), always)
        )
        fill(
            self.body,
            el("div", {"class": "card"}, in_words(only)),
            [el("p", {"class": "muted"}, words) for words in _limits(line)],
            ways,
        )
        self.sheet.open()

    def _way(self, title: str, words: str, branch: Data) -> Node:
        def chosen(_event: DomEvent) -> None:
            self.sheet.close()
            self._lay(branch)

        text = el("span", {}, el("strong", {}, title), el("small", {}, words))
        return el("button", {"type": "button", "class": "way", "onclick": chosen}, text)

    def _branch(self, line: PlanDraft, exactly: bool) -> Data:
        """Return the line as a branch of a plan; ``exactly``: only if these events happen."""
        when = [self.match.events[version - 1] for version in line.condition_versions] if exactly else []
        seen = [{"type": e["type"], "seat": e["seat"], "data": e["data"]} for e in when]
        return {
            "when": seen[:MOST],
            "commands": [plain_decision(each)["command"] for each in line.own_decisions],
            "told_when": self._in_words(when),
            "told": self._in_words(self._events(line.own_decisions)),
        }

    def _events(self, decisions: list[Decision]) -> list[Event]:
        """Return the game's own events of decisions, as the page received them."""
        found = []
        for decision in decisions:
            for number, event in enumerate(decision.events):
                if not is_kernel(event):
                    found.append(self.match.events[decision.version + number - 1])
        return found

    def _in_words(self, events: list[Event]) -> str:
        """Describe moves as the table does, or as the log where the table says nothing."""
        moves: list[tuple[Any, list[Event]]] = []
        for event in events:
            deed = self.screen.deed(event)
            if deed is not None and moves and moves[-1][0] == deed:
                moves[-1][1].append(event)
            elif deed is not None:
                moves.append((deed, [event]))
        said = [self.screen.said(some) for _, some in moves]
        texts = [event["text"] for event in events if event["text"]]
        return truncate(sentences(said) or row(texts), LONGEST)

    def _lay(self, branch: Data) -> None:
        """Add a branch to the existing plan, trimmed by what has happened up to the copy."""
        path = f"{self.live}/plan?seat={self.seat}"

        def found(known: Data) -> None:
            waits = known["branches"] and known["dropped"] is None
            branches = trimmed(known["branches"], self._since(known["version"])) if waits else []
            body = {"branches": merged(branches, branch), "since": self.table.since}
            client.call("PUT", path, body, laid, _refused)

        def laid(_plan: Data) -> None:
            toast(t("Kept as your plan. Only you see it."))
            if not self.closed:
                self.went(f"/m/{self.origin}")

        client.get(path, found, _refused)

    def _since(self, version: int) -> list[Event]:
        """Return what others did after a version, up to the copy, that still counts."""
        found, decision, mine = [], None, False
        for event in self.table.told_before:
            if event["decision"] != decision:
                decision, mine = event["decision"], event["seat"] == self.seat
            if event["version"] > version and not (mine or event["undone"]):
                found.append(event)
        return found


class _Senseless(Senses):
    """Senses that report nothing: a copy has no turns to alert to or to count."""

    def note(self, turn: bool, moved: bool) -> None:
        """Do nothing."""


def _limits(line: PlanDraft) -> list[str]:
    """Describe what a plan made of a line leaves out."""
    found = []
    if line.depends_on_chance:
        found.append(t("What chance brings is not waited for: the copy has chance of its own."))
    if line.is_unfinished:
        found.append(t("Your turn goes on after this: the rest of it you play yourself."))
    if line.is_truncated:
        found.append(
            t("What comes later in your line is not kept: a plan reaches to your next move.")
        )
    return found


def _refused(problem: Problem) -> None:
    toast(problem.detail)
