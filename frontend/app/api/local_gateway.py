"""Access to the local server, which runs matches on this device.

Local matches have the same requests and responses as the service, so that every page works
unchanged. The code of the local server is loaded on demand and registers itself here with
`provide`; this module imports none of it.
"""

from collections.abc import Callable
from typing import Any

from _native import load_local_server, local_match_all, random_key

from frontend.app.api.update_notice import retry_unless_removed
from frontend.app.core.device_storage import read_with_retries
from frontend.app.core.match_ids import is_lesson, is_local_match, is_trial
from frontend.app.core.types import Action, Callback, Data, Navigate, Node

_provided: dict[str, Any] = {}


def provide(**parts: Any) -> None:
    """Register parts of the code for local matches; each module calls this when it is loaded.

    ``server`` answers calls; ``thumbnail(id)`` stores a thumbnail of a match and returns it, or ""
    if there is none; ``match_list(home, card, navigate)`` fills ``home`` with the local matches;
    ``upload(context)`` and ``start_over(context, close_menu)`` build menu items of a match.
    """
    _provided.update(parts)


def load_server(on_server: Callback, slug: str | None = None) -> None:
    """Load the local server, and the rules of the game ``slug`` if given.

    Then call ``on_server(server)``. Retries on errors, unless the code no longer exists.
    """

    def on_ready() -> None:
        on_server(_provided["server"])

    load_local_server(slug, on_ready, retry_unless_removed(lambda: load_server(on_server, slug)))


def menu_items(context: Any, is_practice: bool, close_menu: Action) -> list[Node]:
    """Return the menu items of a local match: start over (only in practice), and upload.

    Call it only after `load_server` has finished. ``context``: a `MatchContext`.
    """
    start_over = [_provided["start_over"](context, close_menu)] if is_practice else []
    return [*start_over, _provided["upload"](context)]


def show_local_matches(home: Any, card: Any, navigate: Navigate) -> None:
    """List the local matches in ``home``, unless there are only lessons or none at all.

    ``card`` and ``navigate`` are passed on to the registered ``match_list``.
    """

    def on_list(safe: bool, found: Any) -> None:
        if safe and any(not is_lesson(head["id"]) for head in found[0]):
            load_server(lambda _server: _provided["match_list"](home, card, navigate))

    read_with_retries(local_match_all, on_list)


def find_handed_over(match_id: str, on_id: Callable[[str], object]) -> None:
    """Call ``on_id(id)`` with the id that the service gave a handed-over local match.

    The id is "" if the match is not local or was not handed over.
    """
    if not is_local_match(match_id):
        on_id("")
        return

    def on_found(safe: bool, results: Any) -> None:
        heads = results[0] if safe else ()
        on_id(next((head["to"] for head in heads if head["id"] == match_id and "to" in head), ""))

    local_match_all(on_found)


def store_thumbnail(match_id: str, on_picture: Callback | None = None) -> None:
    """Store a thumbnail of a local match for the list of matches, then call ``on_picture``.

    ``on_picture(picture)`` is called only if there is a thumbnail. Does nothing for trials and for
    matches of the service.
    """

    def on_ready(_server: Any) -> None:
        shown = _provided["thumbnail"](match_id)
        if on_picture is not None and shown:
            on_picture(shown)

    if is_local_match(match_id) and not is_trial(match_id):
        load_server(on_ready)


def send(path: str, body: Data, done: Callback, failed: Callback, previous_key: Any) -> str:
    """Send a write request to a local match and return its key.

    Calls ``done(data)`` once the change is stored, or ``failed(problem)``. ``previous_key``: the
    key of the request that this one depends on, or None; if that one was refused, so is this one.
    """
    key = random_key()
    load_server(lambda server: server.write(path, body, done, failed, key, previous_key))
    return key


def follow_match(path: str, on_version: Callback) -> tuple[Any, Any]:
    """Call ``on_version(version)`` whenever a local match has new events.

    Returns two functions as `client.follow_match` does: the first removes the listener; the second
    does nothing, because there is no connection.
    """
    ears: list[Any] = []

    def listen(server: Any) -> None:
        ears.append(server)
        server.add_listener(path, on_version)

    load_server(listen)
    return (lambda: [server.remove_listener(path, on_version) for server in ears]), lambda: None
