"""The pages that links in emails open: each has one button and works without the app.

A GET has no effect, because mail scanners open every link. The button and the one-click unsubscribe
of mail clients (RFC 8058) send a POST, which is authorised by the code in the URL alone.
"""

from functools import partial
from html import escape

from litestar import Response, get, post
from litestar.params import FromPath

from service.http.i18n import current_language, t
from service.http.injection import Injected
from service.notifications.delivery.subscriptions import Subscriptions
from service.notifications.mail_link_codes import CONFIRM_PURPOSE, STOP_PURPOSE
from service.recovery.recoveries import SeatRecoveries

_LINK_OPT = {"cost": 2, "form": True, "packed": True}
_get = partial(get, include_in_schema=False, opt=_LINK_OPT, media_type="text/html")
_post = partial(
    post, include_in_schema=False, opt=_LINK_OPT, media_type="text/html", status_code=200
)
_MAX_CODE_CHARS = 120
_PAGE_TEMPLATE = """<!doctype html>
<html lang="{tag}" dir="{dir}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>Caravanserai</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 1.1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 0 auto; padding: 1.5rem }}
button {{ font: inherit; font-weight: 600; min-height: 48px; padding: 0 1.2rem }}
</style>
<h1>Caravanserai</h1>
{inside}
"""


@_get("/notices/confirm/{code:str}")
async def ask_to_confirm(code: FromPath[str], notices: Injected[Subscriptions]) -> Response[bytes]:
    """Return the page for confirming an email address; status 404 if the code is invalid."""
    if await notices.channel_of_code(code[:_MAX_CODE_CHARS], CONFIRM_PURPOSE) is None:
        return _link_page(t("mail_page.link_invalid"), status=404)
    return _link_page(t("mail_page.confirm"), t("mail.confirm.button"))


@_post("/notices/confirm/{code:str}")
async def confirm(code: FromPath[str], notices: Injected[Subscriptions]) -> Response[bytes]:
    """Confirm an email address by the signed code in its link; status 404 if it is invalid."""
    if not await notices.confirm(code[:_MAX_CODE_CHARS]):
        return _link_page(t("mail_page.link_invalid"), status=404)
    return _link_page(t("mail_page.confirmed"))


@_get("/notices/stop/{code:str}")
async def ask_to_stop(code: FromPath[str], notices: Injected[Subscriptions]) -> Response[bytes]:
    """Return the page for stopping emails, or for allowing them again if they are stopped."""
    mailbox = await notices.mailbox_of_code(code[:_MAX_CODE_CHARS], STOP_PURPOSE)
    if mailbox is None:
        return _link_page(t("mail_page.stopped"))
    if await notices.run_query(notices.channels.is_stopped, mailbox):
        return _stopped_page(notices.allow_code(mailbox))
    return _link_page(t("mail_page.stop"), t("mail.unsubscribe"))


@_post("/notices/stop/{code:str}")
async def stop(code: FromPath[str], notices: Injected[Subscriptions]) -> Response[bytes]:
    """Stop all emails to a mailbox without asking for confirmation (RFC 8058)."""
    allow = await notices.stop_mails(code[:_MAX_CODE_CHARS])
    return _stopped_page(allow) if allow else _link_page(t("mail_page.stopped"))


@_get("/notices/object/{code:str}")
async def ask_to_object(
    code: FromPath[str], recoveries: Injected[SeatRecoveries]
) -> Response[bytes]:
    """Return the page for objecting to a seat recovery; status 404 if no request is open."""
    about = await recoveries.find_open_request(code[:_MAX_CODE_CHARS])
    if about is None:
        return _link_page(t("mail_page.recovery_closed"), status=404)
    return _link_page(t("mail_page.recovery"), t("mail_page.object"))


@_post("/notices/object/{code:str}")
async def object_to_move(
    code: FromPath[str], recoveries: Injected[SeatRecoveries]
) -> Response[bytes]:
    """Object to a seat recovery by the signed code in a link; status 404 if no request is open."""
    if not await recoveries.object_by_link(code[:_MAX_CODE_CHARS]):
        return _link_page(t("mail_page.recovery_closed"), status=404)
    return _link_page(t("mail_page.objected"))


@_post("/notices/allow/{code:str}")
async def allow(code: FromPath[str], notices: Injected[Subscriptions]) -> Response[bytes]:
    """Allow emails to a mailbox again; status 404 if the code is invalid.

    The address still has to be added and confirmed again.
    """
    if not await notices.allow_mails(code[:_MAX_CODE_CHARS]):
        return _link_page(t("mail_page.link_invalid"), status=404)
    return _link_page(t("mail_page.allowed"))


def _stopped_page(allow: str) -> Response[bytes]:
    sentence = t("mail_page.stopped")
    return _link_page(sentence, t("mail_page.allow"), action=f"/notices/allow/{allow}")


def _link_page(
    sentence: str, button: str = "", status: int = 200, action: str = ""
) -> Response[bytes]:
    """Return a page with a sentence and, if ``button`` is given, a button that sends a POST.

    ``action``: the path to which the POST is sent, "" for the URL of the page itself.
    """
    inside = f"<p>{escape(sentence)}</p>"
    if button:
        to = f' action="{escape(action)}"' if action else ""
        inside += f'<form method="post"{to}><button>{escape(button)}</button></form>'
    spoken = current_language()
    body = _PAGE_TEMPLATE.format(tag=spoken.tag, dir=spoken.dir, inside=inside)
    headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
    return Response(body.encode(), status_code=status, media_type="text/html", headers=headers)
