"""Who sits at this device."""

from typing import Any

from _native import drop_tables, stored

from domain import marks
from frontend.app import net
from frontend.app.typed import Data, Does, Told
from frontend.app.words import LANGUAGE, t

GUEST = "Guest"
"""What the service calls who has not said a name; said in the language of the page."""
me: dict[str, Any] = {"known": False, "name": stored("name") or ""}


def note(player: Data) -> None:
    """Remembers who the service says this device is; only such a device asks again."""
    me["known"] = True
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
    """Asks who this device is; ``then()`` in any case."""

    def done(player: Data) -> None:
        note(player)
        then()

    if me["known"] or stored("player") is None:
        then()
    else:
        net.get("/api/players/me", done, lambda _problem: then())


def may_be_known() -> bool:
    """Whether this device was a player when the service said so last."""
    return bool(me["known"]) or stored("player") is not None


def forget() -> None:
    """This device is nobody any more."""
    me["known"] = False
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
        net.get("/api/players/me", done, failed)

    net.call("POST", "/api/players", {"name": name}, made, failed)
