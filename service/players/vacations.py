"""Players' vacations, during which their clocks stop in matches with days per turn.

A player has a fixed number of vacation days in each calendar year (UTC). This module stores the
vacations; `service.matches.vacation_service` applies them to matches. A vacation counts as at least
one day. It ends automatically when the year's days are used up; a vacation that extends into the
next year continues with the days of that year.
"""

from collections.abc import Iterable
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from domain.match.time_control import DAY_MS
from service.http.problems import ApiProblem
from service.store import Store


class Vacation(Struct, frozen=True):
    """A player's vacation. Times are milliseconds since 1970 UTC.

    ``began_ms``: when it began; ``until``: when it ends at the latest; ``ended``: when it ended,
    None while it lasts.
    """

    player: str
    began_ms: int
    until: int
    ended: int | None = None


class VacationBalance(Struct, frozen=True):
    """A player's vacation balance.

    ``remaining_ms``: the unused part of this year's vacation days in milliseconds; ``current``: the
    current vacation, or None.
    """

    remaining_ms: int
    current: Vacation | None


class VacationLedger:
    """Database store of vacations.

    ``days_per_year``: the vacation days of each player per year, 0 for none. In its methods,
    ``now`` is in milliseconds since 1970 UTC.
    """

    def __init__(self, store: Store, days_per_year: int) -> None:
        self._store = store
        self.days_per_year = days_per_year

    def balance(self, player: str, now: int) -> VacationBalance:
        """Return a player's vacation balance."""
        vacations = self._read_all(player)
        present = next((each for each in vacations if each.ended is None), None)
        return VacationBalance(self._remaining_ms(vacations, now), present)

    def start(self, player: str, now: int) -> Vacation:
        """Start a vacation and return it, or return the current one if there is one.

        Raises `ApiProblem` 409 ``no_days_left`` if this year's days are used up.
        """
        balance = self.balance(player, now)
        if balance.current is not None:
            return balance.current
        if balance.remaining_ms <= 0:
            raise ApiProblem(409, "no_days_left", "error.no_days_left")
        begun = Vacation(player, now, self._latest_end(now, balance.remaining_ms))
        self._store.execute(
            "INSERT INTO {0}vacations (player, began, until) VALUES (?,?,?) ON CONFLICT DO NOTHING",
            *(player, now, begun.until),
        )
        # Another device may have started one at the same moment; there is only one at a time.
        return self.current_vacation(player) or begun

    def stop(self, player: str, now: int) -> Vacation | None:
        """End the current vacation and return it as ended; return None if there is none."""
        present = self.current_vacation(player)
        if present is None:
            return None
        ended = replace(present, ended=min(now, present.until))
        self._store_end([ended])
        return ended

    def list_unapplied(self, now: int) -> list[Vacation]:
        """Return the vacations whose start or end has not yet been applied to all matches.

        This ends vacations whose days are used up, and includes them.
        """
        rows = self._store.fetch_all(
            f"SELECT {_COLUMNS} FROM {{0}}vacations WHERE told = 0"
            " OR (ended IS NULL AND until <= ?) ORDER BY began, player",
            now,
        )
        found = [_end_if_used_up(_vacation_from_row(row), now) for row in rows]
        self._store_end([each for each in found if each.ended is not None])
        return found

    def _store_end(self, ended: list[Vacation]) -> None:
        if not ended:
            return
        with self._store.transaction(commit=True) as sql:
            for each in ended:
                sql.run(
                    "UPDATE {0}vacations SET ended = ?, told = 0"
                    " WHERE player = ? AND began = ? AND ended IS NULL",
                    *(each.ended, each.player, each.began_ms),
                )

    def mark_applied(self, vacation: Vacation) -> None:
        """Mark the start or end of a vacation as applied to all matches."""
        ended = "IS NULL" if vacation.ended is None else "IS NOT NULL"
        self._store.execute(
            "UPDATE {0}vacations SET told = 1 WHERE player = ? AND began = ? AND ended " + ended,
            *(vacation.player, vacation.began_ms),
        )

    def mark_all_unapplied(self) -> None:
        """Mark all current vacations as not applied, so that they are applied to all matches again.

        This is needed because a process may have been stopped after a player joined a match, but
        before the vacation was applied to it.
        """
        self._store.execute("UPDATE {0}vacations SET told = 0 WHERE ended IS NULL")

    def current_vacation(self, player: str) -> Vacation | None:
        """Return a player's current vacation, or None."""
        return next((each for each in self._read_all(player) if each.ended is None), None)

    def _read_all(self, player: str) -> list[Vacation]:
        rows = self._store.fetch_all(
            f"SELECT {_COLUMNS} FROM {{0}}vacations WHERE player = ? ORDER BY began", player
        )
        return [_vacation_from_row(row) for row in rows]

    def _remaining_ms(self, vacations: Iterable[Vacation], now: int) -> int:
        first, last = _year_bounds(now)
        used = 0
        for each in vacations:
            ended = max(now if each.ended is None else each.ended, each.began_ms + DAY_MS)
            used += max(0, min(ended, last) - max(each.began_ms, first))
        return max(0, self.days_per_year * DAY_MS - used)

    def _latest_end(self, now: int, left: int) -> int:
        last = _year_bounds(now)[1]
        return now + left if now + left <= last else last + self.days_per_year * DAY_MS


_COLUMNS = "player, began, until, ended"


def _vacation_from_row(row: object) -> Vacation:
    return Vacation(*(row[name] for name in _COLUMNS.split(", ")))  # type: ignore[index]


def _end_if_used_up(vacation: Vacation, now: int) -> Vacation:
    """Return the vacation, marked as ended if its days are used up."""
    over = vacation.ended is None and vacation.until <= now
    return replace(vacation, ended=vacation.until) if over else vacation


def _year_bounds(now: int) -> tuple[int, int]:
    """Return when the current year and the next one start (UTC), in milliseconds since 1970."""
    year = datetime.fromtimestamp(now / 1000, UTC).year
    first, last = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    return int(first.timestamp() * 1000), int(last.timestamp() * 1000)
