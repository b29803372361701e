"""Caravane: the silk road, the racers, and under a cover what one bids in secret.

Views and choices come from the service: the browser never knows more than the seat that looks.
"""

from _native import fill, hidden, matches, observe, patch

from domain.caravane.words import TEXT
from domain.game import say
from frontend.app.cover import Cover, guard_moves
from frontend.app.dom import after, announce, button, el, picture
from frontend.app.hands import Hands
from frontend.app.road import Road

RULES = None
PROMPTS = {
    "allot": "put gourds aside in secret",
    "allot-rest": "put gourds aside in secret",
    "pack": "pack your food bags",
    "bid": "bid in secret",
    "bid-bag": "bid in secret",
    "stay": "stay or change your bid",
    "change": "stay or change your bid",
}
QUIET = {
    "GourdsAllotted": "allotted-hidden",
    "BagsPacked": "packed-hidden",
    "BidMade": "bid-hidden",
    "BidRevised": "revised-hidden",
    "WaterLeaked": "leak-hidden",
}
PLACES = ("1st", "2nd", "3rd", "4th", "5th")
USUAL = {1: 15, 2: 25, 3: 20}
TURN_OVER = 900  # milliseconds from the reveal until the camels go
PACE = 320  # and for each of their steps


def open_text(event, match):
    """The log says of a secret choice only that it was made, while there are secrets."""
    key = QUIET.get(event["type"])
    if key is None or match.is_open:
        return None
    data = event["data"]
    args = {"who": data["seat"]}
    if "stage" in data:
        args["stage"] = data["stage"]
    return say(TEXT, key, args, match.names)


