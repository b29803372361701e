"""Webhooks and chats: a message as each of them wants it.

Chats are known by their hosts, which are fixed; any other address gets a POST that is signed as
Standard Webhooks says: headers ``webhook-id``, ``webhook-timestamp`` and ``webhook-signature``,
the last "v1," and the base64 of HMAC-SHA-256 over "ID.TIMESTAMP.BODY".
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

from domain.words import N_
from service.notices.message import Message
from service.notices.outside import Answer, Outside, Pool, bad_address
from service.notices.ways import Form, Way

_SECRET = "whsec_"


class Call(Struct, frozen=True):
    """What is sent where."""

    url: str
    body: dict[str, Any]
    method: str = "POST"
    headers: Mapping[str, str] = {}


def form_of(url: str) -> Form:
    """What an address belongs to; `Fault` 422 for a chat's that is not for messages."""
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
    """The key of a webhook's signatures, as its owner is given it."""
    return _SECRET + b64encode(secrets.token_bytes(24)).decode()


def signed(secret: str, key: str, now: int, body: bytes) -> dict[str, str]:
    """The headers of a signed POST; ``now`` in milliseconds."""
    stamp = str(now // 1000)
    bare = b64decode(secret.removeprefix(_SECRET))
    digest = hmac.digest(bare, f"{key}.{stamp}.".encode() + body, hashlib.sha256)
    return {
        "webhook-id": key,
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{b64encode(digest).decode()}",
    }


def _discord(way: Way, message: Message, link: str) -> Call:
    # Names and words of strangers must not ring a whole server.
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
    """What a message is known by where it comes again: the same thing told to two people who are
    reached at one address is two messages."""
    return f"{message.key}-{way.id}"


def _bare(text: str) -> str:
    """Text without what Slack reads as commands."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _plain(text: str) -> str:
    """Text with what Discord reads as marks written out."""
    return "".join("\\" + c if c in "\\*_~`|<>[]()#@:" else c for c in text)


async def send(outside: Outside, way: Way, message: Message, now: int) -> Answer:
    """Sends a message to a webhook or chat."""
    call = _MAKERS[way.way](way, message, way.base + message.path)
    body = msgspec.json.encode(call.body)
    headers = {"Content-Type": "application/json", **call.headers}
    if way.way == "webhook":
        headers |= signed(way.secret, _id(way, message), now, body)
    pool: Pool = "webhook" if way.way == "webhook" else "chat"
    return await outside.send(call.url, headers, body, call.method, player=way.player, pool=pool)
