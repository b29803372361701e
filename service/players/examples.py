"""Example request and response bodies of the player routes, by operation id."""

from typing import Any

_PLAYER_EXAMPLE = {"player_id": "0b9f8a52-9d1c-4b60-8d0e-54b7a2e1c3aa", "name": "Ann"}
_TOKEN_EXAMPLE = {**_PLAYER_EXAMPLE, "token": "qHGv_SIB8xYnxS6KJw2T_2SafxD7Ed85AfL5GQNn7_I"}
_DEVICES_EXAMPLE: dict[str, Any] = {
    "items": [
        {
            "id": "9f2c61d07be3a458",
            "name": "Chromium on Android",
            "created": "2026-01-31T18:00:00.000Z",
            "last_seen": "2026-01-31",
            "this": True,
        }
    ],
    "recovery_code": None,
    "linked_by": {},
}

REQUESTS: dict[str, Any] = {
    "createPlayer": {"name": "Ann"},
    "setName": {"name": "Ann"},
    "claimDevice": {"code": "kq3mX0u1bW5cYb0o8r2sV4tA"},
    "recoverPlayer": {"code": "7KQ2M-XD0RV-5HTNC-9BWEA"},
}
ANSWERS: dict[str, Any] = {
    "createPlayer": _TOKEN_EXAMPLE,
    "whoAmI": _PLAYER_EXAMPLE,
    "setName": _PLAYER_EXAMPLE,
    "linkDevice": {
        "code": "kq3mX0u1bW5cYb0o8r2sV4tA",
        "url": "https://example.org/#link=kq3mX0u1bW5cYb0o8r2sV4tA",
        "qr": "data:image/svg+xml;charset=utf-8,%3Csvg%3E%3C/svg%3E",
        "expires": "2026-01-31T18:30:11.000Z",
    },
    "findAddress": {"url": "https://example.org"},
    "claimDevice": _TOKEN_EXAMPLE,
    "makeRecoveryCode": {"code": "7KQ2M-XD0RV-5HTNC-9BWEA"},
    "recoverPlayer": _TOKEN_EXAMPLE,
    "listDevices": _DEVICES_EXAMPLE,
    "signOut": {**_DEVICES_EXAMPLE, "revoked": ["calendar"]},
    "signOutOthers": {**_DEVICES_EXAMPLE, "revoked": ["recovery_code", "calendar"]},
}
