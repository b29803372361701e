"""Examples of requests and answers about notifications."""

from typing import Any

_KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
_WAY = {
    "id": "9f2c61d07be3a458",
    "way": "push",
    "name": "Chromium on Android",
    "this": True,
    "confirmed": True,
    "created": "2026-01-31T18:00:00.000Z",
}
_QUIET = {"start": 1320, "end": 420, "zone": "Europe/Paris"}
_NOTICES = {
    "offers": {
        "push": _KEY,
        "mail": True,
        "webhook": True,
    },
    "ways": [_WAY],
    "wishes": {"kinds": ["turn", "proposal", "over"], "quiet": _QUIET},
    "muted": [],
}

REQUESTS: dict[str, Any] = {
    "setNotices": {"kinds": ["turn", "proposal", "over"], "quiet": _QUIET},
    "notifyByPush": {
        "endpoint": "https://push.example.org/send/abc",
        "keys": {
            "p256dh": _KEY,
            "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        },
    },
    "notifyByMail": {"address": "ann@example.org"},
    "notifyByHook": {"address": "https://discord.com/api/webhooks/123/abc"},
    "muteMatch": {"muted": True},
}
ANSWERS: dict[str, Any] = {
    "listNotices": _NOTICES,
    "setNotices": _NOTICES,
    "notifyByPush": _WAY,
    "notifyByMail": {**_WAY, "way": "mail", "name": "ann@example.org", "confirmed": False},
    "notifyByHook": {**_WAY, "way": "discord", "name": "discord.com", "this": False},
    "removeWay": {**_NOTICES, "ways": []},
    "testWay": _WAY,
    "resumeWay": _WAY,
    "muteMatch": {"muted": True},
}
