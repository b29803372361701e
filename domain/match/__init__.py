"""One match of any game: its seats, its decisions, the fold and undo. Knows no game by name.

Ships to the browser whole, so that a phone folds, undoes and looks ahead with this very code.

- `seats`, `commands`, `events`, `words`: what is said at the table, and how it is told;
- `moments`: a match at one moment; `history`: all moments, the one fold, what still counts;
- `timeline`: what people may see, and what commands lead to; `seating` and `undo`: the kernel's
  own commands; `secrecy`: what stays secret at the end.
"""

from domain.match.commands import (
    COMMANDS,
    AnswerUndo,
    Join,
    Leave,
    Open,
    Redo,
    Say,
    Start,
    Undo,
)
from domain.match.events import (
    EVENTS,
    WITHHELD,
    MatchOpened,
    MatchStarted,
    MovesRedone,
    MovesUndone,
    Said,
    SeatLeft,
    SeatTaken,
    SeedRevealed,
    UndoAnswered,
    UndoProposed,
    is_kernel,
)
from domain.match.history import Decided, Decision, History
from domain.match.moments import Moment, Proposal, PutAway
from domain.match.seating import MOST_WORDS
from domain.match.seats import (
    FROM_FILE,
    HERE,
    PHONE,
    SIGNED_FILE,
    NotYourTurn,
    Origin,
    Refused,
    Seat,
)
from domain.match.secrecy import published_seed, secrets_kept
from domain.match.timeline import MOST_DECISIONS, Recorder, Timeline
from domain.match.undo import UndoKind
from domain.match.words import TEXT, tell

__all__ = [
    "COMMANDS",
    "EVENTS",
    "FROM_FILE",
    "HERE",
    "MOST_DECISIONS",
    "MOST_WORDS",
    "PHONE",
    "SIGNED_FILE",
    "TEXT",
    "WITHHELD",
    "AnswerUndo",
    "Decided",
    "Decision",
    "History",
    "Join",
    "Leave",
    "MatchOpened",
    "MatchStarted",
    "Moment",
    "MovesRedone",
    "MovesUndone",
    "NotYourTurn",
    "Open",
    "Origin",
    "Proposal",
    "PutAway",
    "Recorder",
    "Redo",
    "Refused",
    "Said",
    "Say",
    "Seat",
    "SeatLeft",
    "SeatTaken",
    "SeedRevealed",
    "Start",
    "Timeline",
    "Undo",
    "UndoAnswered",
    "UndoKind",
    "UndoProposed",
    "is_kernel",
    "published_seed",
    "secrets_kept",
    "tell",
]
