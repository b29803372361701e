"""The player of this device.

The service identifies the player by a cookie. The player stored on the device is only a hint, which
may be missing or outdated. The service is asked for the player only if there is such a hint, or if
the page is marked as requested with a cookie.
"""

from typing import Any

from _native import cookies_work, had_cookie, local_storage, match_cache_clear

from frontend.app.api import client
from frontend.app.core.i18n import LANGUAGE, t
from frontend.app.core.problem import Problem
from frontend.app.core.types import Action, Callback, Data

GUEST_NAME = "Guest"
"""The service's name for a player who has not entered one; the app shows it translated."""
current: dict[str, Any] = {"known": False, "name": local_storage("name") or "", "refused": False}
"""The player's state.

``known``: whether the service has identified the player; ``name``: the player's name, "" if none
was entered; ``refused``: whether the service responded that this device has no player, or the
player was forgotten.
"""
_waiting: list[Action] = []
"""Callbacks to run once the pending request for the player has ended."""


def record_player(player: Data) -> None:
    """Store the player that the service returned for this device, and set it in the outbox."""
    current["known"] = True
    current["refused"] = False
    current["name"] = "" if player["name"] == GUEST_NAME else player["name"]
    local_storage("name", current["name"])
    local_storage("player", "1")
    local_storage("player_id", player["player_id"])
    client.outbox.set_player(player["player_id"])


def remember_name(name: str) -> None:
    """Store the name of a player whom the service has not identified, such as in a local match.

    Does nothing if the service has identified the player.
    """
    if not current["known"]:
        current["name"] = name
        local_storage("name", name)


def own_name() -> str:
    """Return the display name of this device's player."""
    return display_name(current["name"])


def display_name(name: str) -> str:
    """Return the display name of a player: ``name``, or "Guest" (translated) without one."""
    return t("player.guest") if name in ("", GUEST_NAME) else name


def entered_name(seat: Data) -> str:
    """Return the name that a person entered for a seat; "" if it has the default name."""
    default_name = LANGUAGE.format_message("kernel", "player", {"number": seat["seat"] + 1})
    name: str = seat["name"]
    return "" if name == default_name else name


def restore() -> None:
    """Start the outbox for the last known player of this device.

    If none is stored, first ask the service for the player.
    """
    player = local_storage("player_id")
    if player is None:
        load(client.outbox.start)
    else:
        client.outbox.start_as(player)


def load(then: Action) -> None:
    """Ask the service for this device's player, then call ``then()``, even after an error.

    Sends no request if the player is known or this device cannot have one. Concurrent calls share
    one request.
    """
    if current["known"] or not maybe_signed_in():
        then()
        return
    _waiting.append(then)
    if len(_waiting) == 1:
        client.get("/api/players/me", _on_player, _on_no_player)


def _on_player(player: Data) -> None:
    record_player(player)
    _run_waiting()


def _on_no_player(problem: Problem) -> None:
    if problem.status == 401:
        # There is no cookie, or the service does not know its player. The stored name is kept.
        current["refused"] = True
        for key in ("player", "player_id", "mine"):
            local_storage(key, None)
        client.outbox.clear_player()
    _run_waiting()


def _run_waiting() -> None:
    waiting, _waiting[:] = [*_waiting], []
    for then in waiting:
        then()


def maybe_signed_in() -> bool:
    """Return whether this device may have a player.

    True if the service has identified one, or, unless it responded that there is none, if a stored
    hint or a cookie exists.
    """
    return bool(current["known"]) or (
        not current["refused"] and (local_storage("player") is not None or had_cookie())
    )


def forget_player() -> None:
    """Remove the stored identity of this device's player, and all cached matches."""
    current["known"] = False
    current["refused"] = True
    current["name"] = ""
    for key in ("player", "player_id", "name", "mine"):
        local_storage(key, None)
    client.outbox.clear_player()
    match_cache_clear()


def ensure_player(name: str, then: Action, failed: Callback) -> None:
    """Make sure that this device has a player, then call ``then()`` or ``failed(problem)``.

    ``name``: the name of the player if one is created, "" for a guest. The service does not replace
    the player of a device that has only lost its stored hint, so the player is requested again
    afterwards.
    """

    def on_loaded() -> None:
        if current["known"]:
            then()
        elif cookies_work():
            body = {"name": name or GUEST_NAME}
            client.call("POST", "/api/players", body, on_created, failed)
        else:
            failed(_cookies_problem())

    def done(player: Data) -> None:
        record_player(player)
        then()

    def on_created(_player: Any) -> None:
        client.get("/api/players/me", done, on_error)

    def on_error(problem: Problem) -> None:
        failed(_cookies_problem() if problem.status == 401 else problem)

    load(on_loaded)


def _cookies_problem() -> Problem:
    """Return the problem for a browser that does not store or send cookies."""
    return Problem(401, {"code": "cookies_blocked", "detail": t("error.cookies_blocked")})
