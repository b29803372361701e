"""Options and seats of a rematch. Ships to the browser."""

from typing import Any

from msgspec import to_builtins

from domain.contract.game import AnyRules
from domain.match.seat_requests import reserve_for_holder
from domain.match.seats import Seat


def rematch_options(rules: AnyRules, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a rematch; options added by newer rules have their default values."""
    defaults: dict[str, Any] = to_builtins(rules.Options())
    return {
        name: options[name] if name in options else _as_json(value)
        for name, value in defaults.items()
    }


def _as_json(value: Any) -> Any:
    """Return the value as it appears in JSON: a tuple becomes a list."""
    return [*value] if isinstance(value, tuple) else value


def rematch_seats(seats: tuple[Seat, ...], player: str) -> tuple[Seat, ...]:
    """Return the seats of a rematch requested by ``player``.

    Seats rotate by one, so that another player starts. Bots keep their seats and so does
    ``player``; the seats of other people are open and reserved for them.
    """
    return tuple([reserve_for_holder(seat, player) for seat in (*seats[1:], *seats[:1])])
