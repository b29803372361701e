"""Mail: notifications as plain text and as HTML with a picture of the position.

A mail shows what a spectator sees. Each has an unsubscribe link, also for the one-click
unsubscribe of mail programs (RFC 8058). Links use only the configured address of the service: the
`Host` header of a request is untrusted.
"""

import asyncio
import logging
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from functools import partial
from html import escape
from urllib.parse import unquote, urlsplit

import aiosmtplib

from domain.match import Timeline
from domain.text.joiners import truncate
from service.common.clock import clock
from service.http.i18n import language, t
from service.http.problems import Fault
from service.media.pictures.frames import still
from service.media.renderer import Renderer
from service.notifications.channels import Way
from service.notifications.mail_link_codes import CONFIRM, STOP, Codes
from service.notifications.message import Message
from service.notifications.mime import UnsafeHeader, as_bytes, new_mail
from service.notifications.safe_http import Answer
from service.settings import BadSetting, Settings

log = logging.getLogger("caravanserai")

_SECONDS = 20
_AT_ONCE = 8
"""Maximum concurrent connections to the SMTP server."""
_WAIT_SECONDS = 20
"""Maximum seconds that a mail waits for a connection before it is retried later."""
_BUTTON = (
    "display:inline-block;padding:14px 22px;border-radius:10px;background:#8a3b12;color:#ffffff;"
    "font-weight:bold;text-decoration:none"
)
_PAGE = (
    '<!doctype html><html lang="{tag}" dir="{dir}"><body style="margin:0;padding:24px;'
    'font-family:sans-serif;font-size:16px;line-height:1.5;color:#2b2118;background:#fbf6ee">'
    '<div style="max-width:600px;margin:0 auto">{inside}</div></body></html>'
)


