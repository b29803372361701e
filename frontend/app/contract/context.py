"""What the parts of one match page share."""

from typing import Any

from _native import remove_listener

from frontend.app.contract.model import Match
from frontend.app.core.signal import Signal
from frontend.app.core.types import Action, Navigate


class Phase:
    """The phases of a match page."""

    LOADING = 0
    """The match is requested."""
    STARTING = 1
    """The match is known; its events are being loaded."""
    WAITING_ROOM = 2
    """The match has open seats."""
    MOUNTING = 3
    """The board and its panels are being built."""
    MOUNTED = 4
    CLOSED = 5


class MatchContext:
    """What the parts of one match page share: the match, its addresses and the page's signals.

    ``match`` is set when the phase becomes `Phase.STARTING`. ``at`` is the version shown, None for
    the current moment; ``hidden_pieces``: how many of the last pieces of its event are not shown
    yet, because the replay adds them one by one. ``listeners``: event listeners, which are removed
    on closing.

    Signals, emitted after the change:

    - ``match_changed(texts)``: the data or events of the match; ``texts``: those of new events
    - ``queue_changed()``: the unconfirmed moves
    - ``moment_changed(view_model)``: the moment shown, or what it looks like
    """

    match: Match

    def __init__(self, match_id: str, query: dict[str, str], navigate: Navigate) -> None:
        self.id = match_id
        self.path = "/api/matches/" + match_id
        self.invite_code = query.get("invite")
        self.share_code = query.get("share")
        self.navigate = navigate
        self.phase = Phase.LOADING
        self.at: int | None = None
        self.hidden_pieces = 0
        self.listeners: list[int] = []
        self.match_changed = Signal()
        self.queue_changed = Signal()
        self.moment_changed = Signal()
        self._close_actions: list[Action] = []

    @property
    def is_closed(self) -> bool:
        """Whether the page is closed."""
        return self.phase == Phase.CLOSED

    def address(self, rest: str, **query: Any) -> str:
        """Return the address of an API endpoint of the match.

        ``rest`` is appended to the path of the match. The access code and the active seat are added
        to the query.
        """
        if code := self.invite_code or self.share_code:
            query["invite"] = code
        is_known = self.phase not in (Phase.LOADING, Phase.CLOSED)
        if is_known and self.match.active_seat is not None and rest != "/live":
            query = {"seat": self.match.active_seat, **query}
        query_string = "&".join([f"{name}={value}" for name, value in query.items()])
        return self.path + rest + ("?" + query_string if query_string else "")

    def address_at(self, version: int | None = None) -> str:
        """Return the address of this page at a version; None: of the current position."""
        query = [] if version is None else [f"v={version}"]
        if self.share_code:
            query.append("share=" + self.share_code)
        return f"/m/{self.id}" + ("?" + "&".join(query) if query else "")

    def join_address(self) -> str:
        """Return the address of the page on which one takes a seat."""
        return f"/join/{self.id}" + (f"?invite={self.invite_code}" if self.invite_code else "")

    def review_address(self) -> str:
        """Return the address of the match's review."""
        return f"/m/{self.id}/review" + (f"?share={self.share_code}" if self.share_code else "")

    def on_close(self, action: Action) -> None:
        """Call ``action()`` when the page is closed."""
        self._close_actions.append(action)

    def close(self) -> None:
        """Close the signals, remove the listeners and call the functions given to `on_close`."""
        self.phase = Phase.CLOSED
        for signal in (self.match_changed, self.queue_changed, self.moment_changed):
            signal.subscribers = []
        for listener in self.listeners:
            remove_listener(listener)
        for action in self._close_actions:
            action()
