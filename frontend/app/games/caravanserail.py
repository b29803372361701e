"""Caravansérail: the trails between the oases, and under a cover what one plans and trades.

Views and choices come from the service: the browser never knows more than the seat that looks.
"""

from _native import fill, hour_after, keep_focus, patch

from domain.caravanserail.board import LOOT
from domain.caravanserail.words import TEXT
from domain.game import say
from frontend.app.cover import Cover, guard_moves
from frontend.app.deals import Deals
from frontend.app.dom import button, el, picture
from frontend.app.hands import Hands
from frontend.app.journeys import Planner
from frontend.app.trails import Trails
from frontend.app.wares import Picker, amount, sign, signs
from frontend.app.whispers import Whispers

RULES = None
PROMPTS = {
    "homes": "choose your home",
    "diplomacy": "talk, then say you are done",
    "programme": "plan in secret",
    "movement": "pay for lodging",
    "raid": "your looters strike",
    "business": "trade in secret",
}
SIGNPOSTS = {
    "homes": "Choosing homes",
    "diplomacy": "Diplomacy",
    "programme": "planning",
    "movement": "lodging",
    "raid": "raids",
    "business": "business",
    "over": "The game is over",
}
NEWS = (
    "CaravanUnloaded",
    "CaravanLodged",
    "TaxPaid",
    "LootersClashed",
    "RaidMissed",
    "RaidBegun",
    "CaravanSearched",
    "WaresLooted",
)
STIR = ("OfferMade", "OfferDeclined", "OfferWithdrawn", "WaresExchanged")
WHISPERED = "A private word was passed."
# What the log says of a secret, and from which fields, until the match is over.
QUIET = {
    "TreasureDealt": "dealt-hidden",
    "OrderGiven": "planning",
    "LootersSent": "planning",
    "CaravanLoaded": "planning",
    "CaravanUnloaded": "unloaded-hidden",
    "TaxPaid": "paid-hidden",
    "CaravanSearched": "searched-hidden",
    "WaresLooted": "looted-hidden",
    "OfferDrafted": "somebody",
    "GiftNamed": "somebody",
    "DraftDropped": "somebody",
    "OfferMade": "somebody-offers",
    "OfferWithdrawn": "somebody-answers",
    "OfferDeclined": "somebody-answers",
    "WaresExchanged": "somebody-deals",
    "WaresShifted": "somebody",
}


def open_text(event, match):
    """The log says of a secret only what everybody may know, while there are secrets."""
    kind, data = event["type"], event["data"]
    if match.is_open:
        return None
    if kind == "Said" and data["to"] is not None:
        return WHISPERED
    key = QUIET.get(kind)
    if key is None:
        return None
    args = {"who": data["seat"]}
    for name in ("owner", "victim"):
        if name in data:
            args[name] = data[name]
    if data.get("caravan") is not None:
        args["caravan"] = data["caravan"] + 1
    return say(TEXT, key, args, match.names)


