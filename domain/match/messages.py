"""Messages of the kernel's events: message ids and arguments."""

from typing import Any

from domain.match import events
from domain.match.seats import Origin
from domain.text import default_names


def tell(event: Any) -> tuple[str, dict[str, Any]]:
    """Return the message for a kernel event: a message id and its arguments."""
    match event:
        case events.MatchOpened(forked_from=Origin(version=version)):
            return "opened-fork", {"version": version}
        case events.MatchOpened():
            return "opened", {}
        case events.SeatTaken(seat=seat):
            return "taken", {"who": seat}
        case events.SeatLeft():
            return _tell_left(event)
        case events.MatchStarted():
            return "started", {}
        case events.UndoProposed(seat=seat):
            return "proposed", {"who": seat}
        case events.UndoAnswered(seat=seat, accept=accept):
            return ("accepted" if accept else "declined"), {"who": seat}
        case events.MovesUndone(seat=seat):
            return "undone", {"who": seat}
        case events.MovesRedone(seat=seat):
            return "redone", {"who": seat}
        case events.Said(seat=None):
            return "said-hidden", {}
        case events.Said(seat=seat, text=text):
            return "said", {"who": seat, "text": text}
        case _:
            return _tell_time(event)


def _tell_left(event: events.SeatLeft) -> tuple[str, dict[str, Any]]:
    if event.kind == "bot" and not event.name:
        return "bot-sits", {}  # the seat was open
    mark = default_names.parse_default_name("human", event.name)
    called = {"key": mark[0], "args": {"number": mark[1]}} if mark else event.name
    return f"left-{event.kind}", {"name": called}


def _tell_time(event: Any) -> tuple[str, dict[str, Any]]:
    match event:
        case events.SeedRevealed():
            return "seed", {}
        case events.TimeRanOut(follows=follows):
            key = f"out-{follows}"
        case events.WentAway():
            key = "went-away"
        case events.CameBack():
            key = "came-back"
        case events.Voted(seat=seat, about=about, bot=bot):
            return ("voted-bot" if bot else "voted-wait"), {"who": seat, "about": about}
        case events.SeatReclaimed():
            key = "reclaimed"
        case events.ReturnRequested():
            key = "return-asked"
        case events.ReturnAnswered(accept=accept):
            key = "return-accepted" if accept else "return-declined"
            return key, {"who": event.seat, "about": event.about}
        case _:
            return _tell_recovery(event)
    return key, {"who": event.seat}


def _tell_recovery(event: Any) -> tuple[str, dict[str, Any]]:
    match event:
        case events.SeatRecovered(seat=seat, by=by):
            return f"recovered-{by}", {"who": seat}
        case events.RecoveryEnded(seat=seat, why=why):
            return f"recovery-{why}", {"who": seat}
        case events.RecoveryBegan(about=about):
            return "recovery-began", {"about": about}
        case events.RecoveryAsked(seat=seat, about=about):
            key = "asked"
        case _:
            seat, about = event.seat, event.about
            key = "agreed" if event.accept else "declined"
    return f"recovery-{key}", {"who": seat, "about": about}
