"""The screen of the courtyard game: the board, the action panel and the ledger.

Views and choices come from the service, so the browser never has more than the seat may see.
"""

from collections.abc import Mapping
from typing import Any

from domain.games.courtyard.board import SPACES
from frontend.app.components.own_row import OwnRow
from frontend.app.contract import game_screen
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import el, fill, patch
from frontend.app.core.types import Command, Data, Event, View
from frontend.app.games.courtyard.action_panel import ActionPanel, is_secret
from frontend.app.games.courtyard.board import CourtyardBoard
from frontend.app.games.courtyard.derived import shortest_path
from frontend.app.games.courtyard.i18n import t
from frontend.app.games.courtyard.ledger import Ledger
from frontend.app.games.courtyard.legend import legend, own_facts
from frontend.app.games.courtyard.places import describe_holdings, describe_space

PROMPTS = {
    "start": t("turn.settle"),
    "discard": t("turn.discard"),
    "income": t("turn.share"),
    "minor": t("turn.choose_minor"),
}


class Screen(game_screen.Screen):
    """The screen of the courtyard game: the board, the action panel below it and the ledger."""

    MAX_LISTED_CHOICES = 500  # goods are picked from the listed choices
    # A player's actions, unlike automatic consequences. Only moves are animated.
    FRAME_DURATIONS_MS: Mapping[str, int] = {
        "PlayerSettled": 0,
        "MoveDieRolled": 0,
        "PlayerMoved": 450,
        "MoneyBorrowed": 0,
        "DebtRepaid": 0,
        "GoodsBought": 0,
        "GoodsTraded": 0,
        "GoodsSold": 0,
        "GoodsExchanged": 0,
        "GoodsDiscarded": 0,
        "PurseExpanded": 0,
        "PurseFilled": 0,
        "CreditWidened": 0,
        "AbilityBought": 0,
        "FountainTurned": 0,
        "MajorCompleted": 0,
        "MinorsDrawn": 0,
        "MinorKept": 0,
        "MinorCompleted": 0,
        "IncomeShared": 0,
    }

    def is_secret_command(self, command: Command) -> bool:
        """Return whether a command is secret; only the choice of a minor order is."""
        return command["type"] == "KeepOrder"

    def __init__(self, host: ScreenHost) -> None:
        super().__init__(host)
        self.now: Any = None
        self.court = CourtyardBoard(self._on_tap)
        self.sign = el("div", {"class": "board-sign"})
        room = el("div", {"class": "court-room"}, self.court.svg)
        self.node = el("div", {"class": "board-area"}, room, self.sign)
        self.ledger = Ledger(host)
        self.own = OwnRow(host, legend)
        self.own_row = self.own.node
        self.desk = ActionPanel(host, self._mark_spaces)
        self.panel = el("div", {"class": "courtyard"}, self.desk.node)
        self.aside = el("div", {"class": "ledger"}, self.ledger.node, self.own.legend_button)
        patch(self.court.svg, {"aria-label": t("picture.courtyard")})

    # -- drawing a moment ----------------------------------------------------------------------

    def prompt(self, view_model: ViewModel) -> str:
        """Return what the acting seat has to do, in a few words."""
        view = view_model.view
        if view["step"] in PROMPTS:
            return PROMPTS[view["step"]]
        if view["die"]:
            return t("turn.move_up_to", die=view["die"])
        if view["moves_left"]:
            return t("turn.moves_left", n=view["moves_left"])
        return t("turn.act_or_end")

    def announcement(self, view_model: ViewModel) -> str | None:
        """Return a sentence that the end is near, or None."""
        trigger = view_model.view["trigger"]
        left = view_model.view.get("rounds_left")
        if view_model.view["step"] == "over":
            return None
        if left is not None:
            return t("turn.ends_in", n=left)
        if trigger is None:
            return None
        return t("turn.goal_reached", name=self.host.match.names[trigger])

    @staticmethod
    def explain_rank(place: Data, match: Data) -> str:
        """Return the points of a place and their components."""
        detail = place["detail"]
        debt = f"−{detail['debt']}" if detail["debt"] else 0
        return t("score.explanation", **{**detail, "n": place["score"], "debt": debt})

    @staticmethod
    def explain_end(view: View) -> str:
        """Return whether the goal, the limit of rounds or the players' ruin ended the game."""
        if view["trigger"] is not None:
            return t("result.end_goal")
        if view["round_limit"] and view["round"] >= view["round_limit"]:
            return t("result.end_rounds", n=view["round_limit"])
        return t("result.end_ruin")

    @staticmethod
    def follows_turn(view: View) -> bool:
        """Return whether the hand-over page is skipped; not while a minor order is chosen."""
        return not is_secret(view)

    def draw(self, view_model: ViewModel) -> None:
        """Draw a moment."""
        self.now = view_model
        view = view_model.view
        match, places = self.host.match, self._player_positions(view_model)
        self.court.show(view, places, match.letters, match.active_seat)
        self.court.trace(self._traces(view_model))
        self._draw_sign(view)
        self.desk.draw(view_model)
        self.ledger.draw(view)
        seat = self.own.seat(view_model)
        self.own.draw(seat, [] if seat is None else own_facts(view["players"][seat]))
        self._mark_spaces()

    def _mark_spaces(self) -> None:
        """Highlight the spaces in reach and the selected one, and update the accessible names."""
        if self.now is None:
            return
        reach = self.desk.reach()
        self.court.set_targets(reach, self.desk.space)
        view, names = self.now.view, self.host.match.names
        for space in SPACES:
            self.court.set_label(space, describe_space(view, space, reach.get(space), names))

    def _on_tap(self, space: str) -> None:
        if self.now is not None:
            self.desk.toggle_space(space)

    def _draw_sign(self, view: View) -> None:
        text = t("picture.turn", turn=view["turn"])
        if view["step"] == "start":
            text = t("picture.sign_start")
        elif view["step"] == "over":
            text = t("picture.sign_over")
        elif view["die"]:
            text = t("picture.sign_die", turn=view["turn"], die=view["die"])
        fill(self.sign, text)

    def describe_position(self, view_model: ViewModel) -> list[Any]:
        """Describe the spaces of the courtyard, then what each player has."""
        view, names = view_model.view, self.host.match.names
        spaces = [describe_space(view, space, None, names) for space in SPACES]
        players = [
            t("picture.player", name=names[player["seat"]], what=describe_holdings(player))
            for player in view["players"]
        ]
        return [(t("picture.courtyard"), spaces), (t("picture.players"), players)]

    # -- others' moves -------------------------------------------------------------------------

    def summarise_move(self, events: list[Event]) -> str:
        """Leave out the moves, which the board shows, of a turn with other actions."""
        rest = [event for event in events if event["type"] != "PlayerMoved"]
        return self.describe_move(rest or events[-1:])

    def _player_positions(self, now: ViewModel) -> list[str]:
        """Return each player's space at this moment or at the animation frame; "" for none."""
        players = now.view["players"]
        if now.frame is None:
            return [player["at"] or "" for player in players]
        return [self._space_at(player["seat"], now.frame[0]) for player in players]

    def _space_at(self, seat: int, version: int) -> str:
        """Return a player's space at a version, or "" before the player has chosen a gate."""
        for event in self.host.match.standing_events(version):
            field = {"PlayerMoved": "to", "PlayerSettled": "gate"}.get(event["type"])
            if field and event["data"]["seat"] == seat:
                return str(event["data"][field])
        return ""

    def _traces(self, now: ViewModel) -> list[Any]:
        """Return the routes ``(seat, spaces)`` of the marked move."""
        found = []
        for event in now.marks:
            if event["type"] == "PlayerMoved":
                seat = event["data"]["seat"]
                begin = self._space_at(seat, self.host.match.version_before(event["version"]))
                if begin:
                    found.append((seat, shortest_path(begin, event["data"]["to"])))
        return found