class Screen:
    """Shows one moment at a time; ``host.play(*commands)`` carries choices out."""

    def __init__(self, host):
        self.host = host
        self.now = None
        self.built = None
        self.stage = None
        self.opening = None
        self.seen = host.match.version
        self.loot = {}
        self.map = None
        self.scroller = el("div", {"class": "trails-scroll", "tabindex": "0", "role": "region"})
        self.sign = el("div", {"class": "road-sign"})
        self.node = el("div", {"class": "board-area"}, self.scroller, self.sign)
        self.sheikhs = el("ul", {"class": "sheikhs"})
        self.news = el("details", {"class": "news"})
        self.desk = el("div", {"class": "desk"})
        self.cover = Cover(host, self._cover_words, self._secrets, self._covered)
        self.panel = el("div", {"class": "caravanserail"}, signs(), self.sheikhs, self.desk)
        self.aside = self.news
        self.planner = Planner(self._replan, self._send)
        self.deals = Deals(host, self._send, self.cover.draw)
        self.whispers = Whispers(host)
        self.hands = Hands(host, self._taken)

    def prompt(self, now):
        """What the seat to act has to do, in a few words."""
        return PROMPTS[now.view["phase"]]

    def label(self, choice):
        """A choice in words; these come from the service."""
        return choice["label"]

    # -- a moment ------------------------------------------------------------------------------

    def draw(self, now):
        """Shows a moment."""
        self.now = now
        view = now.view
        if self.map is None:
            self.map = Trails()
            self.map.lay(view["board"])
            fill(self.scroller, self.map.svg)
            patch(self.scroller, {"aria-label": "The trails"})
            guard_moves(self.host)
        if now.live:
            stage = (view["turn"], view["phase"])
            if stage != self.stage:
                self.stage = stage
                self.loot = {}
                self.deals.forget()
                self.cover.hide()
        self._draw_sign(now)
        self._draw_sheikhs(view)
        self._draw_news(now)
        self._draw_desk(now)
        self._draw_map()
        self.hands.update(now, False)

    def _draw_sign(self, now):
        view = now.view
        words = SIGNPOSTS[view["phase"]]
        if view["turn"] and view["phase"] != "over":
            words = f"Turn {view['turn']} · {words}"
        if view["phase"] == "business" and view["business_minutes"]:
            for event in reversed(self.host.match.events[: now.version]):
                if event["type"] == "BusinessBegun":
                    words += " until " + hour_after(event["at"], view["business_minutes"])
                    break
        fill(self.sign, words)

    # -- the map -------------------------------------------------------------------------------

    def _draw_map(self):
        now, view, letters = self.now, self.now.view, self.host.match.letters
        seat = self.host.match.in_hand
        players = view["players"]
        self.map.settle({p["home"]: p["seat"] for p in players if p["home"]})
        where = {
            (p["seat"], n): caravan["at"]
            for p in players
            for n, caravan in enumerate(p["caravans"])
        }
        self.map.stand(where, letters, seat)
        raids = [
            (raider, orders["looters"])
            for raider, orders in enumerate(view["revealed"])
            if orders["looters"] and view["phase"] in ("movement", "raid")
        ]
        self.map.bands(raids, letters)
        self.map.offer(self._targets(now))
        planning = self.cover.open and view["phase"] == "programme" and seat is not None
        if planning and self._plans(now):
            self.map.journeys(seat, self.planner.arrows(), self.planner.looters)
        elif planning:
            self.map.journeys(seat, *self._planned(players[seat]))
        else:
            self.map.journeys(0, (), "")
        patch(self.map.svg, {"aria-label": self._aloud(view)})

    def _replan(self):
        self._draw_map()
        self._bring()

    def _bring(self):
        """What is being planned stays in sight."""
        self.map.bring(self.scroller, self.planner.focus())

    def _planned(self, player):
        """The programme so far as arrows."""
        orders = player["programme"]["orders"]
        caravans = player["caravans"]
        arrows = [(n, caravans[n]["at"], to) for n, to in enumerate(orders)]
        return arrows, player["programme"]["looters"] or ""

    def _targets(self, now):
        """What a tap on the map does."""
        if not now.live or not now.choices:
            return []
        if now.view["phase"] == "homes":
            return [
                (c["command"]["place"], c["label"], lambda _e, c=c: self._send([c["command"]]))
                for c in now.choices
            ]
        if self._plans(now) and self.cover.open:
            return self.planner.targets()
        return []

    def _plans(self, now):
        return now.live and bool(now.choices) and now.view["phase"] == "programme"

    def _aloud(self, view):
        """The map for those who do not see it."""
        names = self.host.names()
        parts = []
        for player in view["players"]:
            if not player["home"]:
                continue
            places = [self._where(caravan["at"]) for caravan in player["caravans"]]
            parts.append(
                f"{names[player['seat']]} lives in {self._name(player['home'])}, caravans: "
                + ", ".join(places)
            )
        return "The trails. " + ". ".join(parts) + "."

    def _name(self, letter):
        places = self.now.view["board"]["places"]
        return next(place["name"] for place in places if place["letter"] == letter)

    def _where(self, position):
        if len(position) == 1:
            return "in " + self._name(position)
        return f"from {self._name(position[0])} on to {self._name(position[1])}"

    # -- the sheikhs ---------------------------------------------------------------------------

    def _draw_sheikhs(self, view):
        letters = self.host.match.letters
        fill(self.sheikhs, [self._sheikh(view, p, letters) for p in view["players"]])
        patch(self.sheikhs, {"class": "sheikhs" if len(letters) < 7 else "sheikhs many"})

    def _sheikh(self, view, player, letters):
        seat = player["seat"]
        mine = self.host.match.in_hand == seat
        rests = player["looters"] == "down"
        return el(
            "li",
            {"class": "sheikh mine" if mine else "sheikh", "style": f"--tone:var(--seat-{seat})"},
            el("span", {"class": "pill-tag", "aria-hidden": "true"}, letters[seat]),
            el("span", {"class": "who", "title": self.host.names()[seat]}, self.host.short(seat)),
            el(
                "span",
                {"class": "state"},
                el("span", {}, self._state(view, player)),
                el("span", {"class": "hush"}, ", looters rest") if rests else None,
            ),
            picture("i-rest", 18) if rests else None,
        )

    def _state(self, view, player):
        """What the table waits for."""
        phase, seat = view["phase"], player["seat"]
        if phase == "over":
            return "wins" if seat in view["winners"] else ""
        if phase == "homes":
            return self._name(player["home"]) if player["home"] else "no home yet"
        if phase == "business":
            return "done" if player["ready"] else "listens" if player["listening"] else "trades"
        if phase == "movement":
            owes = [debt for debt in view["debts"] if debt["visitor"] == seat]
            return "pays" if owes else "waits"
        if phase == "raid":
            return (
                "raids" if [raid for raid in view["raids"] if raid["attacker"] == seat] else "waits"
            )
        if phase == "programme":
            return "ready" if player["ready"] else "plans"
        return "done" if player["ready"] else "talks"

    # -- what happened ---------------------------------------------------------------------------

    def _draw_news(self, now):
        """What the journeys of this turn brought."""
        events = self.host.match.events
        lines = []
        for event in reversed(events[: now.version]):
            if event["type"] in ("CaravansMoved", "TurnBegun"):
                break
            if event["type"] in NEWS and event["version"] not in self.host.match.taken_by:
                tone = f"--tone:var(--seat-{event['seat']})" if event["seat"] is not None else None
                line = el("li", {"style": tone}, el("span", {"class": "dot"}), event["text"])
                lines.append(line)
        self.news.hidden = not lines
        summary = f"On the trails this turn ({len(lines)})"
        fill(self.news, el("summary", {}, summary), el("ul", {}, reversed(lines)))

    # -- what this seat may do -------------------------------------------------------------------

    def _draw_desk(self, now):
        seat = self.host.match.in_hand
        if now.live and now.seat is not None and not now.choices and self.built is not None:
            return  # the service is telling what may be chosen
        if _all_open(now.view):
            self.cover.hide()
            self.built = None
            fill(self.desk, self._opened(now.view))
            return
        due = self.hands.due() if now.live else None
        known = seat is not None and now.view["players"][seat]["treasure"] is not None
        question = (due, seat, known, now.live, self._sealed(now), *self._question(now, seat))
        if question != self.built:
            self.built = question
            if self._plans(now) and known:
                self.planner.begin(now.view, seat)
            keep_focus(lambda: self._rebuild(now, due, known))
        self.cover.tell()
        if due is not None or not known:
            self.cover.hide()
        elif self.opening == seat:
            self.opening = None
            self.cover.show()

    def _opened(self, view):
        """After the end nothing is secret: what everybody had at this moment."""
        return [
            el(
                "details",
                {"class": "opened", "style": f"--tone:var(--seat-{player['seat']})"},
                el("summary", {}, "What " + self.host.names()[player["seat"]] + " had"),
                self._goods(view, player),
                self._programme(player) if view["phase"] == "programme" else None,
            )
            for player in view["players"]
            if player["home"]
        ]

    def _rebuild(self, now, due, known):
        self.cover.draw()
        fill(self.desk, self._desk(now, due, known))

    def _question(self, now, seat):
        """What tells one thing to do, or one look at one's own, from the next."""
        view = now.view
        own = str(view["players"][seat]) if seat is not None else ""
        commands = str([choice["command"] for choice in now.choices[:200]])
        return (
            view["phase"],
            view["turn"],
            own,
            str(view["offers"]),
            str(view["raids"]),
            str(view["debts"]),
            self.whispers.count(),
            len(now.choices),
            commands,
        )

    def _desk(self, now, due, known):
        if due is not None:
            words = f"Give the phone to {self.host.names()[due]}"
            return button(words, lambda _e: self.hands.ask(due), "primary")
        cover = self.cover.node if known else None
        if self._sealed(now) or now.view["phase"] in ("homes", "raid"):
            return [*self._openly(now), cover]
        return [cover, *self._openly(now)]

    def _openly(self, now):
        """What may be done for all to see."""
        if self._sealed(now):
            change = button("Change it", lambda _e: self.host.take_back(), sign="i-undo")
            words = "Sealed. It stays secret until all are ready."
            if now.view["phase"] != "programme":
                words = "You wait for the others."
            return (el("div", {"class": "sealed"}, el("p", {}, words), change),)
        ways = [choice for choice in now.choices if choice["command"]["type"] in OPEN]
        if not ways or not now.live:
            return ()
        buttons = [
            button(choice["label"], lambda _e, c=choice: self._send([c["command"]]))
            for choice in ways
        ]
        return (el("div", {"class": "open-ways"}, buttons),)

    def _sealed(self, now):
        """Whether the seat waits, and can still change its mind."""
        seat = self.host.match.in_hand
        undo = self.host.match.data["undo"]
        if seat is None or not now.live or undo["kind"] != "free" or undo["seat"] != seat:
            return False
        player = now.view["players"][seat]
        waits = player["ready"] or player["listening"]
        return waits and now.view["phase"] in ("programme", "business", "diplomacy")

    # -- under the cover -------------------------------------------------------------------------

    def _cover_words(self):
        """The same on every phone at the table: whom an offer or a word is for is secret too."""
        now = self.now
        if now is None:
            return "Hold to look"
        if now.live and self._stir():
            return "Somebody offers or whispers: tap to look"
        if [c for c in now.choices if c["command"]["type"] not in OPEN]:
            return DOES[now.view["phase"]] + ", hold to look"
        return "Hold to look"

    def _stir(self):
        """Whether anybody made or answered an offer or passed a private word since the cover was
        open last."""
        for event in self.host.match.events[self.seen :]:
            if event["type"] in STIR or (event["type"] == "Said" and event["text"] == WHISPERED):
                return True
        return False

    def _covered(self):
        """Room for the secret while it is open."""
        look = "caravanserail open" if self.cover.open else "caravanserail"
        patch(self.panel, {"class": look})
        if self.map is not None and self.now is not None:
            self._draw_map()
            if self.cover.open and self._plans(self.now):
                self._bring()

    def _secrets(self):
        now, seat = self.now, self.host.match.in_hand
        if now is None or seat is None:
            return []
        self.seen = self.host.match.version
        player = now.view["players"][seat]
        parts = [self._goods(now.view, player)]
        phase = now.view["phase"]
        if self._plans(now):
            parts.append(self.planner.draw())
        elif phase == "programme" and player["programme"]:
            parts.append(self._programme(player))
        elif now.live and phase == "movement":
            parts.extend(self._taxes(now))
        elif phase == "raid":
            parts.extend(self._raid(now, seat))
        elif phase == "business":
            parts.extend(self.deals.made(now.view, seat, now.choices if now.live else ()))
        if now.live:
            parts.extend(self.whispers.made(seat))
        return parts

    def _goods(self, view, player):
        """All that the seat has, by ware and by where it is, and what the card asks for."""
        wares = view["board"]["wares"]
        goal = player["goal"] or {}
        rows = [("Tent", player["treasure"])]
        for n, caravan in enumerate(player["caravans"]):
            rows.append((f"Car. {n + 1}", caravan["load"] or {}))
        head = [
            el("th", {"scope": "col", "title": ware}, sign(ware, 22), _hush(ware)) for ware in wares
        ]
        body = [self._row(name, store, wares) for name, store in rows if name == "Tent" or store]
        needs = [el("td", {}, _need(goal, player["treasure"], ware)) for ware in wares]
        return el(
            "table",
            {"class": "goods"},
            el("caption", {"class": "hush"}, "Your wares"),
            el("thead", {}, el("tr", {}, el("td", {}), head)),
            el(
                "tbody",
                {},
                el("tr", {"class": "needs"}, el("th", {"scope": "row"}, "Card"), needs),
                body,
            ),
        )

    def _row(self, name, store, wares):
        cells = [el("td", {}, str(store[ware]) if store.get(ware) else "·") for ware in wares]
        return el("tr", {}, el("th", {"scope": "row"}, name), cells)

    def _programme(self, player):
        """The sealed plan, for its owner."""
        planned = player["programme"]
        caravans = player["caravans"]
        lines = []
        for n, to in enumerate(planned["orders"]):
            begin = caravans[n]["at"]
            words = f"{begin} stays" if begin == to else f"{begin} → {to}"
            load = planned["loads"][n] if n < len(planned["loads"]) else {}
            carries = [" with ", amount(load)] if load else None
            lines.append(el("li", {}, el("b", {}, f"Caravan {n + 1}: "), words, carries))
        if planned["looters"] is not None:
            lines.append(el("li", {}, el("b", {}, "Looters: "), planned["looters"] or "rest"))
        return el("ul", {"class": "plan-lines"}, lines)

    def _taxes(self, now):
        """One token for each lodging caravan, of the visitor's choice."""
        by_caravan = {}
        for choice in now.choices:
            if choice["command"]["type"] == "PayTax":
                by_caravan.setdefault(choice["command"]["caravan"], []).append(choice)
        parts = []
        for caravan, choices in by_caravan.items():
            owner = self.host.names()[choices[0]["args"]["owner"]]
            tokens = [self._token(choice) for choice in choices]
            parts.append(
                el(
                    "section",
                    {"class": "offer"},
                    el("p", {}, f"Caravan {caravan + 1} lodges with {owner}. Pay one token:"),
                    el("div", {"class": "tokens"}, tokens),
                )
            )
        return parts

    def _token(self, choice):
        ware = choice["command"]["ware"]
        node = button(ware, lambda _e: self._send([choice["command"]]), "token")
        node.prepend(sign(ware, 24))
        patch(node, {"aria-label": choice["label"]})
        return node

    def _raid(self, now, seat):
        """What the looters found; the raider takes up to two."""
        parts = []
        for raid in now.view["raids"]:
            if raid["load"] is None or seat not in (raid["attacker"], raid["victim"]):
                continue
            victim = self.host.names()[raid["victim"]]
            if raid["attacker"] != seat:
                words = f"Your caravan {raid['caravan'] + 1} is being robbed."
                parts.append(el("p", {}, words))
            elif now.live and now.choices:
                parts.extend(self._looting(now, raid, victim))
        return parts

    def _looting(self, now, raid, victim):
        def changed(wares):
            self.loot = wares
            fill(go.lastChild, "Take this" if wares else "Take nothing")

        def take(_event):
            self._send([{"type": "Loot", "wares": self.loot}])

        go = button("Take nothing", take, "primary confirm")
        title = f"Up to {LOOT} from {victim}"
        wares = now.view["board"]["wares"]
        picker = Picker(title, wares, raid["load"], LOOT, self.loot, changed)
        changed(picker.value())
        return (picker.node, go)

    # -- doing ---------------------------------------------------------------------------------

    def _send(self, commands):
        self.cover.hide()
        self.host.play(*commands)

    def _taken(self, seat):
        self.built = None
        self.opening = seat


# Commands that say nothing secret, so they stand outside the cover.
OPEN = ("ChooseHome", "Done", "Listen", "ChooseCaravan")
DOES = {
    "programme": "Tap to plan",
    "movement": "Tap to pay",
    "raid": "Tap to choose",
    "business": "Tap to trade",
}


def _all_open(view):
    """Whether the looker may see everything: the match is over and keeps no secrets."""
    return all(player["treasure"] is not None for player in view["players"])


def _hush(words):
    return el("span", {"class": "hush"}, words)


def _need(goal, treasure, ware):
    """How many of a ware the card asks for, and whether they are at home."""
    most = goal.get(ware)
    if not most:
        return el("span", {"class": "muted"}, "·")
    done = treasure.get(ware, 0) >= most
    said = f"{most} wanted" + (", all at home" if done else "")
    return el(
        "span", {"class": "done" if done else "", "title": said}, f"{most}✓" if done else str(most)
    )
