"""Screen of the courtyard: its ring with fountain and orders, an action panel, and the ledger.

Views and choices come from the service: the browser never knows more than the viewing seat.
"""

from typing import Any

from _native import fill, patch

from domain.games.courtyard.board import SPACES
from frontend.app.contract import game_screen
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import el
from frontend.app.core.i18n import join_sentences
from frontend.app.core.types import Command, Data, Event, View
from frontend.app.games.courtyard.action_panel import ActionPanel, is_secret
from frontend.app.games.courtyard.board import CourtyardBoard
from frontend.app.games.courtyard.derived import shortest_path
from frontend.app.games.courtyard.i18n import t, tn
from frontend.app.games.courtyard.ledger import Ledger
from frontend.app.games.courtyard.places import describe_holdings, describe_position, describe_space

FRAME_DURATION_MS = 450  # milliseconds that a move of another player is shown
# Events shown and described as a player's actions; automatic consequences are not.
SHOWN_EVENTS = (
    "PlayerSettled",
    "MoveDieRolled",
    "PlayerMoved",
    "MoneyBorrowed",
    "DebtRepaid",
    "GoodsBought",
    "GoodsTraded",
    "GoodsSold",
    "GoodsExchanged",
    "GoodsDiscarded",
    "PurseExpanded",
    "PurseFilled",
    "CreditWidened",
    "AbilityBought",
    "FountainTurned",
    "MajorCompleted",
    "MinorsDrawn",
    "MinorKept",
    "MinorCompleted",
    "IncomeShared",
)


