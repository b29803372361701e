"""Webhooks and chats: requests in the format of each service.

Chats are recognised by their hosts, which are fixed. Any other address gets a POST signed by the
Standard Webhooks specification: headers ``webhook-id``, ``webhook-timestamp`` and
``webhook-signature``, the last being "v1," and the base64 of HMAC-SHA-256 over
"ID.TIMESTAMP.BODY".
"""

import hashlib
import hmac
import secrets
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import msgspec
from msgspec import Struct

from domain.text.i18n import N_
from service.notifications.channels import Form, Way
from service.notifications.message import Message
from service.notifications.safe_http import Answer, Outside, Pool, bad_address

_SECRET = "whsec_"


class Call(Struct, frozen=True):
    """An outgoing HTTP request with a JSON body."""

    url: str
    body: dict[str, Any]
    method: str = "POST"
    headers: Mapping[str, str] = {}


def form_of(url: str) -> Form:
    """Return the kind of channel of a URL: a chat by its host, else "webhook".

    Raises `Fault` 422 ``bad_address`` for a URL of a chat that does not accept messages.
    """
    parts = urlsplit(url)
    usual = parts.port in (None, 443)
    form = _HOSTS.get(parts.hostname or "", "webhook") if usual else "webhook"
    begins = _PATHS.get(form, "/")
    if not parts.path.startswith(begins):
        raise bad_address(_NOT_FOR_MESSAGES)
    if form == "telegram":
        asked = parse_qs(parts.query)
        if not parts.path.endswith("/sendMessage") or not asked.get("chat_id"):
            raise bad_address(_NOT_FOR_MESSAGES)
    if form == "matrix":
        asked = parse_qs(parts.query)
        if "/send/m.room.message" not in parts.path or not asked.get("access_token"):
            raise bad_address(_NOT_FOR_MESSAGES)
    return form


_NOT_FOR_MESSAGES = N_("This address of the chat takes no messages.")
_HOSTS: dict[str, Form] = {
    "discord.com": "discord",
    "discordapp.com": "discord",
    "hooks.slack.com": "slack",
    "ntfy.sh": "ntfy",
    "api.telegram.org": "telegram",
    "matrix.org": "matrix",
    "matrix-client.matrix.org": "matrix",
}
_PATHS: dict[Form, str] = {
    "discord": "/api/webhooks/",
    "slack": "/services/",
    "telegram": "/bot",
    "matrix": "/_matrix/client/v3/rooms/",
}


def new_secret() -> str:
    """Make a random key for the signatures of a webhook, in the form shown to its owner."""
    return _SECRET + b64encode(secrets.token_bytes(24)).decode()


def signed(secret: str, key: str, now: int, body: bytes) -> dict[str, str]:
    """Return the signature headers of a POST (Standard Webhooks).

    ``key``: the id of the message; ``now``: milliseconds since 1970 UTC.
    """
    stamp = str(now // 1000)
    bare = b64decode(secret.removeprefix(_SECRET))
    digest = hmac.digest(bare, f"{key}.{stamp}.".encode() + body, hashlib.sha256)
    return {
        "webhook-id": key,
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{b64encode(digest).decode()}",
    }


def _discord(way: Way, message: Message, link: str) -> Call:
    # Names and chat messages of other players must not mention, and so alert, a whole server.
    text = f"**{_plain(message.title)}**\n{_plain(message.body)}\n<{link}>"
    return Call(way.address, {"content": text, "allowed_mentions": {"parse": []}})


def _slack(way: Way, message: Message, link: str) -> Call:
    text = f"*{_bare(message.title)}*\n{_bare(message.body)}\n<{link}>"
    return Call(way.address, {"text": text})


def _ntfy(way: Way, message: Message, link: str) -> Call:
    parts = urlsplit(way.address)
    topic = parts.path.strip("/")
    body = {"topic": topic, "title": message.title, "message": message.body, "click": link}
    return Call(f"{parts.scheme}://{parts.netloc}/", body)


def _telegram(way: Way, message: Message, link: str) -> Call:
    url, _, query = way.address.partition("?")
    chat = parse_qs(query)["chat_id"][0]
    return Call(url, {"chat_id": chat, "text": f"{message.title}\n{message.body}\n{link}"})


def _matrix(way: Way, message: Message, link: str) -> Call:
    url, _, query = way.address.partition("?")
    token = parse_qs(query)["access_token"][0]
    key = quote(hashlib.sha256(_id(way, message).encode()).hexdigest()[:32])
    body = {"msgtype": "m.text", "body": f"{message.title}\n{message.body}\n{link}"}
    headers = {"Authorization": f"Bearer {token}"}
    return Call(f"{url.rstrip('/')}/{key}", body, "PUT", headers)


def _webhook(way: Way, message: Message, link: str) -> Call:
    body = {
        "type": message.kind,
        "title": message.title,
        "text": message.body,
        "url": link,
        "match": message.match or None,
        "version": message.version or None,
        "waiting": message.waiting,
        "language": way.language,
    }
    return Call(way.address, body)


_MAKERS: dict[str, Callable[[Way, Message, str], Call]] = {
    "discord": _discord,
    "slack": _slack,
    "ntfy": _ntfy,
    "telegram": _telegram,
    "matrix": _matrix,
    "webhook": _webhook,
}


def _id(way: Way, message: Message) -> str:
    """Return the id of a message at a channel, the same when it is sent again.

    It includes the channel: two players may have the same address.
    """
    return f"{message.key}-{way.id}"


def _bare(text: str) -> str:
    """Escape text for Slack."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _plain(text: str) -> str:
    """Escape text for Discord's Markdown."""
    return "".join("\\" + c if c in "\\*_~`|<>[]()#@:" else c for c in text)


async def send(outside: Outside, way: Way, message: Message, now: int) -> Answer:
    """Send a message to a webhook or chat; ``now``: milliseconds since 1970 UTC."""
    call = _MAKERS[way.way](way, message, way.base + message.path)
    body = msgspec.json.encode(call.body)
    headers = {"Content-Type": "application/json", **call.headers}
    if way.way == "webhook":
        headers |= signed(way.secret, _id(way, message), now, body)
    pool: Pool = "webhook" if way.way == "webhook" else "chat"
    return await outside.send(call.url, headers, body, call.method, player=way.player, pool=pool)
