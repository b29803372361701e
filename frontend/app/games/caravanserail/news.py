"""What happened to a player in a turn: the texts of the strip and of the list of a turn."""

from frontend.app.contract.game_screen import ScreenHost
from frontend.app.core.types import Event
from frontend.app.games.caravanserail.i18n import t

# Ranks of events by how much they concern the reader; what a rank is about comes first if lower.
LOSS, ANSWER, OWN, OTHER = range(4)
SEAT_FIELDS = ("seat", "victim", "owner", "partner")


def event_text(host: ScreenHost, event: Event) -> str:
    """Return the text of an event, addressed to this device's seat if it loses or trades goods.

    On a device that lies on a shared table, the text names no goods.
    """
    seat, data = host.match.active_seat, event["data"]

    if event["type"] == "WaresLooted" and data["victim"] == seat:
        args = {"name": host.match.names[data["seat"]], "caravan": data["caravan"] + 1}
        if not host.match.is_against_bots or data["wares"] is None:
            return t("news.robbed", **args)
        if not data["wares"]:
            return t("news.spared", **args)
        return t("news.lost", wares=data["wares"], **args)
    if seat is not None and data.get("partner") == seat:
        name = host.match.names[data["seat"]]
        if event["type"] == "WaresExchanged":
            return t("trade.was_accepted", name=name, gets=data["pays"], pays=data["gets"])
        if event["type"] == "OfferDeclined":
            return t("trade.was_declined", name=name)
    return str(event["text"])


def rank_event(event: Event, seat: int | None) -> int:
    """Return how much an event concerns a seat; see `LOSS`."""
    data = event["data"]
    if seat is None:
        return OTHER
    if event["type"] == "WaresLooted" and data["victim"] == seat:
        return LOSS
    if event["type"] in ("WaresExchanged", "OfferDeclined"):
        return ANSWER
    is_own = seat in data.get("raiders", ()) or seat in [data.get(name) for name in SEAT_FIELDS]
    return OWN if is_own else OTHER


def sort_for(events: list[Event], seat: int | None) -> list[Event]:
    """Return events with those first that concern a seat: losses, then short texts."""

    def key_of(event: Event) -> tuple[int, int]:
        rank = rank_event(event, seat)
        return rank, 0 if rank == OTHER else len(event["text"])

    return sorted(events, key=key_of)