class Mailer:
    """Sends mails by the SMTP server of the settings.

    Raises `BadSetting` if SMTP_URL or MAIL_FROM is invalid.
    """

    def __init__(self, settings: Settings, renderer: Renderer, codes: Codes) -> None:
        self._renderer = renderer
        self._codes = codes
        self._from = parseaddr(settings.mail_from)
        self._base = settings.public_url.rstrip("/")
        self._server = urlsplit(settings.smtp_url)
        self._places = asyncio.Semaphore(_AT_ONCE)
        if not self.has_server:
            return
        if self._server.scheme not in ("smtp", "smtps") or not self._server.hostname:
            raise BadSetting("SMTP_URL must be smtp://USER:PASSWORD@HOST:PORT or smtps://...")
        if "@" not in self._from[1]:
            raise BadSetting("MAIL_FROM must be an address")
        if not self._base:
            log.warning("no mails are sent without PUBLIC_URL: their links need an address")

    @property
    def has_server(self) -> bool:
        """Tell whether an SMTP server and a sender address are configured."""
        return bool(self._server.netloc and any(self._from))

    @property
    def there(self) -> bool:
        """Tell whether mails can be sent, which also needs PUBLIC_URL."""
        return self.has_server and bool(self._base)

    async def ask(self, way: Way) -> Answer:
        """Send the mail that asks to confirm an address."""
        try:
            return await self._ask(way)
        except UnsafeHeader:
            return _unsafe()

    async def tell(self, way: Way, message: Message, timeline: Timeline | None) -> Answer:
        """Send a notification; ``timeline``: the match for the picture, or None."""
        try:
            return await self._tell(way, message, timeline)
        except UnsafeHeader:
            return _unsafe()

    async def _ask(self, way: Way) -> Answer:
        link = f"{self._base}/notices/confirm/{self._codes.code(way.id, CONFIRM)}"
        stop = self._stop_link(way)
        says = t("Somebody who plays here wants to be told by mail when it is their turn.")
        rest = t("If that was not you, do nothing: no further mail will come.")
        mail = self._mail(way, t("Is this your address?"))
        end = t("Never write to this address again: {link}", link=stop)
        mail.set_content("\n\n".join((says, link, rest, "-- \n" + end)))
        inside = _p(says) + _link(link, t("Yes, this is my address")) + _p(rest)
        inside += _small_link(stop, t("Never write to this address again"))
        mail.add_alternative(_page(inside), subtype="html")
        return await self._send(way, mail)

    async def _tell(self, way: Way, message: Message, timeline: Timeline | None) -> Answer:
        link = self._base + message.path
        stop = self._stop_link(way)
        mail = self._mail(way, truncate(f"{message.title}: {message.body}", 120), message.key)
        end = t("No more of these mails: {link}", link=stop)
        text = [message.title, message.body]
        if message.lines:
            text.append("\n".join(f"- {line}" for line in _lines(message, way.base)))
        mail.set_content("\n\n".join([*text, link, "-- \n" + end]))
        picture = await self._picture(message, timeline)
        mail.add_alternative(_html(message, way.base, stop, bool(picture)), subtype="html")
        if picture:
            page = mail.get_payload(1)
            assert isinstance(page, EmailMessage)
            page.add_related(picture, "image", "png", cid="<position>", filename="position.png")
        return await self._send(way, mail)

    def _stop_link(self, way: Way) -> str:
        code = self._codes.code(self._codes.mailbox(way.address), STOP)
        return f"{self._base}/notices/stop/{code}"

    async def _picture(self, message: Message, timeline: Timeline | None) -> bytes | None:
        """Render the position as a spectator sees it (PNG); None if that is not possible now."""
        if timeline is None:
            return None
        version = timeline.version
        key = (message.match, language().tag, version)
        try:
            return await self._renderer.render("png", key, partial(still, timeline, version))
        except Fault:
            return None

    def _mail(self, way: Way, subject: str, key: str = "") -> EmailMessage:
        domain = self._from[1].rpartition("@")[2]
        headers = {
            "Date": format_datetime(_now()),
            # The id follows from the notification, in case it is sent twice.
            "Message-ID": f"<{key or clock()}.{way.id}@{domain}>",
            "List-Unsubscribe": f"<{self._stop_link(way)}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        }
        name, sender = self._from
        return new_mail((name or "Caravanserai", sender), way.address, subject, headers)

    async def _send(self, way: Way, mail: EmailMessage) -> Answer:
        try:
            async with asyncio.timeout(_WAIT_SECONDS):
                await self._places.acquire()
        except TimeoutError:
            return Answer(0)
        try:
            return await self._sent(way, as_bytes(mail))
        finally:
            self._places.release()

    async def _sent(self, way: Way, mail: bytes) -> Answer:
        server = self._server
        secure = server.scheme == "smtps"
        try:
            await aiosmtplib.send(
                mail,
                sender=self._from[1],
                recipients=[way.address],
                hostname=server.hostname,
                port=server.port or (465 if secure else 587),
                username=unquote(server.username) if server.username else None,
                password=unquote(server.password) if server.password else None,
                use_tls=secure,
                # On smtp://: STARTTLS if the server offers it; required if a password is sent.
                start_tls=None if secure or not server.password else True,
                timeout=_SECONDS,
            )
        except aiosmtplib.SMTPRecipientsRefused as error:
            return _refused(error.recipients[0].code if error.recipients else 550)
        except aiosmtplib.SMTPResponseException as error:
            return _refused(error.code)
        except (aiosmtplib.SMTPException, OSError, ValueError):
            return Answer(0)
        return Answer(250)


def _unsafe() -> Answer:
    """Return the result for a mail with an invalid header, and log it.

    It comes from a setting or from an address stored before addresses were checked.
    """
    log.error("a mail was not sent: a header of it is not one line of ASCII")
    return Answer(422)


def _refused(code: int) -> Answer:
    """Convert an SMTP error code: 4xx is temporary (503), others are permanent (422)."""
    return Answer(503) if 400 <= code < 500 else Answer(422)


def _now() -> datetime:
    return datetime.fromtimestamp(clock() / 1000, UTC)


def _p(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _link(link: str, text: str) -> str:
    return f'<p><a href="{escape(link)}" style="{_BUTTON}">{escape(text)}</a></p>'


def _small_link(link: str, text: str) -> str:
    return f'<p style="font-size:13px"><a href="{escape(link)}">{escape(text)}</a></p>'


def _page(inside: str) -> str:
    return _PAGE.format(tag=language().tag, dir=language().dir, inside=inside)


def _lines(message: Message, base: str) -> list[str]:
    """Return the lines of a message, each followed by its link if it has one."""
    if not message.paths:
        return [*message.lines]
    pairs = zip(message.lines, message.paths, strict=True)
    return [f"{line}\n  {base}{path}" for line, path in pairs]


def _html(message: Message, base: str, stop: str, picture: bool) -> str:
    link = base + message.path
    parts = [escape(line) for line in message.lines]
    if message.paths:
        pairs = zip(parts, message.paths, strict=True)
        parts = [f'<a href="{escape(base + path)}">{line}</a>' for line, path in pairs]
    moves = "".join(f"<li>{part}</li>" for part in parts)
    shows, no_more = escape(t("The position")), t("No more of these mails")
    image = (
        f'<p><a href="{escape(link)}"><img src="cid:position" width="600" style="max-width:100%;'
        f'height:auto;border-radius:10px" alt="{shows}"></a></p>'
    )
    return _page(
        f'<h1 style="font-size:20px">{escape(message.title)}</h1>'
        + _p(message.body)
        + (image if picture else "")
        + (f"<ul>{moves}</ul>" if moves else "")
        + _link(link, t("Object") if message.kind == "recovery" else t("Open the table"))
        + _small_link(stop, no_more)
    )
