"""The screen of Caravane: the silk road, the racers, and secret bids under a cover.

Views and choices come from the service, so the browser never has more than the seat may see.
"""

from typing import Any

from _native import fill, observe_size, patch

from frontend.app.contract import game_screen
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import el
from frontend.app.core.i18n import join_list, join_sentences
from frontend.app.core.types import Choice, Data, Event, View
from frontend.app.games.caravane.action_panel import ActionPanel
from frontend.app.games.caravane.board import EFFECT_SENTENCES, Road
from frontend.app.games.caravane.i18n import t
from frontend.app.games.caravane.own_row import OwnRow
from frontend.app.games.caravane.racers import Racers
from frontend.app.games.caravane.rounds import PLACES, Rounds

PROMPTS = {
    "allot": t("turn.allot"),
    "allot-rest": t("turn.allot"),
    "pack": t("turn.pack"),
    "bid": t("turn.bid"),
    "bid-bag": t("turn.bid"),
    "stay": t("turn.revise"),
    "change": t("turn.revise"),
}
REVEAL_MS = 700  # time between the reveal and the first step
STEP_MS = 320  # duration of a step
MAX_STEPS = 99  # more steps than any stage has
ANIMATED_EVENTS = (
    "BidsRevealed",
    "CamelAdvanced",
    "WaterFound",
    "WaterLeaked",
    "BaleFound",
    "BaleDamaged",
    "CamelArrived",
    "PalaceRewarded",
)


