"""Who sits at this device."""

from _native import stored

from frontend.app import net

me = {"known": False, "name": stored("name") or ""}


def note(player):
    """Remembers who the service says this device is; only such a device asks again."""
    me["known"] = True
    me["name"] = player["name"]
    stored("name", player["name"])
    stored("player", "1")


def find(then):
    """Asks who this device is; ``then()`` in any case."""

    def done(player):
        note(player)
        then()

    if me["known"] or stored("player") is None:
        then()
    else:
        net.get("/api/players/me", done, lambda _problem: then())


def become(name, then, failed):
    """Makes sure that this device is a player; ``then()`` when it is."""
    if me["known"]:
        then()
        return

    def done(player):
        note(player)
        then()

    net.call("POST", "/api/players", {"name": name}, done, failed)
