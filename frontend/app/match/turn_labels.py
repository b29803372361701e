"""Interface texts about turns, worded for games that count turns and for games that count rounds.

A screen selects one of the two with `Screen.TURN_KIND`.
"""

from domain.text.i18n import N_

TURN_LABELS: dict[str, dict[str, str]] = {
    "turn": {
        "at": N_("history.position_turn"),
        "undo": N_("undo.turn"),
        "ask": N_("undo.ask_turn"),
        "back": N_("history.previous_turn"),
        "on": N_("history.next_turn"),
        "gain": N_("review.gain_in_turn"),
        "last": N_("review.last_turn"),
        "before-last": N_("history.before_last_turn"),
    },
    "round": {
        "at": N_("history.position_round"),
        "undo": N_("undo.round"),
        "ask": N_("undo.ask_round"),
        "back": N_("history.previous_round"),
        "on": N_("history.next_round"),
        "gain": N_("review.gain_in_round"),
        "last": N_("review.last_round"),
        "before-last": N_("history.before_last_round"),
    },
}
START_LABEL = N_("history.position_start")