class Screen:
    """Shows one moment at a time; ``host.play(command)`` carries a choice out."""

    def __init__(self, host):
        self.host = host
        self.now = None
        self.road = None
        self.shown = None
        self.goal = None
        self.stands = None
        self.going = None
        self.turned = None
        self.amount = None
        self.with_bag = False
        self.built = None
        self.opening = None
        self.scroller = el("div", {"class": "road-scroll", "tabindex": "0", "role": "region"})
        self.sign = el("div", {"class": "road-sign"})
        self.node = el("div", {"class": "board-area"}, self.scroller, self.sign)
        self.racers = el("ul", {"class": "racers"})
        self.told = el("div", {"class": "told"})
        self.cover = Cover(host, self._cover_words, self._secrets, self._covered)
        self.desk = el("div", {"class": "desk", "onkeydown": _own_keys})
        self.panel = el("div", {"class": "caravane"}, self.racers, self.told, self.desk)
        self.aside = None
        self.hands = Hands(host, self._taken)
        observe(self.scroller, self._resized)

    def prompt(self, now):
        """What the seat to act has to do, in a few words."""
        return PROMPTS[now.choices[0]["key"]] if now.choices else "choose in secret"

    def label(self, choice):
        """A choice in words; these come from the service."""
        return choice["label"]

    # -- a moment ------------------------------------------------------------------------------

    def draw(self, now):
        """Shows a moment."""
        view = now.view
        self.now = now
        if self.road is None:
            self.road = Road()
            self.road.lay(view["track"], len(view["racers"]))
            fill(self.scroller, self.road.svg)
            guard_moves(self.host)
        revealed = self._is_new(now)
        self._advance(now, revealed)
        self._sign(view)
        self._draw_racers(now, revealed)
        self._tell(now, revealed)
        if revealed:
            self.cover.hide()
        self._draw_desk(now)
        self.hands.update(now, revealed or self.going is not None)

    def _is_new(self, now):
        """Whether bids came to light since the present was last shown."""
        last = now.view["last"]
        mark = (last["round"] if last else 0, now.view["phase"] == "revise")
        before = self.turned
        if now.live:
            self.turned = mark
        return now.live and before is not None and mark > before

    def _sign(self, view):
        """Where the race stands, over the picture and in words for those who do not see it."""
        if view["phase"] == "prepare":
            words = "Before the race"
        elif view["phase"] == "over":
            words = "The race is over"
        else:
            words = f"Stage {view['stage']} of 3 · round {view['round']}"
        fill(self.sign, words)
        names = self.host.names()
        stands = [f"{names[r['seat']]} " + self._stands(view, r) for r in view["racers"]]
        patch(self.scroller, {"aria-label": "The silk road"})
        patch(self.road.svg, {"aria-label": words + ". " + ". ".join(stands) + "."})

    def _stands(self, view, racer):
        stage = max(1, view["stage"])
        if racer["place"]:
            return f"is at palace {stage}"
        if racer["square"] == 0:
            return "stands at the start" if stage == 1 else f"stands at palace {stage - 1}"
        return f"is on square {racer['square']} of {self.road.lengths[stage - 1]}"

    # -- camels --------------------------------------------------------------------------------

    def _advance(self, now, revealed):
        """The camels go to where they are, square by square after a reveal."""
        view = now.view
        goal = tuple([self.road.spot(view["stage"], r["square"]) for r in view["racers"]])
        if (view["stage"], goal) != self.stands:
            self.stands = (view["stage"], goal)
            self.goal = goal
            self.going = None
            still = matches("(prefers-reduced-motion: reduce)") or hidden()
            if revealed and not still and self.shown is not None:
                token = self.going = [0]
                after(TURN_OVER, lambda: self._walk(token))
            else:
                self._stand(goal)
                self._look()

    def _walk(self, token):
        if token is not self.going:
            return
        places = [
            min(at + 1, to) if at < to else to for at, to in zip(self.shown, self.goal, strict=True)
        ]
        self._stand(tuple(places))
        if tuple(places) != self.goal:
            after(PACE, lambda: self._walk(token))
            return
        self.going = None
        after(PACE, self._arrived)

    def _arrived(self):
        if self.going is None and not self.host.closed and self.now is not None:
            self._look()
            self.hands.update(self.now, True)

    def _stand(self, places):
        self.shown = places
        self.road.stand(places, self.host.match.letters, self.host.match.in_hand)

    def _resized(self, *_entries):
        if self.shown is not None:
            self.road.bring(self.scroller, self.shown)

    def _look(self):
        """Brings the camels and their stage into sight."""
        self.road.current(self.now.view["stage"])
        self.road.bring(self.scroller, self.shown)

    # -- the racers ----------------------------------------------------------------------------

    def _draw_racers(self, now, revealed):
        fill(self.racers, [self._racer(now, r, revealed) for r in now.view["racers"]])

    def _racer(self, now, racer, revealed):
        view = now.view
        seat = racer["seat"]
        tile, word = self._tile(view, racer, revealed)
        mine = self.host.match.in_hand == seat
        bales = racer["bales"]
        return el(
            "li",
            {"class": "racer mine" if mine else "racer", "style": f"--tone:var(--seat-{seat})"},
            el("span", {"class": "who", "title": self.host.names()[seat]}, self.host.short(seat)),
            tile,
            el("span", {"class": "state"}, word),
            el(
                "span",
                {"class": "bales"},
                picture("sign-bale", 22),
                el("span", {}, str(bales)),
                el(
                    "span",
                    {"class": "hush"},
                    " bale of silk, " if bales == 1 else " bales of silk, ",
                ),
                el("span", {"class": "hush"}, self._stands(view, racer)),
            ),
        )

    def _tile(self, view, racer, revealed):
        """The card of a racer and the word under it: a secret card lies face down."""
        phase, seat = view["phase"], racer["seat"]
        last = view["last"]
        if phase == "over":
            return self._medal(seat), PLACES[view["ranks"][seat] - 1]
        if phase in ("bid", "revise", "prepare") and racer["place"]:
            return self._medal(seat), PLACES[racer["place"] - 1]
        if phase == "prepare":
            return (_back() if racer["ready"] else _empty()), _ready(racer)
        if phase == "revise":
            bid = racer["bid"]
            return _face(bid["gourds"], "+" if bid["bag"] else 0, revealed), _ready(racer)
        if phase == "bid" and racer["ready"]:
            bid = racer["bid"] if _all_open(view) else None
            return (
                _face(bid["gourds"], "+" if bid["bag"] else 0, False) if bid else _back()
            ), "ready"
        if last and last["stage"] == view["stage"] and last["gourds"][seat] is not None:
            return (
                _face(last["gourds"][seat], last["bags"][seat], revealed, phase == "bid"),
                "thinks" if phase == "bid" else f"{last['steps'][seat]} steps",
            )
        return _empty(), "thinks"

    def _medal(self, seat):
        return el("span", {"class": "card medal-card"}, picture("camel", 34))

    # -- what happened, in words -----------------------------------------------------------------

    def _tell(self, now, revealed):
        view = now.view
        lines = []
        if view["phase"] == "revise":
            lines = self._announced(view)
        elif view["last"]:
            lines = self._round(now, view["last"])
        fill(self.told, lines)
        patch(self.told, {"class": "told fresh" if revealed else "told"})
        if revealed:
            announce(" ".join([line.textContent for line in lines]))

    def _announced(self, view):
        names = self.host.names()
        with_bag = [names[r["seat"]] for r in view["racers"] if r["bid"] and r["bid"]["bag"]]
        who = " and ".join(with_bag)
        verb = "adds" if len(with_bag) == 1 else "add"
        return [
            el("p", {"class": "headline"}, f"{who} {verb} a food bag of 1, 2 or 3."),
            el("p", {}, "Whoever bid no bag may change their gourds now, in secret."),
        ]

    def _round(self, now, last):
        """One line for each camel of the latest round, then the silk of a palace."""
        effects, rewards = self._effects(now, last)
        lines = [el("p", {"class": "headline"}, f"Round {last['round']}")]
        for seat, gourds in enumerate(last["gourds"]):
            if gourds is None:
                continue
            lines.append(self._round_line(seat, last, effects.get(seat, ())))
        if rewards is not None:
            lines.append(self._silk(rewards))
        return lines

    def _round_line(self, seat, last, effects):
        gourds, bag, steps = last["gourds"][seat], last["bags"][seat], last["steps"][seat]
        bid = f"{gourds} + bag of {bag}" if bag else str(gourds)
        words = f"bid {bid}, {steps} step{'' if steps == 1 else 's'}"
        for effect in effects:
            words += "; " + effect
        return el(
            "p",
            {"class": "told-line", "style": f"--tone:var(--seat-{seat})"},
            el("span", {"class": "dot"}),
            el("span", {}, el("b", {}, self.host.names()[seat]), " " + words + "."),
        )

    def _silk(self, event):
        names = self.host.names()
        parts = [f"{names[seat]} {bales}" for seat, bales in enumerate(event["bales"])]
        return el(
            "p",
            {"class": "told-line silk-line"},
            picture("sign-bale", 22),
            el(
                "span",
                {},
                el("b", {}, f"Silk at palace {event['stage']}: "),
                ", ".join(parts) + ".",
            ),
        )

    def _effects(self, now, last):
        """What squares and the palace did after the bids of a round were revealed."""
        events = self.host.match.events
        begin = min(now.version, len(events))
        while begin > 0:
            event = events[begin - 1]
            if event["type"] == "BidsRevealed" and event["data"]["steps"] == last["steps"]:
                break
            begin -= 1
        effects, rewards = {}, None
        for event in events[begin : now.version] if begin else ():
            data = event["data"]
            if event["type"] in ("RoundBegun", "RaceEnded", "BidMade"):
                break
            if event["type"] == "PalaceRewarded":
                rewards = data
            words = _effect(event["type"], data)
            if words:
                effects.setdefault(data["seat"], []).append(words)
        return effects, rewards

    # -- what this seat may do -------------------------------------------------------------------

    def _draw_desk(self, now):
        """The cover, and what may be done without opening it."""
        if now.live and now.seat is not None and not now.choices and self.built is not None:
            return  # the service is telling what may be chosen
        if _all_open(now.view):
            self.cover.hide()
            self.built = None
            fill(self.desk, self._opened(now.view))
            return
        seat = self.host.match.in_hand
        due = self.hands.due() if now.live else None
        secrets = seat is not None and now.view["phase"] != "over"
        known = secrets and now.view["racers"][seat]["stock"] is not None
        chosen = known and self._chosen(now, seat)
        question = (due, seat, known, chosen, now.live, *self._question(now, seat))
        if question != self.built:
            self.built = question
            at_work = self.desk.matches(":focus-within")
            self._ask_anew(now)
            fill(self.desk, self._desk(due, known, chosen))
            if at_work and self.desk.firstChild:  # whoever plays by keyboard goes on from here
                self.desk.querySelector("button").focus()
        if due is not None or not known:
            self.cover.hide()
        elif self.opening == seat:
            self.opening = None
            self.cover.show()

    def _desk(self, due, known, chosen):
        if due is not None:
            words = f"Give the phone to {self.host.names()[due]}"
            return button(words, lambda _e: self.hands.ask(due), "primary")
        if not known:
            return ()
        if not chosen:
            return self.cover.node
        change = button("Change it", lambda _e: self.host.take_back(), sign="i-undo")
        words = "Chosen. It stays secret until all are ready."
        return (el("p", {}, words), el("div", {"class": "made"}, change, self.cover.node))

    def _opened(self, view):
        """After the end nothing is secret: what each racer held at this moment."""
        if view["phase"] == "over":
            return ()
        names = self.host.names()
        lines = [
            el(
                "li",
                {"class": "opened", "style": f"--tone:var(--seat-{racer['seat']})"},
                el("b", {}, names[racer["seat"]]),
                _held(view, racer) if view["stage"] else self._facts(view, racer),
            )
            for racer in view["racers"]
        ]
        return el("ul", {"class": "opened-all", "aria-label": "What was secret then"}, lines)

    def _question(self, now, seat):
        """What tells one secret choice, or one look at one's own, from the next."""
        view = now.view
        own = view["racers"][seat] if seat is not None else {}
        key = now.choices[0]["key"] if now.choices else None
        held = tuple([own.get(name) for name in ("stock", "bid", "revised", "allotted", "bags")])
        return (view["phase"], view["stage"], view["round"], key, len(now.choices), *held)

    def _chosen(self, now, seat):
        """Whether the seat has a secret choice that it can still take back."""
        racer = now.view["racers"][seat]
        undo = self.host.match.data["undo"]
        if not now.live or undo["kind"] != "free" or undo["seat"] != seat or now.choices:
            return False
        phase = now.view["phase"]
        return (
            (phase == "bid" and racer["bid"] is not None)
            or (phase == "revise" and racer["revised"] is not None)
            or (phase == "prepare" and racer["ready"])
        )

    def _ask_anew(self, now):
        """Starts from a sensible number for the choice at hand."""
        self.with_bag = False
        if now.choices:
            key, args = now.choices[0]["key"], now.choices[0]["args"]
            most = now.choices[-1]["args"].get("gourds", 0)
            self.amount = 0
            if key in ("allot", "allot-rest"):
                self.amount = min(USUAL[args["stage"]], most)
            elif key in ("stay", "change"):
                self.amount = now.view["racers"][now.seat]["bid"]["gourds"]
        else:
            self.amount = None
        self.cover.draw()

    def _taken(self, seat):
        self.built = None
        self.opening = seat

    # -- under the cover -------------------------------------------------------------------------

    def _cover_words(self):
        choosing = self.now is not None and self.now.choices
        return "Tap to choose, hold to look" if choosing else "Hold to look"

    def _covered(self):
        """Room for the secret while it is open."""
        patch(self.panel, {"class": "caravane open" if self.cover.open else "caravane"})

    def _secrets(self):
        now = self.now
        seat = self.host.match.in_hand
        racer = now.view["racers"][seat]
        facts = self._facts(now.view, racer)
        if not now.choices or not now.live:
            return [facts]
        key = now.choices[0]["key"]
        if key == "pack":
            question = el("p", {}, "Which food bag for stage 1, stage 2 and stage 3?")
            if now.view["split"]:
                facts.prepend(question)
            else:
                fill(facts, question)
            return [facts, self._packing()]
        if key in ("allot", "allot-rest"):
            to_split = f"{_count(now.choices[-1]['args']['gourds'])} to put aside"
            fill(facts, _fact("sign-water", to_split))
        return [facts, self._control()]

    def _facts(self, view, racer):
        """What a seat holds, in chips."""
        stage = view["stage"]
        bag = racer["bags"][stage - 1] if racer["bags"] and stage else None
        chips = []
        if stage:
            chips.append(_fact("sign-water", f"{_count(racer['stock'])} left"))
        if bag:
            words = f"food bag of {bag}" + (" is used" if racer["bag_spent"] else "")
            chips.append(_fact("sign-bag", words))
        elif racer["bags"]:
            packed = ", ".join([str(worth) for worth in racer["bags"]])
            chips.append(_fact("sign-bag", f"bags by stage: {packed}"))
        if racer["allotted"] and (view["split"] or not stage):
            kept = ", ".join([str(gourds) for gourds in racer["allotted"]])
            chips.append(_fact("sign-water", f"by stage: {kept}"))
        bid = _bid(view, racer)
        if bid is not None:
            more = " and the food bag" if racer["bid"] and racer["bid"]["bag"] else ""
            chips.append(el("span", {"class": "fact own-bid"}, f"Your bid: {bid}{more}"))
        if not chips:
            chips.append(el("span", {"class": "fact"}, "Nothing is chosen yet"))
        return el("div", {"class": "facts-row"}, chips)

    def _packing(self):
        """The six ways to lay a bag on each level."""
        rows = [
            button(
                "",
                lambda _e, choice=choice: self._play(choice),
                "pack",
                **{"aria-label": choice["label"]},
            )
            for choice in self.now.choices
        ]
        for row, choice in zip(rows, self.now.choices, strict=True):
            worths = [str(choice["args"][name]) for name in ("first", "second", "third")]
            fill(
                row,
                [
                    el("span", {"class": "pack-bag"}, picture("sign-bag", 24), worth)
                    for worth in worths
                ],
            )
        return el(
            "div",
            {"class": "control"},
            el("div", {"class": "packs"}, rows),
        )

    def _control(self):
        """A number for the thumb: chips, a slider, one more, one less, and one button."""
        choices = self.now.choices
        most = choices[-1]["args"]["gourds"]
        key = choices[0]["key"]
        self.output = el("output", {"class": "amount"})
        self.slider = el(
            "input",
            {
                "type": "range",
                "min": 0,
                "max": most,
                "step": 1,
                "aria-label": "Gourds",
                "oninput": lambda event: self._choose(int(event.target.value)),
            },
        )
        self.less = button(
            "One less", lambda _e: self._choose(self.amount - 1), "round step", "i-minus"
        )
        self.more = button(
            "One more", lambda _e: self._choose(self.amount + 1), "round step", "i-plus"
        )
        quick = _quick(key, most)
        self.chips = [(number, self._chip(number, most)) for number in quick]
        self.rest = el("p", {"class": "rest"})
        self.confirm = button("", lambda _e: self._play(self._choice()), "primary confirm")
        parts = [
            el(
                "div",
                {"class": "stepper"},
                self.less,
                el("div", {}, self.output, self.rest),
                self.more,
            ),
            self.slider if most > 1 else None,
            el(
                "div",
                {"class": "quick", "role": "group", "aria-label": "Gourds"},
                [chip for _, chip in self.chips],
            ),
        ]
        bag = self._bag_switch() if choices[-1]["key"] == "bid-bag" else None
        parts.append(el("div", {"class": "bottom"}, bag, self.confirm))
        self._choose(self.amount)
        return el("div", {"class": "control"}, parts)

    def _chip(self, number, most):
        words = f"All {most}" if number == most and most > 4 else str(number)
        attributes = {
            "type": "button",
            "class": "quick-chip",
            "onclick": lambda _e: self._choose(number),
        }
        return el("button", attributes, words)

    def _bag_switch(self):
        def change(event):
            self.with_bag = bool(event.target.checked)
            self._choose(self.amount)

        return el(
            "label",
            {"class": "switch"},
            el(
                "input",
                {
                    "type": "checkbox",
                    "role": "switch",
                    "checked": self.with_bag,
                    "onchange": change,
                },
            ),
            el("span", {}, "Food bag"),
        )

    def _choose(self, amount):
        """Shows a number as the chosen one."""
        most = self.now.choices[-1]["args"]["gourds"] if self.now.choices else 0
        self.amount = max(0, min(most, amount))
        fill(self.output, str(self.amount))
        self.slider.value = str(self.amount)
        self.less.disabled = self.amount == 0
        self.more.disabled = self.amount == most
        for number, chip in self.chips:
            patch(chip, {"aria-pressed": "true" if number == self.amount else "false"})
        choice = self._choice()
        if choice is not None:
            fill(self.confirm.lastChild, choice["label"])
            fill(self.rest, _rest(choice, most))

    def _choice(self):
        """The service's choice for the number and the bag."""
        for choice in self.now.choices:
            bag = choice["key"] == "bid-bag"
            if choice["args"]["gourds"] == self.amount and bag == self.with_bag:
                return choice
        return None

    def _play(self, choice):
        if choice is not None:
            self.cover.hide()
            self.cover.button.focus()  # the button that was pressed is gone
            self.host.play(choice["command"])


