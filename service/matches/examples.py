"""Examples of match requests and responses for the OpenAPI document."""

from typing import Any

from domain.matchfile.writer import FORMAT, FORMAT_VERSION
from service.http.examples import EXAMPLE_DIGEST, EXAMPLE_GAME

_MATCH_ID = "5f0c2f0e-6a53-4c7e-9a35-0d2f1f6c7a11"
_SEATS_EXAMPLE = [
    {"seat": 0, "kind": "human", "name": "Ann", "you": True},
    {"seat": 1, "kind": "human", "name": "Bob", "you": False},
]
_MATCH_EXAMPLE = {
    "id": _MATCH_ID,
    "game": EXAMPLE_GAME.slug,
    "options": EXAMPLE_GAME.options,
    "status": "playing",
    "visibility": "private",
    "version": 17,
    "latest_version": 17,
    "seats": _SEATS_EXAMPLE,
    "to_act": [1],
    "turn": 2,
    "view": EXAMPLE_GAME.view,
    "undo": {
        "kind": "free",
        "reason": "Only your own moves are undone, and nothing new was revealed.",
        "seat": 0,
        "step": 16,
        "turn": 12,
        "key": "why-free",
        "args": {},
    },
    "redo": False,
    "fairness": {"commitment": EXAMPLE_DIGEST},
}
_OPEN_EXAMPLE = {
    **_MATCH_EXAMPLE,
    "status": "open",
    "version": 1,
    "latest_version": 1,
    "seats": [_SEATS_EXAMPLE[0], {"seat": 1, "kind": "open", "name": "", "you": False}],
    "to_act": [],
    "turn": 0,
    "view": None,
    "undo": {
        "kind": None,
        "reason": "The game hasn’t started.",
        "seat": 0,
        "step": None,
        "turn": None,
        "key": "why-waiting",
        "args": {},
    },
    "invite": "mzxw6ytboi2gk3lq",
}
PROPOSED_MATCH_EXAMPLE = {
    **_MATCH_EXAMPLE,
    "undo": {
        "kind": "consent",
        "reason": "Bob has moved since.",
        "seat": 0,
        "step": 12,
        "turn": 12,
        "key": "why-moved",
        "args": {"who": 1},
        "proposal": {
            "seat": 0,
            "to_version": 12,
            "reason": "Bob has moved since.",
            "waiting": [1],
            "key": "why-moved",
            "args": {"who": 1},
        },
    },
}
_TIMED_MATCH_EXAMPLE = {
    **_MATCH_EXAMPLE,
    "clock": {
        "pace": {
            "kind": "days",
            "bank": 900,
            "increment": 0,
            "minimum": 30,
            "days": 3,
            "weekends_off": False,
            "zone": 0,
            "time_zone": None,
            "vacation": True,
        },
        "on_end": "vote",
        "seats": [
            {
                "seat": 0,
                "left": 201600000,
                "runs": False,
                "ends": None,
                "out": False,
                "away": False,
                "for_bot": [],
            },
            {
                "seat": 1,
                "left": 0,
                "runs": False,
                "ends": None,
                "out": True,
                "away": False,
                "for_bot": [0],
            },
        ],
    },
}
_VACATION_EXAMPLE = {
    "away": True,
    "since": "2026-01-31T18:00:00.000Z",
    "until": "2026-02-28T18:00:00.000Z",
    "days": 28,
    "days_left": 27,
}
_CHOICE_EXAMPLE = {
    "command": EXAMPLE_GAME.command,
    "label": EXAMPLE_GAME.label,
    "key": EXAMPLE_GAME.key,
    "args": EXAMPLE_GAME.args,
    "final": False,
}
_BRANCH_EXAMPLE = {
    "when": [{"type": EXAMPLE_GAME.event, "seat": 1, "data": EXAMPLE_GAME.data}],
    "commands": [EXAMPLE_GAME.command],
    "told_when": "What happens, in words.",
    "told": "What follows, in words.",
}
_PLAN_EXAMPLE = {
    "seat": 0,
    "version": 17,
    "branches": [_BRANCH_EXAMPLE],
    "dropped": None,
    "played": None,
}
_EVENT_EXAMPLE = {
    "version": 17,
    "type": EXAMPLE_GAME.event,
    "seat": 0,
    "at": "2026-01-31T18:20:11.042Z",
    "data": EXAMPLE_GAME.data,
    "text": EXAMPLE_GAME.text,
    "key": EXAMPLE_GAME.event_key,
    "args": {"who": 0},
    "undone": False,
    "turn": 3,
    "decision": 11,
}
_FILE_EXAMPLE = {
    "format": FORMAT,
    "format_version": FORMAT_VERSION,
    "id": _MATCH_ID,
    "game": EXAMPLE_GAME.slug,
    "rules_version": 1,
    "status": "playing",
    "hidden": 0,
    "fairness": {"commitment": EXAMPLE_DIGEST},
    "decisions": [],
    "digest": EXAMPLE_DIGEST,
}


