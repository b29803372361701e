"""Access to the local server, which plays matches on this device.

The calls of a local match and their answers are the same as the service's, so that every page works
unchanged. The code that answers them is loaded when the first local match is opened, and registers
itself here with `provide`: this module imports none of it.
"""

from collections.abc import Callable
from typing import Any

from _native import load_local_server, local_match_all, random_key

from frontend.app.api.update_notice import retry_unless_removed
from frontend.app.core.match_ids import is_lesson, is_local_match, is_trial
from frontend.app.core.types import Callback, Data, Navigate, Node

_provided: dict[str, Any] = {}


def provide(
    server: Any = None,
    thumbnail: Callable[[str], str] | None = None,
    match_list: Callable[[Any, Any, Navigate], object] | None = None,
    upload: Callable[[Any], Node] | None = None,
    start_over: Callable[[Any], Node] | None = None,
) -> None:
    """Register parts of the code for local matches, each when its module is run.

    ``server`` answers calls; ``thumbnail(id)`` stores a picture of a match and returns it;
    ``match_list(home, card, navigate)`` fills ``home`` with the local matches; ``upload(page)`` and
    ``start_over(page)`` build items of the menu of a match.
    """
    parts = {
        "server": server,
        "thumbnail": thumbnail,
        "match_list": match_list,
        "upload": upload,
        "start_over": start_over,
    }
    _provided.update({name: part for name, part in parts.items() if part is not None})


def load_server(on_server: Callback, slug: str | None = None) -> None:
    """Load the local server and, given ``slug``, a game's rules.

    Then call ``on_server(server)``.
    """

    def on_ready() -> None:
        on_server(_provided["server"])

    load_local_server(slug, on_ready, retry_unless_removed(lambda: load_server(on_server, slug)))


def menu_items(page: Any, is_practice: bool) -> list[Node]:
    """Return the menu items of a local match: start over (practice games), and upload.

    Only after `load_server`. ``page`` is a `MatchContext`.
    """
    start_over = [_provided["start_over"](page)] if is_practice else []
    return [*start_over, _provided["upload"](page)]


def show_local_matches(home: Any, card: Any, navigate: Navigate) -> None:
    """List the local matches in ``home``, if there are any other than lessons."""

    def on_list(safe: bool, found: Any) -> None:
        if safe and any(not is_lesson(head["id"]) for head in found[0]):
            load_server(lambda _server: _provided["match_list"](home, card, navigate))

    local_match_all(on_list)


def find_handed_over(match_id: str, on_id: Callable[[str], object]) -> None:
    """Call ``on_id(id)`` with the service's id of a local match that was handed over, else ""."""
    if not is_local_match(match_id):
        on_id("")
        return

    def on_found(safe: bool, results: Any) -> None:
        heads = results[0] if safe else ()
        on_id(next((head["to"] for head in heads if head["id"] == match_id and "to" in head), ""))

    local_match_all(on_found)


def store_thumbnail(match_id: str, on_picture: Callback | None = None) -> None:
    """Store a picture of a local match for the list.

    If there is one, call ``on_picture(picture)``.
    """

    def on_ready(_server: Any) -> None:
        shown = _provided["thumbnail"](match_id)
        if on_picture is not None and shown:
            on_picture(shown)

    if is_local_match(match_id) and not is_trial(match_id):
        load_server(on_ready)


def send(path: str, body: Data, done: Callback, failed: Callback, previous_key: Any) -> str:
    """Send a write call to a local match; returns its key.

    Calls ``done(data)`` once the change is stored, or ``failed(problem)``. ``previous_key``: the
    key of the call that this one builds on; if that was refused, this one is refused too.
    """
    key = random_key()
    load_server(lambda server: server.write(path, body, done, failed, key, previous_key))
    return key


def follow_match(path: str, on_version: Callback) -> tuple[Any, Any]:
    """Call ``on_version(version)`` whenever a local match has new events.

    Returns two functions as `client.follow_match` does: the first stops following; the second,
    which reconnects, does nothing here.
    """
    ears: list[Any] = []

    def listen(server: Any) -> None:
        ears.append(server)
        server.add_listener(path, on_version)

    load_server(listen)
    return (lambda: [server.remove_listener(path, on_version) for server in ears]), lambda: None
