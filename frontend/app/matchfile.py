"""Match files: bringing one in. (Taking one home is a link to the export.)"""

from _native import fill, random_key, read_file, request

from frontend.app import people
from frontend.app.dom import el, picture, toast
from frontend.app.net import Problem

MOST = 8_388_608


def opener(went):
    """A button that reads a match file, has it proved and opens it for review."""
    said = el("p", {"class": "problem", "role": "alert"})
    words = el("span", {}, "Open a match file")

    def chosen(event):
        fill(said)
        read_file(event.target, read, unreadable)

    def unreadable():
        fill(said, "This file cannot be read.")

    def read(text):
        if len(text) > MOST:
            fill(said, "This is no match file: it is larger than 8 MB.")
            return
        fill(words, "Proving every move …")
        name = people.me["name"] or "Guest"
        people.find(lambda: people.become(name, lambda: send(text), refused))

    def send(text):
        request("POST", "/api/matches/import", text, random_key(), answered)

    def answered(status, data):
        if status != 201:
            refused(Problem(status, data))
            return
        toast("Every move was proved by the rules.")
        rest = "/review" if data["status"] == "finished" else f"?v={data['version']}"
        went(f"/m/{data['id']}{rest}")

    def refused(problem):
        fill(words, "Open a match file")
        fill(said, "The file was not taken. " + problem.detail)

    return el(
        "div",
        {"class": "stack"},
        el(
            "label",
            {"class": "button quiet filepick"},
            picture("i-log", 22),
            words,
            el("input", {"type": "file", "accept": ".json,application/json", "onchange": chosen}),
        ),
        said,
    )


def keeper(match_id):
    """The link that takes the match home as a file."""
    return el(
        "a",
        {"class": "button grow", "href": f"/api/matches/{match_id}/export", "download": True},
        picture("i-save", 22),
        el("span", {}, "Match file"),
    )
