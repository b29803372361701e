"""The page of a match: the waiting room, the game, the result."""

from collections.abc import Iterator, Sequence
from typing import Any

from _native import explain, listen, soon, unlisten

from frontend.app.api import client, game_catalogue, local_gateway
from frontend.app.components import install_hint, page_frame
from frontend.app.components.share import share_link
from frontend.app.contract.game_screen import Now, Screen
from frontend.app.contract.model import Match
from frontend.app.core.device_feedback import Senses
from frontend.app.core.dom import after, announce, by_id, fill, in_slices, patch, show, toast
from frontend.app.core.i18n import sentences, t
from frontend.app.core.problem import RETRY_DELAY_MS, RETRYABLE_STATUSES, Problem
from frontend.app.core.types import Choice, Command, Data, Event, Node, Went
from frontend.app.games.loader import load_look, screen_of
from frontend.app.match import waiting_room
from frontend.app.match.confirm_move import Sure
from frontend.app.match.fork import Forking, lineage
from frontend.app.match.layout import Layout
from frontend.app.match.log import Log
from frontend.app.match.moment_cache import Moments
from frontend.app.match.move_queue import Sending
from frontend.app.match.offline_copy import LastKnown
from frontend.app.match.playback import Playback
from frontend.app.match.presence import Presence
from frontend.app.match.replay_controls import History
from frontend.app.match.sync import Feed
from frontend.app.match.turn_labels import WORDS
from frontend.app.match.undo import GoingBack