def _quick(key, most):
    """Numbers worth a button of their own: five at the most, so that thumbs hit them."""
    usual = (10, 15, 20, 25) if key in ("allot", "allot-rest") else (0, 1, 2, 3)
    return [*[number for number in usual if number < most], most]


def _rest(choice, most):
    """What a number leaves."""
    args = choice["args"]
    if choice["key"] == "allot-rest":
        return f"for stage 2, {args['rest']} for stage 3"
    if choice["key"] == "allot":
        return f"for stage 1, {most - args['gourds']} for later"
    return f"of {most}, {most - args['gourds']} stay"


def _effect(kind, data):
    """What befell a camel, in a few words; None for what the line says already."""
    if kind == "WaterFound":
        return "finds 2 gourds"
    if kind == "WaterLeaked":
        return "leak: loses up to 2"
    if kind == "BaleFound":
        return "finds 1 bale"
    if kind == "BaleDamaged":
        return "loses 1 bale" if data["bales"] else "has no bale to lose"
    if kind == "CamelArrived":
        return f"at the palace {PLACES[data['place'] - 1]}"
    return None


def _own_keys(event):
    """The arrows on the slider set gourds; they do not walk through the history too."""
    if event.target.type == "range":
        event.stopPropagation()


def _all_open(view):
    """Whether the looker may see everything: the match is over and keeps no secrets."""
    return all(racer["stock"] is not None for racer in view["racers"])


