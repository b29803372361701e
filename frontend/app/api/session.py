"""The player of this device.

The service's cookie decides. The stored player is only a hint that may be missing or stale. It
decides whether to ask the service at all, as does the mark in the page that says whether its
request had a cookie.
"""

from typing import Any

from _native import cookies_work, had_cookie, local_storage, match_cache_clear

from domain.text import default_names
from frontend.app.api import client
from frontend.app.core.i18n import LANGUAGE, t
from frontend.app.core.problem import Problem
from frontend.app.core.types import Action, Callback, Data

GUEST_NAME = "Guest"
"""The service's name for a player without a name; shown translated."""
current: dict[str, Any] = {"known": False, "name": local_storage("name") or "", "refused": False}
"""``known``: the service has identified the player; ``refused``: it answered that there is none."""
_waiting: list[Action] = []
"""Callbacks to run once the service has answered who this is."""


def record_player(player: Data) -> None:
    """Store the player that the service reported for this device.

    Only a device with a stored player, or a cookie, asks again.
    """
    current["known"] = True
    current["refused"] = False
    current["name"] = "" if player["name"] == GUEST_NAME else player["name"]
    local_storage("name", current["name"])
    local_storage("player", "1")
    local_storage("player_id", player["player_id"])
    client.outbox.set_player(player["player_id"])


def remember_name(name: str) -> None:
    """Store the name of a player who plays without the service."""
    if not current["known"]:
        current["name"] = name
        local_storage("name", name)


def own_name() -> str:
    """Return this device's player name as shown."""
    return display_name(current["name"])


def display_name(name: str) -> str:
    """Return a player's name as shown ("Guest" translated)."""
    return t("Guest") if name in ("", GUEST_NAME) else name


def entered_name(seat: Data) -> str:
    """Return the name a person entered for this seat; "" if it is the service's default name."""
    default_name = LANGUAGE.format_message(
        "kernel", default_names.TEXT["player"], {"number": seat["seat"] + 1}
    )
    name: str = seat["name"]
    return "" if name == default_name else name


def restore() -> None:
    """Restore the last known player of this device and start the outbox with their entries."""
    player = local_storage("player_id")
    if player is None:
        load(client.outbox.start)
    else:
        client.outbox.start_as(player)


def load(then: Action) -> None:
    """Ask who this device is, then call ``then()``, whatever the answer.

    Calls made while a request is under way share it.
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
        # There is no cookie, or it belongs to no player the service knows. The name is kept.
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
    """Whether this device may have a player: confirmed, or a stored hint or a cookie exists."""
    return bool(current["known"]) or (
        not current["refused"] and (local_storage("player") is not None or had_cookie())
    )


def forget_player() -> None:
    """Remove everything stored about the player of this device, and its cached matches."""
    current["known"] = False
    current["refused"] = True
    current["name"] = ""
    for key in ("player", "player_id", "name", "mine"):
        local_storage(key, None)
    client.outbox.clear_player()
    match_cache_clear()


def ensure_player(name: str, then: Action, failed: Callback) -> None:
    """Make sure that this device has a player, then call ``then()``.

    A device that only lost its stored hint keeps its player: the service does not replace an
    existing player by a new one, so after the request the page asks who it is.
    """
    if current["known"]:
        then()
        return

    def done(player: Data) -> None:
        record_player(player)
        then()

    def on_created(_player: Any) -> None:
        client.get("/api/players/me", done, on_error)

    def on_error(problem: Problem) -> None:
        failed(_cookies_problem() if problem.status == 401 else problem)

    if cookies_work():
        client.call("POST", "/api/players", {"name": name}, on_created, failed)
    else:
        failed(_cookies_problem())


def _cookies_problem() -> Problem:
    """Return the problem that the browser does not send the cookie back."""
    text = t(
        "Your browser blocks cookies, so the service can't recognise you. Allow cookies for this "
        "site, then try again."
    )
    return Problem(401, {"code": "cookies_blocked", "detail": text})