class MatchPage:
    """The page of one match, from when it is opened until another page is."""

    # Set when the match is loaded.
    match: Match
    seated: list[Any]
    """The seats of this device that the page is built for."""
    game: type[Screen]
    sending: Sending
    feed: Feed
    turn_words: dict[str, str]
    # Set when the screen is built.
    screen: Screen
    history: History
    log: Log
    playback: Playback
    forking: Forking
    going_back: GoingBack
    sure: Sure
    layout: Layout
    shown: Now

    def __init__(self, match_id: str, query: dict[str, str], went: Went) -> None:
        self.id = match_id
        self.path = "/api/matches/" + match_id
        self.invite = query.get("invite")
        self.code = query.get("invite") or query.get("share")
        self.share = query.get("share")
        self.went = went
        self.back_code = query.get("back", "")
        self.wanted = int(query["v"]) if query.get("v", "").isdigit() else None
        self.loaded = False
        self.called = False
        self.rising = False
        self.is_up = False
        self.ears: list[Any] = []
        self.closed = False
        self.told_end = False
        self.server_choices: Sequence[Choice] = ()
        self.server_groups: Sequence[Data] = ()
        self.senses = Senses(match_id)
        self.moments = Moments(self)
        self.last_known = LastKnown(self)
        self.presence = Presence()
        self.forks: tuple[Any, ...] = ()
        self._load()

    # -- coming and going ----------------------------------------------------------------------

    def _load(self) -> None:
        stands = by_id("app").firstElementChild
        if stands is None or stands.getAttribute("data-match") != self.id:
            show(page_frame.waits())  # otherwise the service has rendered the board into the page
        game_catalogue.learn(lambda _games: None)  # requested in parallel with the match
        self._ask()

    def _ask(self) -> None:
        if not self.closed:
            client.get(self.address(""), self._found, self._missing)

    def _found(self, data: Data) -> None:
        if not self.closed:
            game_catalogue.learn(lambda _games: load_look(data["game"], lambda: self._loaded(data)))

    def address_at(self, version: int | None = None) -> str:
        """Return the address of this page, at a version or now."""
        query = [] if version is None else [f"v={version}"]
        if self.share:
            query.append("share=" + self.share)
        return f"/m/{self.id}" + ("?" + "&".join(query) if query else "")

    def review_page(self) -> str:
        """Return the address of the match's review."""
        return f"/m/{self.id}/review" + (f"?share={self.share}" if self.share else "")

    def address(self, rest: str, **query: Any) -> str:
        """Return the address of an API call of the match."""
        if self.code:
            query["invite"] = self.code
        if self.loaded and self.match.in_hand is not None and rest != "/live":
            query = {"seat": self.match.in_hand, **query}
        words = "&".join([f"{name}={value}" for name, value in query.items()])
        return self.path + rest + ("?" + words if words else "")

    def _missing(self, problem: Problem) -> None:
        if self.closed:
            return
        if problem.status in RETRYABLE_STATUSES:
            self.last_known.find(self._found_here, lambda: after(RETRY_DELAY_MS, self._ask))
            return
        title, words = t("Nobody here"), problem.detail
        if problem.data.get("seat_moved"):
            title = t("Seat moved")
        elif problem.status == 404:
            words = t("There is no such table, or it is not open to you.")
        show(page_frame.message(title, words))

    def _found_here(self, data: Data, events: list[Event]) -> None:
        """Show the match as stored on this device: the service cannot be reached."""
        if not self.closed:
            load_look(data["game"], lambda: self._loaded(data, events))

    def _loaded(self, data: Data, events: Sequence[Event] = ()) -> None:
        if not self.closed:
            self.game = screen_of(data["game"])
            soon(lambda: self._known(data, events))

    def _known(self, data: Data, events: Sequence[Event]) -> None:
        if self.closed:
            return
        count = self.game.turns_in_round(len(data["seats"]))
        secret = "secret" in game_catalogue.of(data["game"])["traits"]
        self.match = Match(data, self.game.RULES, count, secret)
        self.turn_words = WORDS[self.game.TURN]
        self.seated = self.match.held()
        self.sending = Sending(self)
        self.loaded = True
        self.feed = Feed(self)
        client.outbox.ready(lambda: self._begin(events))

    def _begin(self, events: Sequence[Event]) -> None:
        """Show the match with the events that are stored here, or fetch them."""
        if self.closed:
            return
        if events:
            self.feed.begin(list(events))
            self.feed.sync()
        else:
            self.feed.fetch()

    def close(self) -> None:
        """Close the page and all that listens for it."""
        self.closed = True
        for ear in self.ears:
            unlisten(ear)
        if self.loaded:
            self.feed.close()
        self.last_known.close()
        self.senses.close()
        if self.is_up:
            local_gateway.picture(self.id)
            self.history.stop()
            self.layout.away.close()
            self.layout.note.save()
            self.playback.stop()

    # -- showing -------------------------------------------------------------------------------

    def show(self, told: Sequence[Any] = ()) -> None:
        """Show the present: the waiting room, or the table."""
        if self.closed:
            return
        self.last_known.note()
        if self.match.held() != self.seated:
            self._say(told)
            self._tell_moved()
            self.went(None)  # rebuild the page, which was built for other seats
            return
        status = self.match.data["status"]
        self.presence.sit(self.match.data["seats"])
        self.senses.note(self.match.my_seat() is not None, bool(told))
        if status == "open":
            waiting_room.waiting(self)
            return
        if self.is_up:
            for _ in self._showing(told):
                pass
        elif not self.called:
            self.called = True
            soon(self._rise)

    def _tell_moved(self) -> None:
        """Say that a seat of this device was moved to another device.

        The service does not say so to those who may still watch the match.
        """
        gone = [seat for seat in self.seated if seat not in self.match.held()]
        recovered = [e["seat"] for e in self.match.events if e["type"] == "SeatRecovered"]
        if recovered and recovered[-1] in gone:
            toast(t("Your seat at this table has moved to another device."))

    def _rise(self) -> None:
        if not self.closed:
            self._set_up()
            self.rising = True
            in_slices(self._rising(), lambda: not self.closed)

    def _rising(self) -> Iterator[None]:
        """Build the page hidden behind what is shown, and reveal it when complete.

        This avoids layout shift. It takes a while, so it yields between steps.
        """
        version, data = self.match.version, self.match.data
        yield
        self.going_back = GoingBack(self)
        yield
        yield from self._furnish()
        yield
        self.layout.put_up()
        self.ears.append(listen("document", "keydown", self.history.key))
        yield
        now = self.now()
        yield
        yield from self.screen.prepare(now)
        if self.wanted is not None:
            self.history.look(self.wanted)
        yield from self._showing(())
        self.layout.reveal()
        self.is_up = True
        if self.back_code:
            self.layout.ways.lose_device(True, self.back_code)
            self.layout.ways.node.scrollIntoView()
        if (version, data) != (self.match.version, self.match.data):
            self.show()  # the match has changed meanwhile

    def _showing(self, told: Sequence[Any]) -> Iterator[None]:
        status = self.match.data["status"]
        self.history.update()
        if self.history.at is None:
            words = self.playback.update()
            self._say([words] if words else told)
            yield
            yield from self._drawing()
        else:
            self._say(told)
            self.going_back.banners()
            self.draw_actions()
        yield
        self._family()
        self.layout.place_log()
        if self.match.quiet and status == "finished":
            self.match.quiet = False
            client.get(self.address("/events", after=0), self._retell)
        if status == "finished" and not self.told_end and self.history.at is None:
            self.told_end = True
            install_hint.played()
            self.layout.result()

    def _retell(self, answer: Data) -> None:
        if not self.closed and len(answer["events"]) == self.match.version:
            self.match.retell(answer["events"])
            self.last_known.keep_anew()
            self.log.retell()
            self.draw()

    def _family(self) -> None:
        """Show where the match came from and what was forked from it."""
        self.forks = self.match.data.get("forks", self.forks)
        told = {**self.match.data, "forks": self.forks}
        fill(self.layout.lineage, lineage(told, self.match.move))

    def _set_up(self) -> None:
        self.screen = self.game(self)
        self.history = History(self)
        self.log = Log(self.match, self.show_moment, self.history.step)
        self.playback = Playback(self, self.screen)
        self.ears.extend(self.playback.ears)
        self.forking = Forking(self.path, self.went)
        self.sure = Sure(self)

    def _furnish(self) -> Iterator[None]:
        self.layout = Layout(self)
        yield
        self.layout.furnish()

    @property
    def frame(self) -> Node:
        """The root node of the page."""
        return self.layout.frame

    def hear_talk(self, events: list[Event]) -> None:
        """Show new messages of others."""
        self.layout.talk.hear(events)

    def sheet_open(self) -> bool:
        """Return whether a sheet is open over the page."""
        return self.layout.sheet_open()

    def now(self) -> Now:
        """Return the moment to show."""
        match = self.match
        at = self.history.at
        if match.rules:
            live = at is None
            state = match.state if live else match.state_at(at)
            seat = match.my_seat() if live else None
            choices = match.rules.choices(state, seat) if seat is not None else ()
            view = match.rules.view(state, seat)
            hide = 0 if live else self.history.hide
            return Now(view, state, choices, seat, live, at or match.version, hide)
        if at is None:
            view = match.data["view"]
            choices, groups = self.server_choices, self.server_groups
            return Now(view, view, choices, match.my_seat(), True, match.version, 0, groups)
        return Now(self.moments.view(at) or {}, at, (), None, False, at)

    def _picture(self, now: Now) -> Now:
        """Return what the screen shows of a moment.

        That is the moment with its last move marked, or the frame of the animation that is playing.
        """
        frame = self.playback.frame if now.live else None
        if frame is None:
            if not (now.live and self.sending.queue):
                now.marks = self.playback.marks(now.version, now.live)
            return now
        version, part, parts = frame
        if rules := self.match.rules:
            state = self.match.state_at(version)
            view = rules.view(state, None)
            now = Now(view, state, (), None, False, version, parts - 1 - part)
        now.marks = self.playback.marks(version, False)
        now.frame = (version, part)
        return now

    def draw(self) -> None:
        """Draw the moment that the replay controls stand at."""
        for _ in self._drawing():
            pass

    def _drawing(self) -> Iterator[None]:
        match = self.match
        at = self.history.at
        if match.rules is None and at is not None and self.moments.view(at) is None:
            self.moments.want(at, self._arrived)
            return
        now = self.shown = self.now()
        self.sure.keep()
        self.layout.turn_line(now)
        self.layout.notice(now)
        yield
        self.layout.offer(now)
        self.layout.hints.draw(now)
        yield
        self.screen.draw(self._picture(now))
        yield
        mine = "game my-turn" if now.seat is not None else "game" if now.live else "game looking"
        patch(self.frame, {"class": mine, "data-sending": str(len(self.sending.queue) or "")})
        self.layout.mark_log()
        if self.layout.move_sheet.is_open:
            self.layout.fill_moves(now)

    def _arrived(self, at: int) -> None:
        if self.history.at == at:
            self.draw()

    def moments_near(self, version: int) -> None:
        """Load the moments next to a version if the service computes them."""
        if self.match.rules is None:
            self.moments.neighbours(version)

    def show_moment(self, version: int) -> None:
        """Show a version; closes all sheets and stops the replay."""
        self.layout.close_sheets()
        self.history.stop()
        self.history.look(version)

    def draw_actions(self) -> None:
        """Update the buttons for the moment shown."""
        self.layout.offer(self.now())

    def names(self) -> tuple[str, ...]:
        """Return the names of the seats in texts."""
        return self.match.names

    def short(self, seat: int) -> str:
        """Return a seat's name for a table: "You" if this device holds only that seat."""
        held = self.match.held()
        return t("You") if held == [seat] else self.names()[seat]

    def _say(self, told: Any) -> None:
        words = list(told)
        if self.match.my_seat() is not None and self.history.at is None and told:
            words.append(t("It is your turn."))
        if words:
            announce(sentences(words))

    def fork(self, version: int) -> None:
        link = share_link(self.match.data, version, self.share)
        start = self.match.fork_version(version)
        where = t("at {move}", move=self.match.move(start))
        told = self.match.told_by(start)
        self.forking.open(self.match.data, start, where, told, link, is_earlier=start < version)

    # -- doing ---------------------------------------------------------------------------------

    def play(self, *commands: Command, final: bool = False) -> None:
        """Play moves, asking for confirmation first if they could not be taken back for free."""
        self.sending.play(*commands, final=final)

    def commit(self, *commands: Command) -> None:
        """Play moves that were chosen and confirmed."""
        self.sending.commit(*commands)

    def why_not(self, tried: Any) -> None:
        """Explain why the rules forbid a command, or what ``tried()`` asks them."""
        words = self.match.refusal(tried)
        if words:
            explain(words)

    def idle(self, now: Now) -> str:
        """Return why this device cannot act at a moment; "" if it can, or the match is over."""
        if self.match.data["status"] != "playing" or (now.live and now.seat is not None):
            return ""
        if not now.live:
            return t("This is an earlier moment: go back to now to play.")
        if self.match.data.get("lost") and not self.match.held():
            return t("A bot plays in your seat. You can watch, but not play.")
        if not self.match.held():
            return t("You are watching: only who sits at the table can play.")
        return t("It is not your turn.")

    def take_back(self, to_version: Any = None) -> None:
        """Take back one own step, or go back to a version; an unsent step is only dropped."""
        self.going_back.own(to_version)

    def sync(self) -> None:
        """Request what happened since from the service."""
        self.feed.sync()
