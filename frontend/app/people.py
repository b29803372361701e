"""Who sits at this device."""

from typing import Any

from _native import drop_tables, stored

from frontend.app import net
from frontend.app.typed import Data, Does, Told

me: dict[str, Any] = {"known": False, "name": stored("name") or ""}


def note(player: Data) -> None:
    """Remembers who the service says this device is; only such a device asks again."""
    me["known"] = True
    me["name"] = player["name"]
    stored("name", player["name"])
    stored("player", "1")
    stored("player_id", player["player_id"])
    net.outbox.i_am(player["player_id"])


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


def forget() -> None:
    """This device is nobody any more."""
    me["known"] = False
    me["name"] = ""
    for key in ("player", "player_id", "name"):
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
