"""Match files: bringing one in. (Taking one home is a link to the export.)"""

from typing import Any

from _native import fill, incoming, random_key, read_file, request

from frontend.app import people
from frontend.app.dom import el, picture, toast
from frontend.app.net import Problem
from frontend.app.typed import Data, DomEvent, Node, Went
from frontend.app.words import sentences, t

MOST = 4_194_304


def opener(went: Went) -> Node:
    """A button that reads a match file, has it proved and opens it for review."""
    said = el("p", {"class": "problem", "role": "alert"})
    words = el("span", {}, t("Open a match file"))

    def chosen(event: DomEvent) -> None:
        fill(said)
        read_file(event.target, read, unreadable)

    def unreadable() -> None:
        fill(said, t("This file cannot be read."))

    def read(text: str) -> None:
        if len(text) > MOST:
            fill(said, t("This is no match file: it is larger than 4 MB."))
            return
        fill(words, t("Proving every move …"))
        name = people.me["name"] or people.GUEST
        people.find(lambda: people.become(name, lambda: send(text), refused))

    def send(text: str) -> None:
        request("POST", "/api/matches/import", text, random_key(), answered)

    def answered(status: int, data: Data) -> None:
        if status == 201:
            _taken(data, went)
        else:
            refused(Problem(status, data))

    def refused(problem: Problem) -> None:
        fill(words, t("Open a match file"))
        fill(said, sentences([t("The file was not taken."), problem.detail]))

    incoming(read)  # shared with the app, or opened with it
    sort = {"type": "file", "accept": ".json,application/json"}
    field = el("input", {**sort, "onchange": chosen})
    button = el("label", {"class": "button quiet filepick"}, picture("i-log", 22), words, field)
    return el("div", {"class": "stack"}, button, said)


def _taken(data: Data, went: Went) -> None:
    """Says what is proved of a match that was brought in, and opens it."""
    words = t("Every move was proved by the rules.")
    toast(words if data.get("signed") else sentences([words, t("The file is not signed.")]))
    rest = "/review" if data["status"] == "finished" else f"?v={data['version']}"
    went(f"/m/{data['id']}{rest}")


def keeper(match_id: Any, words: str = "") -> Node:
    """The link that takes the match home as a file; ``words``: other than those of a review."""
    return el(
        "a",
        {"class": "button grow", "href": f"/api/matches/{match_id}/export", "download": True},
        picture("i-save", 22),
        el("span", {}, words or t("Match file")),
    )
