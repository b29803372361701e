"""Interface texts about turns, worded for games that count turns and for games that count rounds.

A screen selects one of the two with `Screen.TURN_KIND`.
"""

from domain.text.i18n import N_

TURN_LABELS: dict[str, dict[str, str]] = {
    "turn": {
        "at": N_("Turn {turn} · move {move} of {moves}"),
        "undo": N_("Undo turn"),
        "ask": N_("Ask to take back your turn"),
        "back": N_("Turn back"),
        "on": N_("Turn on"),
        "gain": N_("{gain} in turn {turn}"),
        "last": N_("The last turn"),
        "before-last": N_("before the last turn"),
    },
    "round": {
        "at": N_("Round {turn} · move {move} of {moves}"),
        "undo": N_("Undo round"),
        "ask": N_("Ask to take back the round"),
        "back": N_("Round back"),
        "on": N_("Round on"),
        "gain": N_("{gain} in round {turn}"),
        "last": N_("The last round"),
        "before-last": N_("before the last round"),
    },
}
START_LABEL = N_("The start · {moves} moves")
