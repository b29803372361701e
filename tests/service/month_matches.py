"""The matches of a simulated month: two games and every time control."""

from msgspec.structs import replace

from service.matches import schema

SEATS = 3
PACES = (
    None,
    schema.NewPace("live", "bot_moves", bank=600, increment=10, minimum=20),
    schema.NewPace("days", "nudge", days=2),
    schema.NewPace("days", "vote", days=1, weekends_off=True, zone=-300),
)
ENDS = ("nudge", "bot_moves", "bot_takes", "vote")


def request_match(number: int) -> schema.NewMatch:
    """Return the request that creates the match with this number; its first seat is the owner's."""
    pace = PACES[number % len(PACES)]
    if pace is not None and pace.kind == "days":
        pace = replace(pace, on_end=ENDS[number // len(PACES) % len(ENDS)])
    simultaneous = number % 8 < 4
    return schema.NewMatch(
        "pebbles" if simultaneous else "caravanserai",
        (schema.NewSeat("me"), *[schema.NewSeat("open")] * (SEATS - 1)),
        {"rounds": 20} if simultaneous else {},
        pace=pace,
    )
