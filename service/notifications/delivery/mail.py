"""Emails: notifications as plain text and as HTML with a picture of the position.

An email shows only what a spectator may see. Each contains an unsubscribe link, which also supports
the one-click unsubscribe of mail clients (RFC 8058). Links are built from the configured address of
the service only, because the ``Host`` header of a request is untrusted.
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

from domain.match.timeline import Timeline
from domain.text.joiners import truncate
from service.common.clock import now_ms
from service.http.i18n import current_language, t
from service.http.problems import ApiProblem
from service.media.pictures.frames import still_job
from service.media.renderer import PictureCache
from service.notifications.channels import Channel
from service.notifications.mail_link_codes import CONFIRM_PURPOSE, STOP_PURPOSE, MailLinkCodes
from service.notifications.message import Message
from service.notifications.mime import UnsafeHeader, new_mail, serialize_mail
from service.notifications.safe_http import DeliveryResult
from service.settings import InvalidSetting, Settings

log = logging.getLogger("caravanserai")

_SMTP_TIMEOUT_S = 20
_MAX_CONNECTIONS = 8
"""Maximum concurrent connections to the SMTP server."""
_MAX_WAIT_S = 20
"""Maximum seconds for which an email waits for a connection; after that it is retried later."""
_BUTTON_STYLE = (
    "display:inline-block;padding:14px 22px;border-radius:10px;background:#8a3b12;color:#ffffff;"
    "font-weight:bold;text-decoration:none"
)
_HTML_TEMPLATE = (
    '<!doctype html><html lang="{tag}" dir="{dir}"><body style="margin:0;padding:24px;'
    'font-family:sans-serif;font-size:16px;line-height:1.5;color:#2b2118;background:#fbf6ee">'
    '<div style="max-width:600px;margin:0 auto">{inside}</div></body></html>'
)


class Mailer:
    """Sender of emails through the configured SMTP server.

    The constructor raises `InvalidSetting` if SMTP_URL or MAIL_FROM is invalid.
    """

    def __init__(self, settings: Settings, renderer: PictureCache, codes: MailLinkCodes) -> None:
        self._renderer = renderer
        self._codes = codes
        self._from = parseaddr(settings.mail_from)
        self._base = settings.public_url.rstrip("/")
        self._server = urlsplit(settings.smtp_url)
        self._slots = asyncio.Semaphore(_MAX_CONNECTIONS)
        if not self.has_server:
            return
        if self._server.scheme not in ("smtp", "smtps") or not self._server.hostname:
            raise InvalidSetting("SMTP_URL must be smtp://USER:PASSWORD@HOST:PORT or smtps://...")
        if "@" not in self._from[1]:
            raise InvalidSetting("MAIL_FROM must be an address")
        if not self._base:
            log.warning("no mails are sent without PUBLIC_URL: their links need an address")

    @property
    def has_server(self) -> bool:
        """Whether an SMTP server and a sender address are configured."""
        return bool(self._server.netloc and any(self._from))

    @property
    def can_send(self) -> bool:
        """Whether emails can be sent: a server is configured and PUBLIC_URL is set."""
        return self.has_server and bool(self._base)

    async def request_confirmation(self, channel: Channel) -> DeliveryResult:
        """Send the email that asks the owner of an address to confirm it."""
        try:
            return await self._send_confirmation(channel)
        except UnsafeHeader:
            return _unsafe_header_result()

    async def send_notification(
        self, channel: Channel, message: Message, timeline: Timeline | None
    ) -> DeliveryResult:
        """Send a notification; ``timeline``: the match to draw, None for no picture."""
        try:
            return await self._send_notification(channel, message, timeline)
        except UnsafeHeader:
            return _unsafe_header_result()

    async def _send_confirmation(self, channel: Channel) -> DeliveryResult:
        link = f"{self._base}/notices/confirm/{self._codes.make_code(channel.id, CONFIRM_PURPOSE)}"
        stop = self._stop_link(channel)
        sentence = t("mail.confirm.text")
        rest = t("mail.confirm.ignore")
        mail = self._new_mail(channel, t("mail.confirm.subject"))
        end = t("mail.confirm.stop_link", link=stop)
        mail.set_content("\n\n".join((sentence, link, rest, "-- \n" + end)))
        inside = (
            _paragraph(sentence) + _button_link(link, t("mail.confirm.button")) + _paragraph(rest)
        )
        inside += _small_link(stop, t("mail.confirm.stop"))
        mail.add_alternative(_html_page(inside), subtype="html")
        return await self._send_mail(channel, mail)

    async def _send_notification(
        self, channel: Channel, message: Message, timeline: Timeline | None
    ) -> DeliveryResult:
        link = self._base + message.path
        stop = self._stop_link(channel)
        mail = self._new_mail(
            channel, truncate(f"{message.title}: {message.body}", 120), message.key
        )
        end = t("mail.unsubscribe_link", link=stop)
        text = [message.title, message.body]
        if message.lines:
            text.append("\n".join(f"- {line}" for line in _message_lines(message, channel.base)))
        mail.set_content("\n\n".join([*text, link, "-- \n" + end]))
        picture = await self._picture(message, timeline)
        mail.add_alternative(
            _message_html(message, channel.base, stop, bool(picture)), subtype="html"
        )
        if picture:
            page = mail.get_payload(1)
            assert isinstance(page, EmailMessage)
            page.add_related(picture, "image", "png", cid="<position>", filename="position.png")
        return await self._send_mail(channel, mail)

    def _stop_link(self, channel: Channel) -> str:
        code = self._codes.make_code(self._codes.mailbox_hash(channel.address), STOP_PURPOSE)
        return f"{self._base}/notices/stop/{code}"

    async def _picture(self, message: Message, timeline: Timeline | None) -> bytes | None:
        """Render the position as a spectator sees it (PNG).

        Returns None without a ``timeline``, or if the renderer is overloaded or fails.
        """
        if timeline is None:
            return None
        version = timeline.version
        key = (message.match, current_language().tag, version)
        try:
            return await self._renderer.render("png", key, partial(still_job, timeline, version))
        except ApiProblem:
            return None

    def _new_mail(self, channel: Channel, subject: str, key: str = "") -> EmailMessage:
        domain = self._from[1].rpartition("@")[2]
        headers = {
            "Date": format_datetime(_utc_now()),
            # Derived from the notification, so that mail clients recognise a repeated email.
            "Message-ID": f"<{key or now_ms()}.{channel.id}@{domain}>",
            "List-Unsubscribe": f"<{self._stop_link(channel)}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        }
        name, sender = self._from
        return new_mail((name or "Caravanserai", sender), channel.address, subject, headers)

    async def _send_mail(self, channel: Channel, mail: EmailMessage) -> DeliveryResult:
        try:
            async with asyncio.timeout(_MAX_WAIT_S):
                await self._slots.acquire()
        except TimeoutError:
            return DeliveryResult(0)
        try:
            return await self._deliver_mail(channel, serialize_mail(mail))
        finally:
            self._slots.release()

    async def _deliver_mail(self, channel: Channel, mail: bytes) -> DeliveryResult:
        server = self._server
        secure = server.scheme == "smtps"
        try:
            await aiosmtplib.send(
                mail,
                sender=self._from[1],
                recipients=[channel.address],
                hostname=server.hostname,
                port=server.port or (465 if secure else 587),
                username=unquote(server.username) if server.username else None,
                password=unquote(server.password) if server.password else None,
                use_tls=secure,
                # With smtp://, use STARTTLS if offered, and require it if a password is sent.
                start_tls=None if secure or not server.password else True,
                timeout=_SMTP_TIMEOUT_S,
            )
        except aiosmtplib.SMTPRecipientsRefused as error:
            return _smtp_error_result(error.recipients[0].code if error.recipients else 550)
        except aiosmtplib.SMTPResponseException as error:
            return _smtp_error_result(error.code)
        except (aiosmtplib.SMTPException, OSError, ValueError):
            return DeliveryResult(0)
        return DeliveryResult(250)


def _unsafe_header_result() -> DeliveryResult:
    """Log an email with an invalid header and return its result, a permanent failure.

    The invalid value comes from a setting, or from an address stored by a release that did not
    validate addresses.
    """
    log.error("a mail was not sent: one of its headers is not a single line of ASCII")
    return DeliveryResult(422)


def _smtp_error_result(code: int) -> DeliveryResult:
    """Return a temporary failure (503) for SMTP codes 4xx, otherwise a permanent one (422)."""
    return DeliveryResult(503) if 400 <= code < 500 else DeliveryResult(422)


def _utc_now() -> datetime:
    return datetime.fromtimestamp(now_ms() / 1000, UTC)


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _button_link(link: str, text: str) -> str:
    return f'<p><a href="{escape(link)}" style="{_BUTTON_STYLE}">{escape(text)}</a></p>'


def _small_link(link: str, text: str) -> str:
    return f'<p style="font-size:13px"><a href="{escape(link)}">{escape(text)}</a></p>'


def _html_page(content: str) -> str:
    return _HTML_TEMPLATE.format(
        tag=current_language().tag, dir=current_language().dir, inside=content
    )


def _message_lines(message: Message, base: str) -> list[str]:
    """Return the lines of a message for plain text, each followed by its link if it has one."""
    if not message.paths:
        return [*message.lines]
    pairs = zip(message.lines, message.paths, strict=True)
    return [f"{line}\n  {base}{path}" for line, path in pairs]


def _message_html(message: Message, base: str, stop: str, picture: bool) -> str:
    link = base + message.path
    parts = [escape(line) for line in message.lines]
    if message.paths:
        pairs = zip(parts, message.paths, strict=True)
        parts = [f'<a href="{escape(base + path)}">{line}</a>' for line, path in pairs]
    moves = "".join(f"<li>{part}</li>" for part in parts)
    shows, no_more = escape(t("mail.picture")), t("mail.unsubscribe")
    image = (
        f'<p><a href="{escape(link)}"><img src="cid:position" width="600" style="max-width:100%;'
        f'height:auto;border-radius:10px" alt="{shows}"></a></p>'
    )
    return _html_page(
        f'<h1 style="font-size:20px">{escape(message.title)}</h1>'
        + _paragraph(message.body)
        + (image if picture else "")
        + (f"<ul>{moves}</ul>" if moves else "")
        + _button_link(
            link, t("mail.object") if message.kind == "recovery" else t("mail.open_game")
        )
        + _small_link(stop, no_more)
    )