def _ready(racer):
    return "ready" if racer["ready"] else "thinks"


def _count(gourds):
    return "1 gourd" if gourds == 1 else f"{gourds} gourds"


def _fact(sign, words):
    return el("span", {"class": "fact"}, picture(sign, 24), el("span", {}, words))


def _back():
    return el("span", {"class": "card back", "aria-hidden": "true"})


def _empty():
    return el("span", {"class": "card empty", "aria-hidden": "true"})


def _bid(view, racer):
    """The gourds of the bid that is made but not yet revealed, or None."""
    if view["phase"] not in ("bid", "revise") or not racer["bid"]:
        return None
    return racer["bid"]["gourds"] if racer["revised"] is None else racer["revised"]


def _held(view, racer):
    """What a racer held in a stage, in figures; in words for those who listen."""
    bid = _bid(view, racer)
    with_bag = bid is not None and racer["bid"]["bag"]
    parts = [_figure("sign-water", racer["stock"], " gourds left")]
    if racer["bags"]:
        bag = racer["bags"][view["stage"] - 1]
        parts.append(_figure("sign-bag", bag, " in the food bag"))
        if racer["bag_spent"]:
            parts.append(el("span", {}, "used"))
    if bid is not None:
        parts.append(
            el("span", {"class": "own-bid"}, f"Bid {bid}" + (" + bag" if with_bag else ""))
        )
    return el("div", {"class": "facts-row"}, parts)


def _figure(sign, number, said):
    return el(
        "span",
        {"class": "fact"},
        picture(sign, 24),
        el("span", {}, str(number), el("span", {"class": "hush"}, said)),
    )


def _face(gourds, bag, turning, past=False):
    """A bid face up; ``bag``: what it is worth, "+" while that is secret, 0 for none."""
    more = "+" if bag == "+" else f"+{bag}" if bag else ""
    said = f"bid {gourds}" + (" and a bag" if bag == "+" else f" and a bag of {bag}" if bag else "")
    if past:
        said = "last round " + said
    look = " turning" if turning else " past" if past else ""
    return el(
        "span", {"class": "card face" + look, "role": "img", "aria-label": said}, f"{gourds}{more}"
    )
