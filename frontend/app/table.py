"""A match on the screen: the waiting room, the game, the result."""

from _native import follow, follow_again, hidden, listen, matches, stop_following, title, unlisten

from domain.game import IllegalMove
from frontend.app import net, room
from frontend.app.dom import after, announce, button, el, fill, patch, picture, show, toast
from frontend.app.forking import Forking, fork_button, lineage
from frontend.app.games import screen_of
from frontend.app.going_back import GoingBack
from frontend.app.history import History
from frontend.app.log import Log
from frontend.app.match import Match
from frontend.app.moments import Moments
from frontend.app.sharing import share_link
from frontend.app.sheets import Sheet, result_body

WAKING = (("document", "visibilitychange"), ("window", "online"), ("window", "pageshow"))


class Now:
    """What a screen shows: a moment of the match, and what this device may do in it.

    ``seat``: the own seat that is to act, else None; ``live``: whether this is the present;
    ``hide``: pieces of the latest block not yet shown (replay goes piece by piece).
    """

    def __init__(self, view, state, choices, seat, live, version, hide=0):
        self.view = view
        self.state = state
        self.choices = choices
        self.seat = seat
        self.live = live
        self.version = version
        self.hide = hide


class Table:
    """One match, from the moment its page is opened until another page is."""

    def __init__(self, match_id, query, went):
        self.id = match_id
        self.path = "/api/matches/" + match_id
        self.invite = query.get("invite")
        self.code = query.get("invite") or query.get("share")
        self.share = query.get("share")
        self.went = went
        self.wanted = int(query["v"]) if query.get("v", "").isdigit() else None
        self.match = None
        self.screen = None
        self.game = None
        self.queue = []
        self.sending = False
        self.syncing = False
        self.again = False
        self.following = None
        self.ears = []
        self.closed = False
        self.heard = 0
        self.titled = None
        self.told_end = False
        self.server_choices = ()
        self.moments = Moments(self)
        self.forks = ()
        self._load()

    # -- coming and going ----------------------------------------------------------------------

    def _load(self):
        show(
            el(
                "main",
                {"class": "page", "aria-busy": "true"},
                el(
                    "div",
                    {"class": "bar"},
                    el("a", {"class": "brand", "href": "/"}, "Caravanserai"),
                ),
                el("div", {"class": "skeleton board"}),
                el("div", {"class": "skeleton"}),
                el("div", {"class": "skeleton"}),
            )
        )
        net.get(self.address(""), self._loaded, self._missing)

    def page(self, version=None):
        """The address of this page, at a version or now."""
        query = [] if version is None else [f"v={version}"]
        if self.share:
            query.append("share=" + self.share)
        return f"/m/{self.id}" + ("?" + "&".join(query) if query else "")

    def review_page(self):
        """The address of the match's review."""
        return f"/m/{self.id}/review" + (f"?share={self.share}" if self.share else "")

    def address(self, rest, **query):
        """The address of one of the match's calls."""
        if self.code:
            query["invite"] = self.code
        if self.match is not None and self.match.in_hand is not None and rest != "/live":
            query["seat"] = self.match.in_hand
        words = "&".join([f"{name}={value}" for name, value in query.items()])
        return self.path + rest + ("?" + words if words else "")

    def _missing(self, problem):
        if self.closed:
            return
        if problem.status == 0:
            after(2000, self._load)
            return
        words = (
            "There is no such table, or it is not open to you."
            if problem.status == 404
            else problem.detail
        )
        show(room.message("Nobody here", words))

    def _loaded(self, data):
        if self.closed:
            return
        module = screen_of(data["game"])
        self.game = module
        turns = getattr(module, "turns_in_round", None)
        open_text = getattr(module, "open_text", None)
        count = turns(len(data["seats"])) if turns else 1
        self.match = Match(data, module.RULES, count, open_text)
        self.ears = [listen(target, name, self._woke) for target, name in WAKING]
        self.following = follow(self.address("/live"), data["version"], self._heard, net.reached)
        self._fetch()

    def _woke(self, _event):
        """Back from sleep or a lost network: no connection is trusted, all is asked anew."""
        if self.closed or hidden():
            return
        follow_again(self.following)
        self.sync()

    def close(self):
        """The page is left."""
        self.closed = True
        for ear in self.ears:
            unlisten(ear)
        if self.following is not None:
            stop_following(self.following)
        if self.screen is not None:
            self.history.stop()

    # -- keeping up ----------------------------------------------------------------------------

    def _heard(self, version):
        self.heard = version
        if self.match is not None and version > self.match.version and not self.sending:
            self.sync()

    def sync(self):
        """Asks for what happened since; one question at a time."""
        if self.syncing:
            self.again = True
            return
        self.syncing = True
        net.get(self.address(""), self._synced, self._sync_failed)

    def _sync_failed(self, problem):
        self.syncing = False
        if problem.status == 0 and not self.closed:
            after(3000, self.sync)

    def _synced(self, data):
        if self.closed:
            return
        if not self.sending:
            self.match.data = data
        self._fetch()

    def _fetch(self):
        net.get(self.address("/events", after=self.match.version), self._fetched, self._sync_failed)

    def _fetched(self, answer):
        self.syncing = False
        if self.closed:
            return
        if not self.sending:
            self.take(answer["events"])
            # Somebody may have moved between the two answers: then the first is out of date.
            self.again = self.again or self.match.version > self.match.data["version"]
        if self.again:
            self.again = False
            self.sync()

    def take(self, events):
        """Adds what happened, says it aloud and shows it."""
        before = self.match.version
        self.match.take(events)
        told = [e["text"] for e in self.match.events[before:] if e["text"]]
        self._choices(lambda: self.show(told[-3:] if before else ()))

    def _choices(self, then):
        """Games without rules in the browser ask the service what may be done."""
        match = self.match
        self.server_choices = ()
        seat = match.my_seat()
        if match.rules or seat is None or match.data["status"] != "playing":
            then()
            return

        def done(answer):
            self.server_choices = answer["choices"]
            then()

        net.get(self.address("/choices", seat=seat), done, lambda _problem: then())

    # -- showing -------------------------------------------------------------------------------

    def show(self, told=()):
        """Puts the present up, in the form that fits."""
        if self.closed:
            return
        status = self.match.data["status"]
        if status == "open":
            room.waiting(self)
            return
        if self.screen is None:
            self._set_up()
        self.history.update()
        self._say(told)
        if self.history.at is None:
            self.draw()
        else:
            self.going_back.banners()
            self.draw_actions()
        self._family()
        self._log()
        if self.match.quiet and self.match.is_open:
            self.match.quiet = False
            net.get(self.address("/events", after=0), self._retell)
        if status == "finished" and not self.told_end and self.history.at is None:
            self.told_end = True
            self.result()

    def _retell(self, answer):
        if not self.closed and len(answer["events"]) == self.match.version:
            self.match.retell(answer["events"])
            self.log.retell()
            self.draw()

    def _family(self):
        """Where the match came from and what began from it."""
        self.forks = self.match.data.get("forks", self.forks)
        fill(self.lineage, lineage({**self.match.data, "forks": self.forks}))

    def _set_up(self):
        self.screen = self.game.Screen(self)
        self.turn = el("div", {"class": "turn plain", "role": "status"})
        self.notices = el("div", {"class": "notices"})
        self.actions = el("div", {"class": "actions"})
        self.history = History(self)
        self.log = Log(self.match, self._from_log, self.history.step)
        self.log_home = None
        self.log_sheet = Sheet("What happened", el("div", {}))
        self.move_list = el("div", {"class": "moves"})
        self.move_sheet = Sheet("Every move you can make", self.move_list)
        self.end_sheet = Sheet("The result", el("div", {}))
        self.forking = Forking(self.path, self.went)
        self.sheets = [self.log_sheet, self.move_sheet, self.end_sheet, self.forking.sheet]
        self.going_back = GoingBack(self)
        self.acted = None
        self.asks = el("div", {})
        self.last_round = el("div", {})
        fill(self.notices, self.asks, self.last_round)
        self.going_back.slots = [self.asks, *[sheet.notices for sheet in self.sheets]]
        self.lineage = el("div", {"class": "lineages"})
        self.beside = el("section", {"class": "beside"}, el("h2", {}, "What happened"))
        bar = el(
            "header",
            {"class": "game-bar"},
            el(
                "a",
                {
                    "class": "button round quiet",
                    "href": "/",
                    "aria-label": "All tables",
                    "title": "All tables",
                },
                picture("i-back", 22),
            ),
            self.turn,
        )
        dock = el(
            "section",
            {"class": "dock", "aria-label": "Table"},
            self.screen.panel,
            self.screen.aside,
            self.actions,
            self.going_back.node,
            self.history.node,
            self.history.speeds,
            self.lineage,
            self.beside,
        )
        self.frame = el("div", {"class": "game"}, bar, self.notices, self.screen.node, dock)
        show(self.frame, *[sheet.node for sheet in self.sheets])
        self.ears.append(listen("document", "keydown", self.history.key))
        if self.wanted is not None:
            self.history.look(self.wanted)

    def now(self):
        """The moment to show."""
        match = self.match
        at = self.history.at
        if match.rules:
            live = at is None
            state = match.state if live else match.states[at]
            seat = match.my_seat() if live else None
            choices = match.rules.choices(state, seat) if seat is not None else ()
            view = match.rules.view(state, seat)
            hide = 0 if live else self.history.hide
            return Now(view, state, choices, seat, live, at or match.version, hide)
        if at is None:
            view = match.data["view"]
            return Now(view, view, self.server_choices, match.my_seat(), True, match.version)
        return Now(self.moments.view(at), at, (), None, False, at)

    def draw(self):
        """Shows the moment the history stands at."""
        match = self.match
        at = self.history.at
        if match.rules is None and at is not None and self.moments.view(at) is None:
            self.moments.want(at, self._arrived)
            return
        now = self.now()
        self._turn_line(now)
        self._notices(now)
        self._actions(now)
        self.screen.draw(now)
        mine = "game my-turn" if now.seat is not None else "game" if now.live else "game looking"
        patch(self.frame, {"class": mine, "data-sending": str(len(self.queue) or "")})
        self._mark_log()
        if self.move_sheet.is_open:
            self._fill_moves(now)

    def _arrived(self, at):
        if self.history.at == at:
            self.draw()

    def moments_near(self, version):
        """Has the moments round a version ready when the service tells them."""
        if self.match.rules is None:
            self.moments.neighbours(version)

    def show_moment(self, version):
        """Looks at a version, from wherever one is."""
        for sheet in self.sheets:
            sheet.close()
        self.history.stop()
        self.history.look(version)

    def draw_actions(self):
        """Shows what can be done at the moment looked at."""
        self._actions(self.now())

    def names(self):
        """What texts call the seats."""
        return self.match.names

    def short(self, seat):
        """A seat's name in a table: "You" when this device holds only that one."""
        held = self.match.held()
        return "You" if held == [seat] else self.names()[seat]

    def _turn_line(self, now):
        acting = [] if not now.live else self.match.acting()
        tone = None
        if not now.live:
            words = self._told_by(now.version)
        elif self.match.data["status"] == "finished":
            words = "The game is over"
        elif now.seat is not None:
            tone = now.seat
            whose = "Your turn" if len(self.match.held()) == 1 else self.names()[now.seat]
            words = f"{whose} · {self.screen.prompt(now)}"
        elif acting:
            tone = acting[0]
            words = _listed([self.names()[seat] for seat in acting]) + " to play"
        else:
            words = "Waiting"
        mark = picture("camel") if tone is not None else None
        fill(self.turn, mark, el("span", {}, words))
        style = f"--tone:var(--seat-{tone})" if tone is not None else None
        patch(self.turn, {"class": "turn" if tone is not None else "turn plain", "style": style})
        star = "● " if now.seat is not None else ""
        if star + words != self.titled:
            self.titled = star + words
            title(f"{star}{words} – Caravanserai")

    def _told_by(self, version):
        """The last thing that was said up to a version."""
        for event in reversed(self.match.events[:version]):
            if event["text"]:
                return event["text"]
        return "Looking back"

    def _say(self, told):
        words = list(told)
        if self.match.my_seat() is not None and self.history.at is None and told:
            words.append("It is your turn.")
        if words:
            announce(" ".join(words))

    def _notices(self, now):
        self.going_back.banners()
        last = now.live and now.view and now.view.get("final_round")
        words = None
        if last and self.match.data["status"] == "playing":
            text = "The final round: everybody plays once more."
            words = el("div", {"class": "notice"}, el("span", {}, text))
        fill(self.last_round, words)

    def _actions(self, now):
        undo = self.match.data["undo"]
        parts = []
        playing = self.history.timer is not None
        self.history.speeds.hidden = not playing
        self.going_back.here(None if now.live or playing else now.version)
        if not now.live:
            if self.acted == "looking":
                return
            parts = [
                button("Back to now", lambda _e: self.history.to_now(), "primary"),
                fork_button(lambda _e: self._fork(self.history.at)),
            ]
        elif self.match.data["status"] == "finished":
            parts.append(button("The result", lambda _e: self.result(), "primary"))
        elif self.match.held():
            parts = self._undo_buttons(undo)
        if now.live:
            parts.append(button("Every move as a list", self._open_moves, "round", "i-list"))
        parts.append(button("What happened", self._open_log, "round beside-not", "i-log"))
        self.acted = "live" if now.live else "looking"
        fill(self.actions, parts)

    def _undo_buttons(self, undo):
        waiting = len(self.queue) > 1
        kind = undo["kind"]
        can = (kind is not None and not undo.get("proposal")) or waiting
        word = "Ask to take back" if kind == "consent" else "Step back"
        parts = [
            button(
                word,
                lambda _e: self.take_back(),
                sign="i-undo",
                disabled=not can,
                title=undo["reason"],
            )
        ]
        turn = undo["turn"]
        if can and kind != "consent" and turn is not None and turn != undo["step"]:
            parts.append(button("Undo turn", lambda _e: self.take_back(turn)))
        if self.match.data.get("redo"):
            parts.append(button("Redo", lambda _e: self._redo()))
        return parts

    # -- sheets --------------------------------------------------------------------------------

    def sheet_open(self):
        """Whether a sheet lies over the table."""
        return any(sheet.is_open for sheet in self.sheets)

    def _fork(self, version):
        link = share_link(self.match.data, version, self.share)
        self.forking.open(self.match.data, version, self._told_by(version), link)

    def _open_log(self, _event):
        self.log_sheet.open()
        self.log.reveal()

    def _open_moves(self, _event):
        self._fill_moves(self.now())
        self.move_sheet.open()

    def _fill_moves(self, now):
        if now.seat is None or not now.choices:
            fill(self.move_list, el("p", {"class": "muted"}, "It is not your turn."))
            return
        fill(self.move_list, [self._move(choice) for choice in now.choices])

    def _move(self, choice):
        command = choice["command"] if isinstance(choice, dict) else choice.command

        def chosen(_event):
            self.move_sheet.close()
            self.play(command)

        return button(self.screen.label(choice), chosen)

    def _mark_log(self):
        seen = self.log_sheet.is_open or self.log_home == "beside"
        self.log.mark(self.history.at, seen)

    def _log(self):
        self.log.update()
        home = "beside" if matches("(min-width: 900px)") else "sheet"
        if home != self.log_home:
            self.log_home = home
            (self.beside if home == "beside" else self.log_sheet.body).append(self.log.node)
        self._mark_log()

    def _from_log(self, version):
        self.show_moment(version)

    def result(self):
        """The standings."""
        standings = self.match.data.get("standings")
        if not standings:
            return
        fill(self.end_sheet.body, result_body(self, standings))
        self.end_sheet.open()

    # -- doing ---------------------------------------------------------------------------------

    def play(self, *commands):
        """Shows moves at once and sends them in one request; a refusal brings everything back."""
        seat = self.match.my_seat()
        if seat is None:
            return
        if self.match.rules is None and self.queue:
            return
        self.queue.append((seat, commands))
        if not self._look_ahead():
            self.queue.pop()  # a second tap on what is no longer there
            self._look_ahead()
            return
        self.show()
        self._send()

    def _look_ahead(self):
        """Plays what is on its way on top of what the service has confirmed; False when the
        rules forbid it."""
        match = self.match
        match.ahead = None
        if match.rules is None or not self.queue:
            return True
        state = match.states[-1]
        happened = []
        try:
            for seat, commands in self.queue:
                for command in commands:
                    for event in match.rules.decide(state, seat, command, _no_draw):
                        happened.append(event)
                        state = match.rules.evolve(state, event)
        except IllegalMove:
            return False
        except NoChance:
            return True  # only the service can tell what will happen
        match.ahead = (happened, state)
        return True

    def _send(self):
        if self.sending or not self.queue:
            return
        self.sending = True
        seat, commands = self.queue[0]
        body = {"seat": seat, "expected_version": self.match.version, "commands": commands}
        net.send(self.path + "/commands", body, self._sent, self._refused)

    def _sent(self, answer):
        self.sending = False
        if self.queue:
            self.queue.pop(0)
        self.match.data = answer["match"]
        before = self.match.version
        first = answer["events"][0]["version"] if answer["events"] else before + 1
        if first > before + 1:
            self.sync()
        self.match.take(answer["events"])
        if self.match.open_text and len(self.match.held()) > 1:
            self.sync()  # the answer is for another seat than the one that holds the device
        if self.match.data["status"] != "playing":
            self.queue = []
        if not self._look_ahead():
            self.queue = []
            self._look_ahead()
            toast("What you played next is no longer possible.")
        if self.heard > self.match.version:
            self.sync()
        if not self.closed:
            told = [e["text"] for e in self.match.events[before:] if e["text"]]
            self._choices(lambda: self.show(told[-3:]))
        self._send()

    def _refused(self, problem):
        self.sending = False
        self.queue = []
        self.match.ahead = None
        if problem.code == "version_conflict":
            toast("The table has moved on. Here it is as it stands now.")
        else:
            toast(problem.detail)
        self.show()
        self.sync()

    def take_back(self, to_version=None):
        """One own step back, or to a version; an unsent step is only forgotten."""
        if len(self.queue) > 1:
            self.queue.pop()
            self._look_ahead()
            self.show()
            return
        if self.sending:
            return
        self.undo_to(self.match.data["undo"]["seat"], to_version)

    def undo_to(self, seat, to_version, then=None):
        """Takes back to a version, or asks the others to; ``then(match)`` when that is done."""
        if self.sending:
            return
        body = {"seat": seat, "expected_version": self.match.version}
        if to_version is not None:
            body["to_version"] = to_version
        self._post("/undo", body, then)

    def _redo(self):
        seat = self.match.data["undo"]["seat"]
        self._post("/redo", {"seat": seat, "expected_version": self.match.version})

    def answer(self, seat, accept):
        """Agrees to a proposal or declines it."""
        self._post("/undo/answer", {"seat": seat, "accept": accept})

    def _post(self, rest, body, then=None):
        if self.sending:
            return
        self.sending = True

        def done(data):
            self.sending = False
            self.match.data = data
            if then:
                then(data)
            self.sync()

        net.send(self.path + rest, body, done, self._refused)


def _listed(names):
    """Names in a line: two at most, and how many more."""
    if len(names) > 2:
        names = [names[0], f"{len(names) - 1} more"]
    return " and ".join(names)


class NoChance(Exception):
    """A move that asks for a draw: chance belongs to the service."""


def _no_draw(_n):
    raise NoChance
