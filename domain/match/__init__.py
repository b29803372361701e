"""One match of any game: its seats, its decisions, the fold and undo. Knows no game by name.

Ships to the browser whole, so that a phone folds, undoes and looks ahead with this very code.

- `seats`, `commands`, `events`, `words`: what is said at the table, and how it is told;
- `moments`: a match at one moment; `history`: all moments, the one fold, what still counts;
  `growing`: how it is kept;
- `timeline`: what people may see, and what commands lead to; `seating` and `undo`: the kernel's
  own commands; `clocks`: how long seats may take; `secrecy`: what stays secret at the end.
"""

from domain.match.clocks import SeatClock, by_itself, ends, moved_for, next_out
from domain.match.commands import (
    COMMANDS,
    AnswerUndo,
    ComeBack,
    GoAway,
    Join,
    Leave,
    Open,
    Redo,
    RunOut,
    Say,
    Start,
    Undo,
    Vote,
)
from domain.match.events import (
    EVENTS,
    WITHHELD,
    CameBack,
    MatchOpened,
    MatchStarted,
    MovesRedone,
    MovesUndone,
    Said,
    SeatLeft,
    SeatTaken,
    SeedRevealed,
    TimeRanOut,
    UndoAnswered,
    UndoProposed,
    Voted,
    WentAway,
    is_kernel,
)
from domain.match.history import Decided, Decision, History, Page, Past
from domain.match.moments import Moment, Proposal, PutAway, free_seats
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
from domain.match.timeline import MOST_DECISIONS, Recorder, Timeline, is_beside_the_game
from domain.match.undo import UndoKind, is_final
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
    "CameBack",
    "ComeBack",
    "Decided",
    "Decision",
    "GoAway",
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
    "Page",
    "Past",
    "Proposal",
    "PutAway",
    "Recorder",
    "Redo",
    "Refused",
    "RunOut",
    "Said",
    "Say",
    "Seat",
    "SeatClock",
    "SeatLeft",
    "SeatTaken",
    "SeedRevealed",
    "Start",
    "TimeRanOut",
    "Timeline",
    "Undo",
    "UndoAnswered",
    "UndoKind",
    "UndoProposed",
    "Vote",
    "Voted",
    "WentAway",
    "by_itself",
    "ends",
    "free_seats",
    "is_beside_the_game",
    "is_final",
    "is_kernel",
    "moved_for",
    "next_out",
    "published_seed",
    "secrets_kept",
    "tell",
]
