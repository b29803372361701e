"""The time control field of a new table: no limit, live, or days per turn."""

from typing import Any

from _native import keep_focus, time_zone_name, utc_offset_minutes

from frontend.app.components.radio_group import radio_group
from frontend.app.components.toggle import toggle_field
from frontend.app.core.i18n import t
from frontend.app.core.types import Action, Data, Node
from frontend.app.pages.new_table.fold import Fold

BANK_MINUTES = (5, 10, 15, 30, 60)
INCREMENT_SECONDS = (0, 5, 10, 30)
DAYS_PER_TURN = (1, 2, 3, 5, 7, 14)
TIMEOUT_ACTIONS = (
    ("nudge", t("time.on_end.nudge"), t("time.on_end.nudge_hint")),
    ("bot_moves", t("time.on_end.bot_moves"), t("time.on_end.bot_moves_hint")),
    ("bot_takes", t("time.on_end.bot_takes"), t("time.on_end.bot_takes_hint")),
    ("vote", t("time.on_end.vote"), t("time.on_end.vote_hint")),
)


class TimeControlField:
    """The time control part of the form; ``on_change()`` redraws the form."""

    def __init__(self, on_change: Action) -> None:
        self.kind = "none"
        self.chosen: Data = {"bank": 900, "increment": 10, "days": 3, "on_end": "nudge"}
        self.weekends_off = False
        self.vacation = True
        self.details = Fold()
        self._on_change = on_change

    def prefill(self, clock: Data) -> None:
        """Prefill the field from the ``clock`` of an earlier match."""
        pace = clock["pace"]
        self.kind = pace["kind"]
        self.weekends_off = pace["weekends_off"]
        if self.kind == "days":
            self.vacation = pace["vacation"]
        for name in ("bank", "increment", "days"):
            self.chosen[name] = pace[name]
        self.chosen["on_end"] = clock["on_end"]

    def value(self) -> Data | None:
        """Return the ``pace`` of the request body, or None if there is no time limit."""
        if self.kind == "none":
            return None
        by_days = self.kind == "days"
        rests, name = self.weekends_off and by_days, time_zone_name()
        return {
            **self.chosen,
            "kind": self.kind,
            "weekends_off": rests,
            "zone": utc_offset_minutes(),
            **({"time_zone": name} if rests and name else {}),
            **({"vacation": self.vacation} if by_days else {}),
        }

    def title(self) -> str:
        """Return the title of the chosen kind."""
        return next(title for kind, title, _hint in self._kinds() if kind == self.kind)

    def _kinds(self) -> list[tuple[str, str, str]]:
        bank, days = self.chosen["bank"] // 60, self.chosen["days"]
        return [
            ("none", t("time.none"), ""),
            ("live", t("time.live"), t("time.minutes_per_player_value", n=bank)),
            ("days", t("time.correspondence"), t("time.days_per_turn_value", n=days)),
        ]

    def nodes(self) -> list[Node]:
        """Return the selector of the kind and a collapsible section with its settings, if any."""
        kinds = radio_group(t("time.title"), self._kinds(), self.kind, self._set_kind)
        if self.kind == "none":
            return [kinds]
        rows = self._live_rows() if self.kind == "live" else self._day_rows()
        on_end = self._row(t("time.when_time_runs_out"), "on_end", TIMEOUT_ACTIONS)
        return [kinds, self.details.node(t("time.more"), rows, on_end)]

    def _live_rows(self) -> list[Node]:
        minutes = [(60 * n, str(n), "") for n in BANK_MINUTES]
        seconds = [(n, str(n), "") for n in INCREMENT_SECONDS]
        return [
            self._row(t("time.minutes_per_player"), "bank", minutes),
            self._row(t("time.increment"), "increment", seconds),
        ]

    def _day_rows(self) -> list[Node]:
        zone, paused = time_zone_name(), t("time.vacation_hint")
        hint = t("time.weekends_off_zone", zone=zone) if zone else t("time.weekends_off_local")
        return [
            self._row(t("time.days_per_turn"), "days", [(n, str(n), "") for n in DAYS_PER_TURN]),
            toggle_field(t("time.weekends_off"), hint, self.weekends_off, self._set_weekends),
            toggle_field(t("account.vacation"), paused, self.vacation, self._set_vacation),
        ]

    def _row(self, legend: str, name: str, values: Any) -> Node:
        def change(value: Any) -> None:
            self.chosen[name] = value if name == "on_end" else int(value)
            keep_focus(self._on_change)

        return radio_group(legend, values, self.chosen[name], change)

    def _set_kind(self, kind: Any) -> None:
        self.kind = kind
        keep_focus(self._on_change)

    def _set_weekends(self, on: bool) -> None:
        self.weekends_off = on

    def _set_vacation(self, on: bool) -> None:
        self.vacation = on
