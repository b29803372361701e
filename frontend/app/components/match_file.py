"""Match files: import button and export link."""

from typing import Any

from _native import fill, on_file_opened, random_key, read_file, request

from frontend.app.api import session
from frontend.app.core.dom import el, picture, toast
from frontend.app.core.i18n import join_sentences, t
from frontend.app.core.problem import Problem
from frontend.app.core.types import Data, DomEvent, Navigate, Node

MAX_FILE_CHARS = 4_194_304


def import_button(navigate: Navigate) -> Node:
    """Build the button that uploads a match file for verification and then opens the match."""
    problem_line = el("p", {"class": "problem", "role": "alert"})
    text_node = el("span", {}, t("file.import"))

    def on_choose(event: DomEvent) -> None:
        fill(problem_line)
        read_file(event.target, read, lambda: fill(problem_line, t("error.file_unreadable")))

    def read(text: str) -> None:
        if len(text) > MAX_FILE_CHARS:
            fill(problem_line, t("error.game_file_too_large"))
            return
        fill(text_node, t("file.checking"))
        name = session.current["name"] or session.GUEST_NAME
        session.load(lambda: session.ensure_player(name, lambda: send(text), on_error))

    def send(text: str) -> None:
        request("POST", "/api/matches/import", text, random_key(), on_answer)

    def on_answer(status: int, data: Data) -> None:
        if status == 201:
            _open_imported(data, navigate)
        else:
            on_error(Problem(status, data))

    def on_error(problem: Problem) -> None:
        fill(text_node, t("file.import"))
        fill(problem_line, join_sentences([t("error.file_rejected"), problem.detail]))

    on_file_opened(read)  # a file that was shared with the app or opened with it
    sort = {"type": "file", "accept": ".json,application/json"}
    field = el("input", {**sort, "onchange": on_choose})
    button = el("label", {"class": "button quiet filepick"}, picture("i-log", 22), text_node, field)
    return el("div", {"class": "stack"}, button, problem_line)


def _open_imported(data: Data, navigate: Navigate) -> None:
    """Show a toast saying what was verified, and open the imported match."""
    text = t("file.moves_checked")
    toast(text if data.get("signed") else join_sentences([text, t("file.not_signed")]))
    rest = "/review" if data["status"] == "finished" else f"?v={data['version']}"
    navigate(f"/m/{data['id']}{rest}")


def export_link(match_id: Any, label: str = "") -> Node:
    """Build the link that downloads a match file; ``label`` replaces the default label."""
    address = f"/api/matches/{match_id}/export"
    given = {"class": "button grow", "href": address, "download": True}
    return el("a", given, picture("i-save", 22), el("span", {}, label or t("file.game_file")))
