"""Messages of the kernel's events: message ids and arguments."""

from typing import Any

from domain.match.events import (
    CameBack,
    MatchOpened,
    MatchStarted,
    MovesRedone,
    MovesUndone,
    RecoveryAsked,
    RecoveryBegan,
    RecoveryEnded,
    ReturnAnswered,
    ReturnRequested,
    Said,
    SeatLeft,
    SeatReclaimed,
    SeatRecovered,
    SeatTaken,
    SeedRevealed,
    TimeRanOut,
    UndoAnswered,
    UndoProposed,
    Voted,
    WentAway,
)
from domain.match.seats import Origin
from domain.text import default_names


def tell(event: Any) -> tuple[str, dict[str, Any]]:
    """Return the message for a kernel event: a message id and its arguments."""
    match event:
        case MatchOpened(forked_from=Origin(version=version)):
            return "opened-fork", {"version": version}
        case MatchOpened():
            return "opened", {}
        case SeatTaken(seat=seat):
            return "taken", {"who": seat}
        case SeatLeft():
            return _tell_left(event)
        case MatchStarted():
            return "started", {}
        case UndoProposed(seat=seat):
            return "proposed", {"who": seat}
        case UndoAnswered(seat=seat, accept=accept):
            return ("accepted" if accept else "declined"), {"who": seat}
        case MovesUndone(seat=seat):
            return "undone", {"who": seat}
        case MovesRedone(seat=seat):
            return "redone", {"who": seat}
        case Said(seat=None):
            return "said-hidden", {}
        case Said(seat=seat, text=text):
            return "said", {"who": seat, "text": text}
        case _:
            return _tell_time(event)


def _tell_left(event: SeatLeft) -> tuple[str, dict[str, Any]]:
    if event.kind == "bot" and not event.name:
        return "bot-sits", {}  # the seat was open
    mark = default_names.parse_default_name("human", event.name)
    called = {"key": mark[0], "args": {"number": mark[1]}} if mark else event.name
    return f"left-{event.kind}", {"name": called}


def _tell_time(event: Any) -> tuple[str, dict[str, Any]]:
    match event:
        case SeedRevealed():
            return "seed", {}
        case TimeRanOut(follows=follows):
            key = f"out-{follows}"
        case WentAway():
            key = "went-away"
        case CameBack():
            key = "came-back"
        case Voted(seat=seat, about=about, bot=bot):
            return ("voted-bot" if bot else "voted-wait"), {"who": seat, "about": about}
        case SeatReclaimed():
            key = "reclaimed"
        case ReturnRequested():
            key = "return-asked"
        case ReturnAnswered(accept=accept):
            key = "return-accepted" if accept else "return-declined"
            return key, {"who": event.seat, "about": event.about}
        case _:
            return _tell_recovery(event)
    return key, {"who": event.seat}


def _tell_recovery(event: Any) -> tuple[str, dict[str, Any]]:
    match event:
        case SeatRecovered(seat=seat, by=by):
            return f"recovered-{by}", {"who": seat}
        case RecoveryEnded(seat=seat, why=why):
            return f"recovery-{why}", {"who": seat}
        case RecoveryBegan(about=about):
            return "recovery-began", {"about": about}
        case RecoveryAsked(seat=seat, about=about):
            key = "asked"
        case _:
            seat, about = event.seat, event.about
            key = "agreed" if event.accept else "declined"
    return f"recovery-{key}", {"who": seat, "about": about}
