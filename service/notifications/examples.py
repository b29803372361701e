"""Example request and response bodies of the notification routes, by operation id."""

from typing import Any

_PUBLIC_KEY_EXAMPLE = (
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
)
_CHANNEL_EXAMPLE = {
    "id": "9f2c61d07be3a458",
    "way": "push",
    "name": "Chromium on Android",
    "this": True,
    "confirmed": True,
    "created": "2026-01-31T18:00:00.000Z",
}
_QUIET_HOURS_EXAMPLE = {"start": 1320, "end": 420, "zone": "Europe/Paris"}
_NOTIFICATIONS_EXAMPLE = {
    "offers": {"push": _PUBLIC_KEY_EXAMPLE, "mail": True, "webhook": True},
    "ways": [_CHANNEL_EXAMPLE],
    "wishes": {"kinds": ["turn", "proposal", "over"], "quiet": _QUIET_HOURS_EXAMPLE},
    "muted": [],
}

REQUESTS: dict[str, Any] = {
    "setNotices": {"kinds": ["turn", "proposal", "over"], "quiet": _QUIET_HOURS_EXAMPLE},
    "notifyByPush": {
        "endpoint": "https://push.example.org/send/abc",
        "keys": {"p256dh": _PUBLIC_KEY_EXAMPLE, "auth": "BTBZMqHH6r4Tts7J_aSIgg"},
    },
    "notifyByMail": {"address": "ann@example.org"},
    "notifyByHook": {"address": "https://discord.com/api/webhooks/123/abc"},
    "muteMatch": {"muted": True},
}
ANSWERS: dict[str, Any] = {
    "listNotices": _NOTIFICATIONS_EXAMPLE,
    "setNotices": _NOTIFICATIONS_EXAMPLE,
    "notifyByPush": _CHANNEL_EXAMPLE,
    "notifyByMail": {
        **_CHANNEL_EXAMPLE,
        "way": "mail",
        "name": "ann@example.org",
        "confirmed": False,
    },
    "notifyByHook": {**_CHANNEL_EXAMPLE, "way": "discord", "name": "discord.com", "this": False},
    "removeWay": {**_NOTIFICATIONS_EXAMPLE, "ways": []},
    "testWay": _CHANNEL_EXAMPLE,
    "resumeWay": _CHANNEL_EXAMPLE,
    "muteMatch": {"muted": True},
}
