"""A link or a code from somebody, pasted on the home page: an invitation, a table, a shared moment,
a link for another device or a recovery code. Goes where it leads, or says why it leads nowhere.
"""

from _native import fill, origin

from frontend.app.becoming import become
from frontend.app.dom import el
from frontend.app.typed import DomEvent, Node, Went
from frontend.app.words import t

PAGES = ("m", "join", "new", "rules", "learn", "play", "you", "back")
"""What the addresses of this site begin with that somebody may have been sent."""
ID = (8, 4, 4, 4, 12)
"""The groups of hexadecimal digits of a match's id."""
RECOVERY = 20
"""So many letters and digits has a recovery code, however it is grouped."""


def form(went: Went) -> Node:
    """The field. ``went(address)`` opens a page of the app."""
    field = el(
        "input",
        {
            "type": "text",
            "id": "pasted",
            "maxlength": 2000,
            "autocomplete": "off",
            "autocapitalize": "none",
            "spellcheck": "false",
            "enterkeyhint": "go",
        },
    )
    said = el("p", {"class": "problem", "role": "alert"})

    def refuse(words: str) -> None:
        fill(said, words)
        field.focus()

    def entered(event: DomEvent) -> None:
        event.preventDefault()
        fill(said)
        text = str(field.value).strip()
        code = recovery_code(text)
        if not text:
            field.focus()
        elif code:
            path = "/api/players/recover"
            become(path, code, lambda: went("/"), lambda problem: refuse(problem.detail))
        else:
            address, words = led(text)
            if address:
                went(address)
            else:
                refuse(words)

    return el(
        "form",
        {"class": "card", "onsubmit": entered},
        el("label", {"for": "pasted"}, t("Have a link or a code?")),
        el(
            "div",
            {"class": "entry"},
            field,
            el("button", {"type": "submit", "class": "button"}, t("Open it")),
        ),
        said,
    )


def recovery_code(text: str) -> str:
    """The recovery code that a text is; "" for any other."""
    code = "".join(text.replace("-", " ").split())
    return code if len(code) == RECOVERY and code.isalnum() else ""


def led(text: str) -> tuple[str, str]:
    """Where a text leads on this site, ``(address, "")``, or ``("", why it leads nowhere)``. A
    link may stand in a sentence."""
    for word in text.split():
        word = word.strip("<>()[]\"'.,;!")
        if is_id(word):
            return f"/m/{word.lower()}", ""
        scheme, mark, rest = word.partition("://")
        if mark and scheme in ("http", "https"):
            host, _slash, path = rest.partition("/")
            if f"{scheme}://{host}" != origin():
                return "", t("This link belongs to {host}: open it in the browser.", host=host)
            return _page("/" + path)
        own = origin().partition("://")[2] + "/"
        if word.startswith(own):
            return _page("/" + word[len(own) :])
        if word.startswith("/"):
            return _page(word)
    words = t("This is no link to a table and no recovery code: paste the whole link.")
    return "", words


def is_id(word: str) -> bool:
    """Whether a word is the id of a match."""
    groups = word.lower().split("-")
    digits = all(sign in "0123456789abcdef" for sign in "".join(groups))
    return digits and tuple([len(group) for group in groups]) == ID


def _page(path: str) -> tuple[str, str]:
    """A page of this site that somebody may have been sent."""
    first = path[1:].partition("?")[0].partition("#")[0].partition("/")[0]
    if first in PAGES or path.startswith("/#link="):
        return path, ""
    return "", t("This address leads nowhere.")
