"""Messages of the kernel's events and of undo reasons: keys and English sentences."""

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
from domain.text.i18n import Sentence

TEXT: dict[str, Sentence] = {
    "seat": "Seat {number}",
    **default_names.TEXT,
    "opened": "The table was opened.",
    "opened-fork": "The table was opened, from version {version} of another match.",
    "taken": "{who:seat} sat down.",
    "left-open": "{name} got up; the seat is open.",
    "left-bot": "A bot takes over for {name}.",
    "bot-sits": "A bot takes the free seat.",
    "started": "The game begins.",
    "proposed": "{who:seat} asks to take back moves.",
    "accepted": "{who:seat} agrees to the take-back.",
    "declined": "{who:seat} declines the take-back.",
    "undone": "{who:seat} took back moves.",
    "redone": "{who:seat} played the taken-back moves again.",
    "said": "{who:seat}: {text}",
    "said-hidden": "A private word was passed.",
    "out-nudge": "Time is up for {who:seat}.",
    "out-bot_moves": "Time is up for {who:seat}; a bot moves this once.",
    "out-bot_takes": "Time is up for {who:seat}; a bot takes the seat.",
    "out-vote": "Time is up for {who:seat}; the others may give the seat to a bot.",
    "went-away": "{who:seat} is on vacation.",
    "came-back": "{who:seat} is back from vacation.",
    "voted-bot": "{who:seat} would give {about:seat} a bot.",
    "reclaimed": "{who:seat} has taken the seat back from the bot.",
    "return-asked": "{who:seat} asks to have the seat back.",
    "return-accepted": "{who:seat} agrees that {about:seat} has the seat back.",
    "return-declined": "{who:seat} wants the bot to keep the seat of {about:seat}.",
    "voted-wait": "{who:seat} would rather wait for {about:seat}.",
    "recovered-pin": "{who:seat} plays on from another device.",
    "recovered-others": "{who:seat} is back, on another device.",
    "recovery-asked": "{who:seat} asks to let {about:seat} back in on another device.",
    "recovery-agreed": "{who:seat} agrees to let {about:seat} back in.",
    "recovery-declined": "{who:seat} does not let {about:seat} back in.",
    "recovery-began": "Everybody agrees: {about:seat} is let back in after a delay.",
    "recovery-objected": "{who:seat} objects and keeps the seat.",
    "recovery-expired": "{who:seat} was not let back in: not everybody agreed in time.",
    "seed": "The seed of the draws is revealed.",
    "why-free": "Only your own moves are taken back, and nothing new came to light.",
    "why-secret": "Your choice is still secret.",
    "why-open": "Nobody else has to agree.",
    "why-moved": "{who:seat} has moved since.",
    "why-others": "Somebody has moved since.",
    "why-drawn": "Chance has decided something since.",
    "why-revealed": "Something hidden came to light since.",
    "why-branch": "This would bring back moves that were taken back.",
    "why-nothing": "There is nothing to take back.",
    "why-over": "The match is over; fork it to play on from an earlier moment.",
    "why-no-seat": "You hold no seat here.",
    "why-waiting": "The match has not begun.",
}


def tell(event: Any) -> tuple[str, dict[str, Any]]:
    """Return the message for a kernel event: a key of ``TEXT`` and its arguments."""
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
