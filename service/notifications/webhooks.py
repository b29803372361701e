"""Webhooks and chat services, each with its own request format.

Chat services are recognised by their hosts. Any other URL receives a POST that is signed as defined
by Standard Webhooks, with the headers ``webhook-id``, ``webhook-timestamp`` and
``webhook-signature``. The signature is "v1," followed by the base64 of the HMAC-SHA-256 of
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
from service.notifications.channels import Channel, ChannelKind
from service.notifications.message import Message
from service.notifications.safe_http import DeliveryResult, Pool, SafeHttpClient, bad_address

_SECRET_PREFIX = "whsec_"


class OutgoingRequest(Struct, frozen=True):
    """An outgoing HTTP request with a JSON body."""

    url: str
    body: dict[str, Any]
    method: str = "POST"
    headers: Mapping[str, str] = {}


def channel_kind_of_url(url: str) -> ChannelKind:
    """Return the kind of channel for a URL: a chat service if its host is known, or "webhook".

    Raises `ApiProblem` 422 ``bad_address`` for a URL of a chat service that is not one for sending
    messages.
    """
    parts = urlsplit(url)
    usual = parts.port in (None, 443)
    form = _KIND_BY_HOST.get(parts.hostname or "", "webhook") if usual else "webhook"
    begins = _PATH_PREFIXES.get(form, "/")
    if not parts.path.startswith(begins):
        raise bad_address(_NO_MESSAGE_URL)
    if form == "telegram":
        query = parse_qs(parts.query)
        if not parts.path.endswith("/sendMessage") or not query.get("chat_id"):
            raise bad_address(_NO_MESSAGE_URL)
    if form == "matrix":
        query = parse_qs(parts.query)
        if "/send/m.room.message" not in parts.path or not query.get("access_token"):
            raise bad_address(_NO_MESSAGE_URL)
    return form


_NO_MESSAGE_URL = N_("error.no_message_url")
_KIND_BY_HOST: dict[str, ChannelKind] = {
    "discord.com": "discord",
    "discordapp.com": "discord",
    "hooks.slack.com": "slack",
    "ntfy.sh": "ntfy",
    "api.telegram.org": "telegram",
    "matrix.org": "matrix",
    "matrix-client.matrix.org": "matrix",
}
_PATH_PREFIXES: dict[ChannelKind, str] = {
    "discord": "/api/webhooks/",
    "slack": "/services/",
    "telegram": "/bot",
    "matrix": "/_matrix/client/v3/rooms/",
}


def new_secret() -> str:
    """Make a random signing key for a webhook, in the form that is shown to its owner."""
    return _SECRET_PREFIX + b64encode(secrets.token_bytes(24)).decode()


def signature_headers(secret: str, key: str, at_ms: int, body: bytes) -> dict[str, str]:
    """Return the signature headers of a webhook request (Standard Webhooks).

    ``secret``: the key as made by `new_secret`; ``key``: the id of the message; ``at_ms``:
    milliseconds since 1970 UTC.
    """
    stamp = str(at_ms // 1000)
    bare = b64decode(secret.removeprefix(_SECRET_PREFIX))
    digest = hmac.digest(bare, f"{key}.{stamp}.".encode() + body, hashlib.sha256)
    return {
        "webhook-id": key,
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{b64encode(digest).decode()}",
    }


def _discord_request(channel: Channel, message: Message, link: str) -> OutgoingRequest:
    # Names and chat messages of other players must not mention, and thus alert, a whole server.
    text = f"**{_escape_discord(message.title)}**\n{_escape_discord(message.body)}\n<{link}>"
    return OutgoingRequest(channel.address, {"content": text, "allowed_mentions": {"parse": []}})


def _slack_request(channel: Channel, message: Message, link: str) -> OutgoingRequest:
    text = f"*{_escape_slack(message.title)}*\n{_escape_slack(message.body)}\n<{link}>"
    return OutgoingRequest(channel.address, {"text": text})


def _ntfy_request(channel: Channel, message: Message, link: str) -> OutgoingRequest:
    parts = urlsplit(channel.address)
    topic = parts.path.strip("/")
    body = {"topic": topic, "title": message.title, "message": message.body, "click": link}
    return OutgoingRequest(f"{parts.scheme}://{parts.netloc}/", body)


def _telegram_request(channel: Channel, message: Message, link: str) -> OutgoingRequest:
    url, _, query = channel.address.partition("?")
    chat = parse_qs(query)["chat_id"][0]
    return OutgoingRequest(
        url, {"chat_id": chat, "text": f"{message.title}\n{message.body}\n{link}"}
    )


def _matrix_request(channel: Channel, message: Message, link: str) -> OutgoingRequest:
    url, _, query = channel.address.partition("?")
    token = parse_qs(query)["access_token"][0]
    key = quote(hashlib.sha256(_message_id(channel, message).encode()).hexdigest()[:32])
    body = {"msgtype": "m.text", "body": f"{message.title}\n{message.body}\n{link}"}
    headers = {"Authorization": f"Bearer {token}"}
    return OutgoingRequest(f"{url.rstrip('/')}/{key}", body, "PUT", headers)


def _webhook_request(channel: Channel, message: Message, link: str) -> OutgoingRequest:
    body = {
        "type": message.kind,
        "title": message.title,
        "text": message.body,
        "url": link,
        "match": message.match or None,
        "version": message.version or None,
        "waiting": message.waiting,
        "language": channel.language,
    }
    return OutgoingRequest(channel.address, body)


_REQUEST_BUILDERS: dict[str, Callable[[Channel, Message, str], OutgoingRequest]] = {
    "discord": _discord_request,
    "slack": _slack_request,
    "ntfy": _ntfy_request,
    "telegram": _telegram_request,
    "matrix": _matrix_request,
    "webhook": _webhook_request,
}


def _message_id(channel: Channel, message: Message) -> str:
    """Return the id of a message sent through a channel, which stays the same when it is repeated.

    It includes the channel's id, because two players may use the same address.
    """
    return f"{message.key}-{channel.id}"


def _escape_slack(text: str) -> str:
    """Escape text for Slack's markup, in which ``&``, ``<`` and ``>`` are special."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _escape_discord(text: str) -> str:
    """Escape the special characters of Discord's Markdown, including those of mentions."""
    return "".join("\\" + c if c in "\\*_~`|<>[]()#@:" else c for c in text)


async def send_webhook(
    http_client: SafeHttpClient, channel: Channel, message: Message, at_ms: int
) -> DeliveryResult:
    """Send a message to a webhook or chat service.

    ``at_ms``: the time of the signature, in milliseconds since 1970 UTC.
    """
    call = _REQUEST_BUILDERS[channel.way](channel, message, channel.base + message.path)
    body = msgspec.json.encode(call.body)
    headers = {"Content-Type": "application/json", **call.headers}
    if channel.way == "webhook":
        headers |= signature_headers(channel.secret, _message_id(channel, message), at_ms, body)
    pool: Pool = "webhook" if channel.way == "webhook" else "chat"
    return await http_client.send(
        call.url, headers, body, call.method, player=channel.player, pool=pool
    )
