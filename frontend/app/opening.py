"""Setting a table, and sitting down at one."""

from _native import fill, go, keep_focus

from frontend.app import home, net, people, room
from frontend.app.dom import button, el, show, toast


class New:
    """The page on which a table is set."""

    def __init__(self, visit, slug=None):
        self.visit = visit
        self.slug = slug
        self.form = el("div", {})
        self.sending = False
        show(el("main", {"class": "page"}, room.top("Open a table"), self.form))
        fill(self.form, el("div", {"class": "skeleton", "style": "min-height:50vh"}))
        home.learn_games(lambda games: people.find(lambda: self._lay(games)))

    def close(self):
        """The page is left."""

    def _lay(self, games):
        self.games = {game["slug"]: game for game in games}
        slugs = [game["slug"] for game in games]
        if self.slug not in slugs:
            self.slug = "caravanserai" if "caravanserai" in slugs else slugs[0]
        self.options = {}
        self.count = 0
        self.way = "apart"
        self.public = False
        self.names = {0: people.me["name"]}
        self.bots = set()
        self._draw()

    def _draw(self):
        game = self.games[self.slug]
        if self.count not in game["seats"]:
            self.count = 2 if 2 in game["seats"] else game["seats"][0]
        parts = []
        if len(self.games) > 1:
            parts.append(
                _choices(
                    "Game",
                    [(slug, g["title"], "") for slug, g in self.games.items()],
                    self.slug,
                    self._set_game,
                )
            )
        parts.append(el("p", {"class": "muted"}, game["about"]))
        counts = [(n, str(n), "alone" if n == 1 else "") for n in game["seats"]]
        parts.append(_choices("Players", counts, self.count, self._set_count))
        if self.count > 1:
            ways = [
                ("apart", "Each on their own phone", "you get a link and a QR code"),
                ("round", "Pass one phone round", "all at this device"),
            ]
            parts.append(_choices("How", ways, self.way, self._set_way))
        parts.append(self._seats())
        for name, option in game["options"].get("properties", {}).items():
            if option.get("type") == "boolean":
                parts.append(self._switch_option(name, option))
            elif "enum" in option:
                parts.append(self._choose_option(name, option))
            elif option.get("type") == "integer":
                parts.append(self._number_option(name, option))
        if self.count > 1 and self.way == "apart":
            parts.append(
                _switch(
                    "Public table", "Anybody may sit down or watch", self.public, self._set_public
                )
            )
        self.submit = button("Open the table", self._open, "primary", style="width:100%")
        fill(self.form, el("div", {"class": "card"}, parts, self.submit))

    def _set_game(self, slug):
        self.slug = slug
        self.options = {}
        keep_focus(self._draw)

    def _set_count(self, count):
        self.count = int(count)
        keep_focus(self._draw)

    def _set_way(self, way):
        self.way = way
        keep_focus(self._draw)

    def _set_public(self, on):
        self.public = on

    def _switch_option(self, name, option):
        on = self.options.get(name, option.get("default", False))

        def change(value):
            self.options[name] = value

        return _switch(option.get("title", name), option.get("description", ""), on, change)

    def _choose_option(self, name, option):
        now = self.options.get(name, option.get("default"))

        def change(value):
            self.options[name] = next(each for each in option["enum"] if str(each) == value)

        values = [(each, str(each), "") for each in option["enum"]]
        return _choices(option.get("title", name), values, now, change)

    def _number_option(self, name, option):
        def change(event):
            typed = str(event.target.value)
            if event.target.checkValidity() and typed:
                self.options[name] = int(typed)

        field = {
            "type": "number",
            "inputmode": "numeric",
            "min": option["minimum"],
            "max": option["maximum"],
            "step": 1,
            "value": self.options.get(name, option.get("default", option["minimum"])),
            "oninput": change,
        }
        small = option.get("description", "")
        words = el("span", {}, option.get("title", name), el("small", {}, small))
        return el("label", {"class": "number"}, words, el("input", field))

    def _seats(self):
        lines = []
        for seat in range(self.count):
            mine = seat == 0 or self.way == "round"
            bot = seat in self.bots and seat > 0
            lines.append(self._seat(seat, mine, bot))
        return el("div", {"class": "stack"}, lines)

    def _seat(self, seat, mine, bot):
        def named(event):
            self.names[seat] = event.target.value

        def change(event):
            self.bots.symmetric_difference_update({seat})
            self._draw()

        if mine and not bot:
            field = el(
                "input",
                {
                    "type": "text",
                    "aria-label": "Your name" if seat == 0 else f"Name of player {seat + 1}",
                    "placeholder": "Your name" if seat == 0 else f"Player {seat + 1}",
                    "maxlength": 40,
                    "autocomplete": "nickname" if seat == 0 else "off",
                    "value": self.names.get(seat, ""),
                    "oninput": named,
                },
            )
        else:
            field = el("span", {"class": "name"}, "A simple bot" if bot else "Open for a guest")
        parts = [room.medal(seat), el("div", {"class": "grow"}, field)]
        if seat > 0:
            word = "Person" if bot else "Bot"
            parts.append(
                button(
                    word, change, "", title="Let a person sit here" if bot else "Let a bot sit here"
                )
            )
        return el("div", {"class": "row", "style": "flex-wrap:nowrap"}, parts)

    def _open(self, _event):
        if self.sending:
            return
        name = (self.names.get(0) or "").strip()
        if not name:
            toast("Please say what we may call you.")
            self.form.querySelector("input[type=text]").focus()
            return
        self.sending = True
        self.submit.disabled = True
        people.become(name, self._create, self._failed)

    def _create(self):
        seats = []
        for seat in range(self.count):
            if seat in self.bots and seat > 0:
                seats.append({"kind": "bot"})
            elif seat == 0 or self.way == "round":
                given = (self.names.get(seat) or "").strip()
                seats.append({"kind": "me", "name": given or f"Player {seat + 1}"})
            else:
                seats.append({"kind": "open"})
        body = {
            "game": self.slug,
            "seats": seats,
            "options": self.options,
            "visibility": "public" if self.public and self.way == "apart" else "private",
        }
        net.send("/api/matches", body, lambda match: self.visit(f"/m/{match['id']}"), self._failed)

    def _failed(self, problem):
        self.sending = False
        self.submit.disabled = False
        toast(problem.detail)


