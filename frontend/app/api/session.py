"""The player of this device.

The service's cookie decides. What is stored here is a hint that may be missing or stale: it says
whether to ask the service at all, as does the page, which was served with the information whether
there is a cookie.
"""

from typing import Any

from _native import cookies_work, drop_tables, had_cookie, stored

from domain.text import default_names
from frontend.app.api import client
from frontend.app.core.i18n import LANGUAGE, t
from frontend.app.core.problem import Problem
from frontend.app.core.types import Data, Does, Told

GUEST = "Guest"
"""The service's name for a player without a name; shown translated."""
me: dict[str, Any] = {"known": False, "name": stored("name") or "", "refused": False}
"""``known``: the service has identified the player; ``refused``: it answered that there is none."""
_waiting: list[Does] = []
"""Callbacks to run once the service has answered who this is."""


def note(player: Data) -> None:
    """Store the player that the service reported for this device.

    Only a device with a stored player, or a cookie, asks again.
    """
    me["known"] = True
    me["refused"] = False
    me["name"] = "" if player["name"] == GUEST else player["name"]
    stored("name", me["name"])
    stored("player", "1")
    stored("player_id", player["player_id"])
    client.outbox.i_am(player["player_id"])


def call_me(name: str) -> None:
    """Store the name of a player who plays without the service."""
    if not me["known"]:
        me["name"] = name
        stored("name", name)


def my_name() -> str:
    """Return this device's player name as shown."""
    return called(me["name"])


def called(name: str) -> str:
    """Return a player's name as shown ("Guest" translated)."""
    return t("Guest") if name in ("", GUEST) else name


def given_name(seat: Data) -> str:
    """Return the name a person entered for this seat; "" if it is the service's default name."""
    said = LANGUAGE.format_message("kernel", default_names.TEXT["player"], {"number": seat["seat"] + 1})
    name: str = seat["name"]
    return "" if name == said else name


def begin() -> None:
    """Restore the last known player of this device and start the outbox with their entries."""
    player = stored("player_id")
    if player is None:
        find(client.outbox.start)
    else:
        client.outbox.start_as(player)


def find(then: Does) -> None:
    """Ask who this device is, then call ``then()``, whatever the answer.

    Calls made while a request is under way share it.
    """
    if me["known"] or not may_be_known():
        then()
        return
    _waiting.append(then)
    if len(_waiting) == 1:
        client.get("/api/players/me", _found, _not_found)


def _found(player: Data) -> None:
    note(player)
    _go_on()


def _not_found(problem: Problem) -> None:
    if problem.status == 401:
        # There is no cookie, or it belongs to no player the service knows. The name is kept.
        me["refused"] = True
        for key in ("player", "player_id", "mine"):
            stored(key, None)
        client.outbox.nobody()
    _go_on()


def _go_on() -> None:
    waiting, _waiting[:] = [*_waiting], []
    for then in waiting:
        then()


def may_be_known() -> bool:
    """Whether this device may have a player: confirmed, or a stored hint or a cookie exists."""
    return bool(me["known"]) or (
        not me["refused"] and (stored("player") is not None or had_cookie())
    )


def forget() -> None:
    """Remove everything stored about the player of this device, and its cached matches."""
    me["known"] = False
    me["refused"] = True
    me["name"] = ""
    for key in ("player", "player_id", "name", "mine"):
        stored(key, None)
    client.outbox.nobody()
    drop_tables()


def become(name: str, then: Does, failed: Told) -> None:
    """Make sure that this device has a player, then call ``then()``.

    A device that only lost its stored hint keeps its player: the service does not replace an
    existing player by a new one, so after the request the page asks who it is.
    """
    if me["known"]:
        then()
        return

    def done(player: Data) -> None:
        note(player)
        then()

    def made(_player: Any) -> None:
        client.get("/api/players/me", done, lost)

    def lost(problem: Problem) -> None:
        failed(_blocked() if problem.status == 401 else problem)

    if cookies_work():
        client.call("POST", "/api/players", {"name": name}, made, failed)
    else:
        failed(_blocked())


def _blocked() -> Problem:
    """Return the problem that the browser does not send the cookie back."""
    words = t(
        "Your browser blocks cookies, so the service can't recognise you. Allow cookies for this "
        "site, then try again."
    )
    return Problem(401, {"code": "cookies_blocked", "detail": words})