class Screen(game_screen.Screen):
    """The screen of Caravane: the road, with the racers and the panel for secret choices below."""

    TURN_KIND = "round"
    MAX_LISTED_CHOICES = 200  # bids are picked from the listed choices

    def __init__(self, host: ScreenHost) -> None:
        super().__init__(host)
        self.now: Any = None
        self.road: Any = None
        self.stands: Any = None
        self.playing = False
        self.turned: Any = None
        given = {"class": "road-scroll", "tabindex": "0", "role": "region"}
        self.scroller = el("div", {**given, "aria-label": t("screen.road")})
        self.sign = el("div", {"class": "board-sign"})
        self.node = el("div", {"class": "board-area"}, self.scroller, self.sign)
        self.racers = Racers(host, self._standing_text)
        self.rounds = Rounds(host)
        self.own = OwnRow(host)
        self.own_row = self.own.node
        self.desk = ActionPanel(host, self._on_cover_toggle)
        parts = (self.desk.node, self.racers.node, self.rounds.node)
        self.panel = el("div", {"class": "caravane"}, *parts)
        observe_size(self.scroller, self._on_resize)

    def prompt(self, view_model: ViewModel) -> str:
        """Return what the acting seat has to do, in a few words."""
        return PROMPTS[view_model.choices[0]["key"]] if view_model.choices else t("turn.wait")

    # -- drawing a moment ----------------------------------------------------------------------

    @staticmethod
    def explain_rank(place: Data, match: Data) -> str:
        """Return the reason for a place: the bales of silk, and the place at the last palace."""
        arrived = PLACES[place["detail"]["palace"] - 1]
        return t("score.reason", n=place["score"], arrived=arrived)

    def draw(self, view_model: ViewModel) -> None:
        """Draw a moment."""
        view = view_model.view
        self.now = view_model
        self._draw_track(view)
        revealed = self._is_new(view_model)
        played, self.playing = self.playing, view_model.frame is not None
        self._advance(view_model, played)
        self._draw_sign(view)
        self.racers.draw(view, revealed)
        self.rounds.draw(view_model, revealed)
        self.desk.draw(view_model, revealed)
        self.own.draw(view, self.desk.cover.open)
        self.desk.handover.update(view_model, revealed or self.playing or played)

    def _on_cover_toggle(self, is_open: bool) -> None:
        """Enlarge the panel and show the gourds while the cover is open."""
        patch(self.panel, {"class": "caravane open" if is_open else "caravane"})
        self.own.draw(self.now.view, is_open)

    def _draw_track(self, view: View) -> None:
        if self.road is None:
            self.road = Road()
            self.road.draw_track(view["track"], len(view["racers"]))
            fill(self.scroller, self.road.svg)

    def _is_new(self, now: ViewModel) -> bool:
        """Return whether bids were revealed since the current moment was last shown.

        Returns False for earlier moments and on the first call.
        """
        last = now.view["last"]
        mark = (last["round"] if last else 0, now.view["phase"] == "revise")
        before = self.turned
        if now.live:
            self.turned = mark
        return now.live and before is not None and mark > before

    def _draw_sign(self, view: View) -> None:
        """Show the stage and round above the board; add the positions to its accessible name."""
        if view["phase"] == "prepare":
            text = t("screen.before")
        elif view["phase"] == "over":
            text = t("screen.over")
        else:
            text = t("screen.stage", stage=view["stage"], round=view["round"])
        fill(self.sign, text)
        sentences = [self._standing_text(view, r) for r in view["racers"]]
        label = join_sentences([t("screen.sentence", what=text), *sentences])
        patch(self.road.svg, {"aria-label": label})

    def _standing_text(self, view: View, racer: Data) -> str:
        """Return a sentence about a racer's position on the road."""
        name = self.host.match.names[racer["seat"]]
        stage = max(1, view["stage"])
        if racer["place"]:
            return t("position.at_palace", name=name, stage=stage)
        if racer["square"]:
            length = self.road.lengths[stage - 1]
            return t("position.on_square", name=name, square=racer["square"], length=length)
        if stage == 1:
            return t("position.at_start", name=name)
        return t("position.from_palace", name=name, stage=stage - 1)

    def describe_position(self, view_model: ViewModel) -> list[Any]:
        """Describe the road stage by stage, then the racers' bales of silk."""
        view, names = view_model.view, self.host.match.names
        parts = []
        for stage in view["track"]:
            number, length = stage["stage"], stage["length"]
            lines = [
                t("position.square", square=square, what=EFFECT_SENTENCES[what])
                for square, what in stage["special"].items()
            ]
            silk = join_list([str(bales) for bales in stage["palace"][: len(names)]])
            lines.append(t("position.palace_square", length=length, silk=silk))
            if number == max(1, view["stage"]):
                lines.extend([self._standing_text(view, r) for r in view["racers"]])
            parts.append((t("position.stage", number=number, n=length), lines))
        bales = [t("position.bales", name=names[r["seat"]], n=r["bales"]) for r in view["racers"]]
        return [*parts, (t("review.bales"), bales)]

    # -- camels --------------------------------------------------------------------------------

    def _advance(self, now: ViewModel, played: bool) -> None:
        """Draw the traces and the camels, in their positions or those of an animation frame."""
        view = now.view
        places = tuple([self.road.spot(view["stage"], r["square"]) for r in view["racers"]])
        reveals = [event for event in now.marks if event["type"] == "BidsRevealed"]
        routes = self._routes(reveals[0]) if reveals else ()
        if now.frame is not None and routes:
            version, part = now.frame
            steps = part if version == reveals[0]["version"] else MAX_STEPS
            places = tuple([min(begin + steps, end) for begin, end in routes])
        pairs = zip(routes, places, strict=True) if routes else ()
        self.road.draw_traces([(begin, min(end, at)) for (begin, end), at in pairs])
        opening = self.stands is None
        moved = (view["stage"], places) != self.stands
        if moved:
            self.stands = (view["stage"], places)
            self.road.place_camels(places, self.host.match.letters, self.host.match.active_seat)
        if opening or ((moved or played) and now.frame is None):
            self._scroll_to_camels()

    def _routes(self, event: Event) -> list[tuple[int, int]]:
        """Return each seat's ``(start, end)`` spots for the moves that follow a reveal."""
        match = self.host.match
        stage = 1
        squares: dict[int, int] = {}
        for before in match.standing_events(match.version_before(event["version"])):
            if before["type"] == "CamelAdvanced":
                squares.setdefault(before["data"]["seat"], before["data"]["square"])
            elif before["type"] == "StageBegun":
                stage = before["data"]["stage"]
                break
        end = self.road.lengths[stage - 1]
        begin = self.road.spot(stage, 0)
        routes = []
        for seat, steps in enumerate(event["data"]["steps"]):
            square = squares.get(seat, 0)
            routes.append((begin + square, begin + min(end, square + steps)))
        return routes

    # -- moves of all seats --------------------------------------------------------------------

    def move_of(self, event: Event) -> tuple[Any, ...] | None:
        """Return ``(None, turn)`` for animated events, otherwise None.

        The seat is None because a reveal moves all camels.
        """
        return (None, event["turn"]) if event["type"] in ANIMATED_EVENTS else None

    def frame_durations(self, event: Event) -> list[int]:
        """Return the durations for a reveal (turning cards, then each step) or a palace reward."""
        if event["type"] == "PalaceRewarded":
            return [REVEAL_MS]
        if event["type"] != "BidsRevealed":
            return []
        self._draw_track(self.host.match.data["view"])
        return [REVEAL_MS] + [STEP_MS] * max([end - begin for begin, end in self._routes(event)])

    def describe_move(self, events: list[Event]) -> str:
        """Describe the result of a round in sentences."""
        return self.rounds.describe_events(events)

    def summarise_move(self, events: list[Event]) -> str:
        """Describe the result of a round by its numbers, or the silk of a palace."""
        return self.rounds.summarise_events(events)

    def plays_itself(self, choice: Choice, view_model: ViewModel) -> bool:
        """Return whether the page may play the only choice: against bots, a bid of nothing.

        With other people, the announcement would reveal that no water is left.
        """
        return self.host.match.is_against_bots and choice["args"].get("gourds") == 0

    def _on_resize(self, *_entries: object) -> None:
        if self.stands is not None:
            self.road.scroll_to(self.scroller, self.stands[1])

    def _scroll_to_camels(self) -> None:
        """Scroll to the camels and highlight the current stage."""
        stage, places = self.stands
        self.road.mark_stage(stage)
        self.road.scroll_to(self.scroller, places)