class Screen(game_screen.Screen):
    """The courtyard, the action panel below it, and the ledger of all players."""

    MAX_LISTED_CHOICES = 500  # goods are picked from the listed choices

    def is_secret_command(self, command: Command) -> bool:
        """Whether a command is secret: only the choice among minor orders is."""
        return command["type"] == "KeepOrder"

    def __init__(self, host: ScreenHost) -> None:
        super().__init__(host)
        self.now: Any = None
        self.court = CourtyardBoard(self._on_tap)
        self.sign = el("div", {"class": "board-sign"})
        room = el("div", {"class": "court-room"}, self.court.svg)
        self.node = el("div", {"class": "board-area"}, room, self.sign)
        self.ledger = Ledger(host)
        self.desk = ActionPanel(host, self._mark_spaces)
        self.panel = el("div", {"class": "courtyard"}, self.desk.node)
        self.aside = self.ledger.node
        patch(self.court.svg, {"aria-label": t("The courtyard")})

    # -- drawing a moment ----------------------------------------------------------------------

    def prompt(self, view_model: ViewModel) -> str:
        """Return what the seat to act has to do, in a few words."""
        view = view_model.view
        if view["step"] == "start":
            return t("choose a gate and a good")
        if view["step"] == "discard":
            return t("give up goods")
        if view["step"] == "income":
            return t("share out the income")
        if view["step"] == "minor":
            return t("choose a minor order")
        if view["die"]:
            return t("move up to {die} steps", die=view["die"])
        if view["moves_left"]:
            return tn("{n} move left", "{n} moves left", n=view["moves_left"])
        return t("act or end the turn")

    def announcement(self, view_model: ViewModel) -> str | None:
        """Return the notice of the last turns or rounds."""
        trigger = view_model.view["trigger"]
        left = view_model.view.get("rounds_left")
        if view_model.view["step"] == "over":
            return None
        if left is not None:
            return tn("The game ends in {n} round.", "The game ends in {n} rounds.", n=left)
        if trigger is None:
            return None
        return t(
            "{name} is wealthy enough: everybody else has one last turn.",
            name=self.host.names()[trigger],
        )

    @staticmethod
    def explain_rank(place: Data, match: Data) -> str:
        """Return the points and what they are made of."""
        detail = place["detail"]
        return t(
            "{n} points: wealth {wealth}, coins {coins}, debt {debt}, sets {sets}, "
            "abilities {abilities}.",
            n=place["score"],
            wealth=detail["wealth"],
            coins=detail["coins"],
            debt=f"−{detail['debt']}" if detail["debt"] else 0,
            sets=detail["sets"],
            abilities=detail["abilities"],
        )

    @staticmethod
    def follows_turn(view: View) -> bool:
        """Whether a shared phone skips the hand-over page: not while minor orders are chosen."""
        return not is_secret(view)

    def draw(self, view_model: ViewModel) -> None:
        """Show a moment."""
        self.now = view_model
        view = view_model.view
        self.court.show(
            view,
            self._player_positions(view_model),
            self.host.match.letters,
            self.host.match.active_seat,
        )
        self.court.trace(self._traces(view_model))
        self._draw_sign(view)
        self.desk.draw(view_model)
        self.ledger.draw(view)
        self._mark_spaces()

    def _mark_spaces(self) -> None:
        """Highlight the spaces in reach and the one looked at, and update the spaces' names."""
        if self.now is None:
            return
        reach = self.desk.reach()
        self.court.set_targets(reach, self.desk.space)
        view, names = self.now.view, self.host.names()
        self.court.set_labels(
            {space: describe_space(view, space, reach.get(space), names) for space in SPACES}
        )

    def _on_tap(self, space: str) -> None:
        if self.now is not None:
            self.desk.toggle_space(space)

    def _draw_sign(self, view: View) -> None:
        text = t("Turn {turn}", turn=view["turn"])
        if view["step"] == "start":
            text = t("Choosing gates")
        elif view["step"] == "over":
            text = t("The game is over")
        elif view["die"]:
            text = t("Turn {turn} · die {die}", turn=view["turn"], die=view["die"])
        fill(self.sign, text)

    def describe_position(self, view_model: ViewModel) -> list[Any]:
        """Return the spaces around the courtyard, then what everybody has."""
        names = self.host.names()
        players = [
            t("{name}: {what}", name=names[player["seat"]], what=describe_holdings(player))
            for player in view_model.view["players"]
        ]
        return [
            (t("The courtyard"), describe_position(view_model.view, names)),
            (t("The players"), players),
        ]

    # -- others' moves -------------------------------------------------------------------------

    def move_of(self, event: Event) -> tuple[Any, ...] | None:
        """Return the turn of a seat."""
        return (event["seat"], event["turn"]) if event["type"] in SHOWN_EVENTS else None

    def frame_durations(self, event: Event) -> list[int]:
        """Return the time an event is shown: only moves take time."""
        return [FRAME_DURATION_MS] if event["type"] == "PlayerMoved" else []

    def describe_move(self, events: list[Event]) -> str:
        """Return the turn in its own sentences."""
        return join_sentences([event["text"] for event in events])

    def _player_positions(self, now: ViewModel) -> list[str]:
        """Return where the players are drawn: during an animation, not yet where they end."""
        players = now.view["players"]
        if now.frame is None:
            return [player["at"] or "" for player in players]
        return [self._space_at(player["seat"], now.frame[0]) for player in players]

    def _space_at(self, seat: int, version: int) -> str:
        """Return the space of a player at a version; "" before the player has one."""
        match = self.host.match
        while version > 0:
            event = match.events[version - 1]
            if event["type"] == "PlayerMoved" and event["data"]["seat"] == seat:
                return str(event["data"]["to"])
            if event["type"] == "PlayerSettled" and event["data"]["seat"] == seat:
                return str(event["data"]["gate"])
            version = match.version_before(version)
        return ""

    def _traces(self, now: ViewModel) -> list[Any]:
        """Return the routes of the marked move."""
        found = []
        for event in now.marks:
            if event["type"] == "PlayerMoved":
                seat = event["data"]["seat"]
                begin = self._space_at(seat, self.host.match.version_before(event["version"]))
                if begin:
                    found.append((seat, shortest_path(begin, event["data"]["to"])))
        return found