REQUESTS: dict[str, Any] = {
    "createMatch": {
        "game": EXAMPLE_GAME.slug,
        "options": EXAMPLE_GAME.options,
        "seats": [{"kind": "me"}, {"kind": "open"}],
        "visibility": "private",
        "pace": {"kind": "days", "days": 3, "on_end": "vote"},
    },
    "previewGame": {"seats": 2, "options": EXAMPLE_GAME.options},
    "joinMatch": {"invite": "mzxw6ytboi2gk3lq", "name": "Bob"},
    "leaveMatch": {"seat": 1},
    "reclaimSeat": {"seat": 1},
    "answerReturn": {"seat": 0, "about": 1, "accept": True},
    "hideMatch": {"hidden": True},
    "playCommands": {"seat": 0, "expected_version": 16, "commands": [EXAMPLE_GAME.command]},
    "undoMoves": {"seat": 0, "expected_version": 17},
    "answerProposal": {"seat": 1, "accept": True},
    "castVote": {"seat": 0, "about": 1, "bot": True},
    "setVacation": {"away": True},
    "layPlan": {"branches": [_BRANCH_EXAMPLE]},
    "sayWords": {"seat": 0, "text": "Shall we trade?", "to": 2},
    "redoMoves": {"seat": 0, "expected_version": 18},
    "forkMatch": {"at": 12, "seats": [{"kind": "me"}, {"kind": "bot"}]},
    "importMatch": _FILE_EXAMPLE,
}
ANSWERS: dict[str, Any] = {
    "createMatch": _OPEN_EXAMPLE,
    "listMatches": {
        "items": [
            {
                "id": _MATCH_ID,
                "game": EXAMPLE_GAME.slug,
                "status": "playing",
                "visibility": "private",
                "version": 17,
                "turn": 2,
                "seats": _SEATS_EXAMPLE,
                "to_act": [1],
                "your_turn": False,
                "created": "2026-01-31T18:00:00.000Z",
                "updated": "2026-01-31T18:20:11.042Z",
                "pace": {"kind": "days", "days": 3},
            }
        ],
        "next": None,
    },
    "joinMatch": _MATCH_EXAMPLE,
    "leaveMatch": _MATCH_EXAMPLE,
    "reclaimSeat": _MATCH_EXAMPLE,
    "answerReturn": _MATCH_EXAMPLE,
    "hideMatch": {"id": _MATCH_ID, "hidden": True},
    "rematch": _OPEN_EXAMPLE,
    "getMatch": _MATCH_EXAMPLE,
    "previewGame": {
        "game": EXAMPLE_GAME.slug,
        "seats": 2,
        "options": EXAMPLE_GAME.options,
        "view": {**EXAMPLE_GAME.layout, **EXAMPLE_GAME.view},
    },
    "getLayout": {"id": _MATCH_ID, "layout": EXAMPLE_GAME.layout},
    "listChoices": {"version": 16, "seat": 0, "choices": [_CHOICE_EXAMPLE]},
    "listEvents": {"version": 17, "events": [_EVENT_EXAMPLE]},
    "playCommands": {"version": 17, "events": [_EVENT_EXAMPLE], "match": _MATCH_EXAMPLE},
    "undoMoves": _MATCH_EXAMPLE,
    "answerProposal": _MATCH_EXAMPLE,
    "castVote": _TIMED_MATCH_EXAMPLE,
    "getPlan": _PLAN_EXAMPLE,
    "layPlan": _PLAN_EXAMPLE,
    "dropPlan": {**_PLAN_EXAMPLE, "version": None, "branches": []},
    "listPlanChoices": {
        "version": 17,
        "seat": 0,
        "choices": [_CHOICE_EXAMPLE],
        "more": 0,
        "groups": [],
        "next": None,
    },
    "getVacation": _VACATION_EXAMPLE,
    "setVacation": _VACATION_EXAMPLE,
    "sayWords": _MATCH_EXAMPLE,
    "redoMoves": _MATCH_EXAMPLE,
    "forkMatch": {**_MATCH_EXAMPLE, "forked_from": {"match": _MATCH_ID, "version": 12}},
    "exportMatch": _FILE_EXAMPLE,
    "importMatch": _MATCH_EXAMPLE,
    "reviewMatch": {
        "id": _MATCH_ID,
        "game": EXAMPLE_GAME.slug,
        "status": "finished",
        "version": 205,
        "seats": _SEATS_EXAMPLE,
        "standings": [{"seat": 0, "rank": 1, "score": 21, "detail": EXAMPLE_GAME.detail}],
        "review": {"charts": [], "gains": [], "highlights": [], "own": EXAMPLE_GAME.review},
    },
    "listKeys": {
        "keys": [
            {
                "id": "21fe31dfa154a261",
                "algorithm": "Ed25519",
                "public": EXAMPLE_DIGEST,
                "created": "2026-01-31T18:00:00.000Z",
                "retired": None,
            }
        ]
    },
}
