"""Who sits at this device.

The service's cookie is the truth. What is stored here is a hint that may be gone, or left over: it
says whether to ask, as does the page, which the service sent knowing whether there is a cookie.
"""

from typing import Any

from _native import cookies_work, drop_tables, had_cookie, stored

from domain import marks
from frontend.app import net
from frontend.app.typed import Data, Does, Told
from frontend.app.words import LANGUAGE, t

GUEST = "Guest"
"""What the service calls who has not said a name; said in the language of the page."""
me: dict[str, Any] = {"known": False, "name": stored("name") or "", "refused": False}
"""``known``: the service has said who this is; ``refused``: that it is nobody."""
_waiting: list[Does] = []
"""What is to be done once the service has said who this is."""


def note(player: Data) -> None:
    """Remembers who the service says this device is; only such a device asks again."""
    me["known"] = True
    me["refused"] = False
    me["name"] = "" if player["name"] == GUEST else player["name"]
    stored("name", me["name"])
    stored("player", "1")
    stored("player_id", player["player_id"])
    net.outbox.i_am(player["player_id"])


def call_me(name: str) -> None:
    """Remembers what people call themselves who play without the service."""
    if not me["known"]:
        me["name"] = name
        stored("name", name)


def my_name() -> str:
    """What this device is called, to be read."""
    return called(me["name"])


def called(name: str) -> str:
    """A player's name, to be read."""
    return t("Guest") if name in ("", GUEST) else name


def given_name(seat: Data) -> str:
    """What somebody said that this seat is called; "" where only the service did."""
    said = LANGUAGE.say("kernel", marks.TEXT["player"], {"number": seat["seat"] + 1})
    name: str = seat["name"]
    return "" if name == said else name


def begin() -> None:
    """Who this device was last; what waits to be sent is theirs."""
    net.outbox.player = stored("player_id")
    if net.outbox.player is None:
        find(net.outbox.start)
    else:
        net.outbox.start()


def find(then: Does) -> None:
    """Asks who this device is, once for all who ask meanwhile; ``then()`` in any case."""
    if me["known"] or not may_be_known():
        then()
        return
    _waiting.append(then)
    if len(_waiting) == 1:
        net.get("/api/players/me", _found, _not_found)


def _found(player: Data) -> None:
    note(player)
    _go_on()


def _not_found(problem: net.Problem) -> None:
    if problem.status == 401:
        # The cookie is gone, or of a player that the service does not know. The name may stay.
        me["refused"] = True
        for key in ("player", "player_id", "mine"):
            stored(key, None)
        net.outbox.nobody()
    _go_on()


def _go_on() -> None:
    waiting, _waiting[:] = [*_waiting], []
    for then in waiting:
        then()


def may_be_known() -> bool:
    """Whether this device may be a player: the service has said so, or there is a sign of it."""
    return bool(me["known"]) or (
        not me["refused"] and (stored("player") is not None or had_cookie())
    )


def forget() -> None:
    """This device is nobody any more."""
    me["known"] = False
    me["refused"] = True
    me["name"] = ""
    for key in ("player", "player_id", "name", "mine"):
        stored(key, None)
    net.outbox.nobody()
    drop_tables()


def become(name: str, then: Does, failed: Told) -> None:
    """Makes sure that this device is a player; ``then()`` when it is.

    A device that has only forgotten who it is stays who it was: the service does not put a new
    player in the place of one, so it is asked who this is.
    """
    if me["known"]:
        then()
        return

    def done(player: Data) -> None:
        note(player)
        then()

    def made(_player: Any) -> None:
        net.get("/api/players/me", done, lost)

    def lost(problem: net.Problem) -> None:
        failed(_blocked() if problem.status == 401 else problem)

    if cookies_work():
        net.call("POST", "/api/players", {"name": name}, made, failed)
    else:
        failed(_blocked())


def _blocked() -> net.Problem:
    """Why nobody can be known here: the browser does not send the cookie back."""
    words = t(
        "Your browser blocks cookies, so the service can't recognise you. Allow cookies for this "
        "site, then try again."
    )
    return net.Problem(401, {"code": "cookies_blocked", "detail": words})
