"""Mail: a notice as plain text and as a page with the picture of the position.

What a mail shows is what a spectator sees. Each says how to end them, by hand and by one click of
the mail program (RFC 8058).
"""

from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from functools import partial
from html import escape
from urllib.parse import unquote, urlsplit

import aiosmtplib

from domain.joiners import shortened
from domain.match import Timeline
from service.base.languages import language, t
from service.base.now import clock
from service.base.problems import Fault
from service.media.pictures.frames import still
from service.media.renderer import Renderer
from service.notices.codes import Codes
from service.notices.message import Message
from service.notices.outside import Answer
from service.notices.ways import Way
from service.settings import BadSetting, Settings

CONFIRM, STOP = "confirm", "stop"
_SECONDS = 20
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
    """Sends mails by the server of the settings."""

    def __init__(self, settings: Settings, renderer: Renderer, codes: Codes) -> None:
        self._renderer = renderer
        self._codes = codes
        self._from = settings.mail_from
        self._server = urlsplit(settings.smtp_url)
        if not self.there:
            return
        if self._server.scheme not in ("smtp", "smtps") or not self._server.hostname:
            raise BadSetting("SMTP_URL must be smtp://USER:PASSWORD@HOST:PORT or smtps://...")
        if "@" not in parseaddr(self._from)[1]:
            raise BadSetting("MAIL_FROM must be an address")

    @property
    def there(self) -> bool:
        """Whether mails can be sent at all."""
        return bool(self._server.netloc and self._from)

    async def ask(self, way: Way) -> Answer:
        """Asks whether an address is its person's own."""
        link = f"{way.base}/notices/confirm/{self._codes.code(way.id, CONFIRM)}"
        says = t("Somebody who plays here wants to be told by mail when it is their turn.")
        rest = t("If that was not you, do nothing: no further mail will come.")
        mail = self._mail(way, t("Is this your address?"))
        mail.set_content("\n\n".join((says, link, rest)))
        inside = _p(says) + _link(link, t("Yes, this is my address")) + _p(rest)
        mail.add_alternative(_page(inside), subtype="html")
        return await self._send(mail)

    async def tell(self, way: Way, message: Message, timeline: Timeline | None) -> Answer:
        """Sends a notice."""
        link = way.base + message.path
        stop = f"{way.base}/notices/stop/{self._codes.code(way.id, STOP)}"
        mail = self._mail(way, shortened(f"{message.title}: {message.body}", 120), message.key)
        mail["List-Unsubscribe"] = f"<{stop}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        mail["Auto-Submitted"] = "auto-generated"
        end = t("No more of these mails: {link}", link=stop)
        text = [message.title, message.body]
        if message.lines:
            text.append("\n".join(f"- {line}" for line in message.lines))
        mail.set_content("\n\n".join([*text, link, "-- \n" + end]))
        picture = await self._picture(message, timeline)
        mail.add_alternative(_html(message, link, stop, bool(picture)), subtype="html")
        if picture:
            page = mail.get_payload(1)
            assert isinstance(page, EmailMessage)
            page.add_related(picture, "image", "png", cid="<position>", filename="position.png")
        return await self._send(mail)

    async def _picture(self, message: Message, timeline: Timeline | None) -> bytes | None:
        """The position as a spectator sees it; None where it cannot be drawn now."""
        if timeline is None:
            return None
        version = timeline.version
        key = (message.match, language().tag, version)
        try:
            return await self._renderer.render("png", key, partial(still, timeline, version))
        except Fault:
            return None

    def _mail(self, way: Way, subject: str, key: str = "") -> EmailMessage:
        name, sender = parseaddr(self._from)
        mail = EmailMessage()
        user, _, domain = sender.rpartition("@")
        mail["From"] = Address(name or "Caravanserai", user, domain)
        mail["To"] = way.address
        mail["Subject"] = " ".join(subject.split())
        mail["Date"] = format_datetime(_now())
        # The same notice has the same name, should it be sent twice after all.
        mail["Message-ID"] = f"<{key or clock()}.{way.id}@{domain}>"
        return mail

    async def _send(self, mail: EmailMessage) -> Answer:
        server = self._server
        secure = server.scheme == "smtps"
        try:
            await aiosmtplib.send(
                mail,
                hostname=server.hostname,
                port=server.port or (465 if secure else 587),
                username=unquote(server.username) if server.username else None,
                password=unquote(server.password) if server.password else None,
                use_tls=secure,
                # On smtp:// TLS where the server has it, and always where a password is sent.
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


def _refused(code: int) -> Answer:
    """A refusal for good, or one that passes."""
    return Answer(503) if 400 <= code < 500 else Answer(422)


def _now() -> datetime:
    return datetime.fromtimestamp(clock() / 1000, UTC)


def _p(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _link(link: str, text: str) -> str:
    return f'<p><a href="{escape(link)}" style="{_BUTTON}">{escape(text)}</a></p>'


def _page(inside: str) -> str:
    return _PAGE.format(tag=language().tag, dir=language().dir, inside=inside)


def _html(message: Message, link: str, stop: str, picture: bool) -> str:
    moves = "".join(f"<li>{escape(line)}</li>" for line in message.lines)
    shows, no_more = escape(t("The position")), escape(t("No more of these mails"))
    image = (
        f'<p><a href="{escape(link)}"><img src="cid:position" width="600" style="max-width:100%;'
        f'height:auto;border-radius:10px" alt="{shows}"></a></p>'
    )
    return _page(
        f'<h1 style="font-size:20px">{escape(message.title)}</h1>'
        + _p(message.body)
        + (image if picture else "")
        + (f"<ul>{moves}</ul>" if moves else "")
        + _link(link, t("Open the table"))
        + f'<p style="font-size:13px"><a href="{escape(stop)}">{no_more}</a></p>'
    )
