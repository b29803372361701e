"""A match on the screen: the waiting room, the game, the result."""

from collections.abc import Iterator, Sequence
from typing import Any

from _native import explain, listen, soon, unlisten

from frontend.app import installing, net, room, titles
from frontend.app.dom import after, announce, by_id, fill, in_slices, patch, show, toast
from frontend.app.feed import Feed
from frontend.app.forking import Forking, lineage
from frontend.app.games import Now, Screen
from frontend.app.going_back import GoingBack
from frontend.app.history import History
from frontend.app.houses import load_look, screen_of
from frontend.app.last_known import LastKnown
from frontend.app.layout import Layout
from frontend.app.log import Log
from frontend.app.match import Match
from frontend.app.moments import Moments
from frontend.app.net import Problem
from frontend.app.outbox import AGAIN
from frontend.app.phone import door
from frontend.app.playback import Playback
from frontend.app.presence import Presence
from frontend.app.sending import Sending
from frontend.app.senses import Senses
from frontend.app.sharing import share_link
from frontend.app.sure import Sure
from frontend.app.turns import WORDS
from frontend.app.typed import Choice, Command, Data, Event, Node, Went
from frontend.app.words import sentences, t

AGAIN_IN = 2000  # milliseconds until a match that could not be fetched is asked for again


class MatchPage:
    """One match, from the moment its page is opened until another page is."""

    # When it is loaded.
    match: Match
    seated: list[Any]
    """The seats of this device that the page is built for."""
    game: type[Screen]
    sending: Sending
    feed: Feed
    turn_words: dict[str, str]
    # When the screen is up.
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
            show(room.waits())  # else its page came with its board
        titles.learn(lambda _games: None)  # asked for beside the match
        self._ask()

    def _ask(self) -> None:
        if not self.closed:
            net.get(self.address(""), self._found, self._missing)

    def _found(self, data: Data) -> None:
        if not self.closed:
            titles.learn(lambda _games: load_look(data["game"], lambda: self._loaded(data)))

    def address_at(self, version: int | None = None) -> str:
        """The address of this page, at a version or now."""
        query = [] if version is None else [f"v={version}"]
        if self.share:
            query.append("share=" + self.share)
        return f"/m/{self.id}" + ("?" + "&".join(query) if query else "")

    def review_page(self) -> str:
        """The address of the match's review."""
        return f"/m/{self.id}/review" + (f"?share={self.share}" if self.share else "")

    def address(self, rest: str, **query: Any) -> str:
        """The address of one of the match's calls."""
        if self.code:
            query["invite"] = self.code
        if self.loaded and self.match.in_hand is not None and rest != "/live":
            query = {"seat": self.match.in_hand, **query}
        words = "&".join([f"{name}={value}" for name, value in query.items()])
        return self.path + rest + ("?" + words if words else "")

    def _missing(self, problem: Problem) -> None:
        if self.closed:
            return
        if problem.status in AGAIN:
            self.last_known.find(self._found_here, lambda: after(AGAIN_IN, self._ask))
            return
        title, words = t("Nobody here"), problem.detail
        if problem.data.get("seat_moved"):
            title = t("Seat moved")
        elif problem.status == 404:
            words = t("There is no such table, or it is not open to you.")
        show(room.message(title, words))

    def _found_here(self, data: Data, events: list[Event]) -> None:
        """The service cannot be reached: the match is shown as it was last known."""
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
        secret = "secret" in titles.of(data["game"])["traits"]
        self.match = Match(data, self.game.RULES, count, secret)
        self.turn_words = WORDS[self.game.TURN]
        self.seated = self.match.held()
        self.sending = Sending(self)
        self.loaded = True
        self.feed = Feed(self)
        net.outbox.ready(lambda: self._begin(events))

    def _begin(self, events: Sequence[Event]) -> None:
        """Shows the match: with the events that are here, or those that are fetched now."""
        if self.closed:
            return
        if events:
            self.feed.begin(list(events))
            self.feed.sync()
        else:
            self.feed.fetch()

    def close(self) -> None:
        """The page is left."""
        self.closed = True
        for ear in self.ears:
            unlisten(ear)
        if self.loaded:
            self.feed.close()
        self.last_known.close()
        self.senses.close()
        if self.is_up:
            door.picture(self.id)
            self.history.stop()
            self.layout.away.close()
            self.playback.stop()

    # -- showing -------------------------------------------------------------------------------

    def show(self, told: Sequence[Any] = ()) -> None:
        """Puts the present up, in the form that fits."""
        if self.closed:
            return
        self.last_known.note()
        if self.match.held() != self.seated:
            self._say(told)
            self._tell_moved()
            self.went(None)  # the page is built for the seats of this device: build it anew
            return
        status = self.match.data["status"]
        self.presence.sit(self.match.data["seats"])
        self.senses.note(self.match.my_seat() is not None, bool(told))
        if status == "open":
            room.waiting(self)
            return
        if self.is_up:
            for _ in self._showing(told):
                pass
        elif not self.called:
            self.called = True
            soon(self._rise)

    def _tell_moved(self) -> None:
        """Says where a seat has gone that another device has now; whoever may still watch the match
        is not told by the service."""
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
        """Puts the page up behind what stands there until it is complete: nothing of it is seen to
        move. It takes a while, so it is done in pieces."""
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
            self.show()  # more has come meanwhile

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
            net.get(self.address("/events", after=0), self._retell)
        if status == "finished" and not self.told_end and self.history.at is None:
            self.told_end = True
            installing.played()
            self.layout.result()

    def _retell(self, answer: Data) -> None:
        if not self.closed and len(answer["events"]) == self.match.version:
            self.match.retell(answer["events"])
            self.last_known.keep_anew()
            self.log.retell()
            self.draw()

    def _family(self) -> None:
        """Where the match came from and what began from it."""
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
        """The node of the page."""
        return self.layout.frame

    def sheet_open(self) -> bool:
        """Whether a sheet lies over the page."""
        return self.layout.sheet_open()

    def now(self) -> Now:
        """The moment to show."""
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
        """What the screen shows of a moment: the move that led there marked, or the picture that
        is being played."""
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
        """Shows the moment the history stands at."""
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
        """Has the moments round a version ready when the service tells them."""
        if self.match.rules is None:
            self.moments.neighbours(version)

    def show_moment(self, version: int) -> None:
        """Looks at a version, from wherever one is."""
        self.layout.close_sheets()
        self.history.stop()
        self.history.look(version)

    def draw_actions(self) -> None:
        """Shows what can be done at the moment looked at."""
        self.layout.offer(self.now())

    def names(self) -> tuple[str, ...]:
        """What texts call the seats."""
        return self.match.names

    def short(self, seat: int) -> str:
        """A seat's name in a table: "You" when this device holds only that one."""
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
        """Carries moves out; asks first where they could not be taken back for free."""
        self.sending.play(*commands, final=final)

    def commit(self, *commands: Command) -> None:
        """Carries moves out that were chosen and confirmed."""
        self.sending.commit(*commands)

    def why_not(self, tried: Any) -> None:
        """Says why the rules forbid a command, or what ``tried()`` asks them."""
        words = self.match.refusal(tried)
        if words:
            explain(words)

    def idle(self, now: Now) -> str:
        """Why this device can do nothing at all at a moment; "" when it can, or the match is
        over."""
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
        """One own step back, or to a version; an unsent step is only forgotten."""
        self.going_back.own(to_version)

    def sync(self) -> None:
        """Asks the service for what happened since."""
        self.feed.sync()