class Join:
    """The page an invitation opens."""

    def __init__(self, match_id, query, visit):
        self.id = match_id
        self.invite = query.get("invite")
        self.visit = visit
        self.sending = False
        self.closed = False
        show(
            el(
                "main",
                {"class": "page"},
                room.top("Sit down"),
                el("div", {"class": "skeleton", "style": "min-height:30vh"}),
            )
        )
        home.learn_games(lambda _games: people.find(self._look))

    def close(self):
        """The page is left."""
        self.closed = True

    def _rest(self):
        return f"?invite={self.invite}" if self.invite else ""

    def _look(self):
        net.get(f"/api/matches/{self.id}{self._rest()}", self._found, self._missing)

    def _missing(self, problem):
        words = "This invitation leads nowhere: the table is gone or the link is not whole."
        show(room.message("No such table", words if problem.status == 404 else problem.detail))

    def _found(self, match):
        if self.closed:
            return
        if any(seat["you"] for seat in match["seats"]) or match["status"] != "open":
            go(f"/m/{self.id}{self._rest()}", True)
            self.visit(None)
            return
        game = home.titles.get(match["game"], {"title": match["game"], "about": ""})
        host = ", ".join([s["name"] for s in match["seats"] if s["kind"] != "open" and s["name"]])
        self.field = el(
            "input",
            {
                "type": "text",
                "id": "name",
                "maxlength": 40,
                "placeholder": "Your name",
                "autocomplete": "nickname",
                "value": people.me["name"],
            },
        )
        self.submit = button("Sit down", self._join, "primary", style="width:100%")
        show(
            el(
                "main",
                {"class": "page"},
                room.top("Sit down"),
                el(
                    "div",
                    {"class": "card"},
                    el("h2", {}, game["title"]),
                    el("p", {"class": "muted"}, f"with {host}" if host else ""),
                    el("p", {}, game["about"]),
                    el("label", {"for": "name"}, "What may we call you?"),
                    self.field,
                    self.submit,
                ),
            )
        )

    def _join(self, _event):
        name = str(self.field.value).strip()
        if not name:
            toast("Please say what we may call you.")
            self.field.focus()
            return
        if self.sending:
            return
        self.sending = True
        self.submit.disabled = True

        def sit():
            body = {"name": name}
            if self.invite:
                body["invite"] = self.invite
            net.send(f"/api/matches/{self.id}/join", body, done, failed)

        def done(_match):
            go(f"/m/{self.id}", True)
            self.visit(None)

        def failed(problem):
            self.sending = False
            self.submit.disabled = False
            toast(problem.detail)

        people.become(name, sit, failed)


def _choices(legend, values, chosen, changed):
    """A row of buttons of which one is pressed; values are ``(value, title, small print)``."""
    group = "g" + legend.replace(" ", "")
    parts = []
    for value, title, small in values:
        parts.append(
            el(
                "label",
                {},
                el(
                    "input",
                    {
                        "type": "radio",
                        "name": group,
                        "value": value,
                        "checked": value == chosen,
                        "onchange": lambda event: changed(event.target.value),
                    },
                ),
                el("span", {}, title, el("small", {}, small) if small else None),
            )
        )
    return el("fieldset", {"class": "choice"}, el("legend", {}, legend), parts)


def _switch(title, small, on, changed):
    return el(
        "label",
        {"class": "switch"},
        el(
            "input",
            {
                "type": "checkbox",
                "role": "switch",
                "checked": on,
                "onchange": lambda event: changed(bool(event.target.checked)),
            },
        ),
        el("span", {}, title, el("small", {}, small) if small else None),
    )
