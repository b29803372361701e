"""Example request and response bodies of the recovery routes, by operation id."""

from typing import Any

from service.matches.examples import ANSWERS as MATCH_ANSWERS

_ID = "5f0c2f0e-6a53-4c7e-9a35-0d2f1f6c7a11"
_RECOVERY = {
    "seat": 0,
    "about": 1,
    "name": "Bob",
    "began": True,
    "ends": "2026-01-31T18:30:11.042Z",
    "waiting": [],
    "you": False,
}
_MATCH = MATCH_ANSWERS["getMatch"]
_PIN = {"seat": 0, "chosen": True, "table": "7KQ2-M8D0", "tries_left": 5}

REQUESTS: dict[str, Any] = {
    "setSeatPin": {"seat": 0, "pin": "482915"},
    "recoverSeat": {"table": "7KQ2-M8D0", "seat": 0, "pin": "482915"},
    "askRecovery": {"seat": 0, "about": 1, "code": "9BWE-A3HT"},
    "answerRecovery": {"seat": 2, "about": 1, "accept": True},
    "objectToRecovery": {"seat": 1},
}
ANSWERS: dict[str, Any] = {
    "getSeatPin": _PIN,
    "setSeatPin": _PIN,
    "recoverSeat": _MATCH,
    "getRecovery": {"table": "7KQ2-M8D0", "seats": [1], "reason": None, "recovery": _RECOVERY},
    "askRecovery": {**_MATCH, "recovery": _RECOVERY},
    "answerRecovery": {**_MATCH, "recovery": _RECOVERY},
    "objectToRecovery": _MATCH,
    "makeSeatCode": {
        "code": "9BWE-A3HT",
        "url": "https://example.org/back?code=9BWEA3HT",
        "qr": "data:image/svg+xml;charset=utf-8,%3Csvg%3E%3C/svg%3E",
        "expires": "2026-01-31T19:20:11.000Z",
    },
    "getSeatCode": {"match": _ID, "seat": 1},
}
