"""The home page's field for a pasted link or code.

Accepts a link to a page of the app (such as an invitation, a match or a shared moment), a device
link, a match id or a recovery code. Opens the page, or shows why the input leads to none.
"""

from _native import fill, origin

from frontend.app.core.dom import el, problem_line
from frontend.app.core.i18n import t
from frontend.app.core.types import DomEvent, Navigate, Node
from frontend.app.pages.account.claim_identity import claim_player

PAGE_SEGMENTS = ("m", "join", "new", "rules", "learn", "play", "you", "tables", "settings", "back")
"""First path segments of the pages that may be opened by a pasted link."""
ID_GROUP_LENGTHS = (8, 4, 4, 4, 12)
"""The lengths of the groups of hexadecimal digits in a match id."""
RECOVERY_CODE_CHARS = 20
"""Letters and digits in a recovery code, without separators."""


def link_form(navigate: Navigate) -> Node:
    """Return the form; ``navigate(address)`` opens a page of the app."""
    given = {"type": "text", "id": "pasted", "maxlength": 2000, "enterkeyhint": "go"}
    plain = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
    field = el("input", {**given, **plain})
    submit = el("button", {"type": "submit", "class": "button"}, t("home.open_link"))
    error_line = problem_line()

    def refuse(text: str) -> None:
        fill(error_line, text)
        field.focus()

    def on_submit(event: DomEvent) -> None:
        event.preventDefault()
        fill(error_line)
        text = str(field.value).strip()
        code = recovery_code(text)
        if not text:
            field.focus()
        elif code:
            path = "/api/players/recover"
            claim_player(path, code, lambda: navigate("/"), lambda problem: refuse(problem.detail))
        else:
            address, message = resolve_link(text)
            if address:
                navigate(address)
            else:
                refuse(message)

    return el(
        "form",
        {"class": "card", "onsubmit": on_submit},
        el("label", {"for": "pasted"}, t("home.paste_link")),
        el("div", {"class": "entry"}, field, submit),
        error_line,
    )


def recovery_code(text: str) -> str:
    """Return a recovery code without its spaces and hyphens; "" if the text is not one."""
    code = "".join(text.replace("-", " ").split())
    return code if len(code) == RECOVERY_CODE_CHARS and code.isalnum() else ""


def resolve_link(text: str) -> tuple[str, str]:
    """Find a link to this site, or a match id, in a text such as a whole sentence.

    Returns ``(address, "")``, or ``("", reason)`` if there is none.
    """
    for word in text.split():
        word = word.strip("<>()[]\"'.,;!")
        if is_match_id(word):
            return f"/m/{word.lower()}", ""
        scheme, mark, rest = word.partition("://")
        if mark and scheme in ("http", "https"):
            host, _slash, path = rest.partition("/")
            if f"{scheme}://{host}" != origin():
                return "", t("error.link_other_host", host=host)
            return _check_page("/" + path)
        own = origin().partition("://")[2] + "/"
        if word.startswith(own):
            return _check_page("/" + word[len(own) :])
        if word.startswith("/"):
            return _check_page(word)
    return "", t("error.link_unknown")


def is_match_id(word: str) -> bool:
    """Return whether a word has the form of a match id (a UUID)."""
    groups = word.lower().split("-")
    digits = all(sign in "0123456789abcdef" for sign in "".join(groups))
    return digits and tuple([len(group) for group in groups]) == ID_GROUP_LENGTHS


def _check_page(path: str) -> tuple[str, str]:
    """Return ``(path, "")`` if pasted links may open the path, otherwise ``("", reason)``."""
    first = path[1:].partition("?")[0].partition("#")[0].partition("/")[0]
    if first in PAGE_SEGMENTS or path.startswith("/#link="):
        return path, ""
    return "", t("error.address_unknown")
