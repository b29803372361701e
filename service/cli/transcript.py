"""The transcript of a match file, printed on the terminal."""

from collections.abc import Iterator
from typing import Any

from domain.match.events import MatchOpened, SeatLeft, SeatReclaimed, SeatTaken, is_kernel
from domain.match.history import Decision
from domain.match.messages import tell
from domain.match.seats import Seat
from domain.matchfile import verification
from domain.matchfile.codec import Codec, codec_of
from domain.text.i18n import N_
from service.http.i18n import t, translate
from service.matches.seat_names import display_name, vacant_seat_name


def status_label(status: str) -> str:
    """Return the name of a match status in the current language."""
    return t(_STATUS_LABELS[status])


_STATUS_LABELS = {
    "open": N_("status.open"),
    "playing": N_("status.playing"),
    "finished": N_("status.finished"),
}


def transcript(document: Any) -> Iterator[str]:
    """Yield the lines of a match file's transcript: a heading, then one line per event.

    Hidden fields remain hidden. Raises `BadFile` if the file is invalid.
    """
    names: list[str] = []
    decisions = list(verification.transcript_entries(document))
    codec = codec_of(document["game"])
    head = {"game": codec.title.title, "match": document["id"]}
    yield t("cli.replay.heading", **head, status=status_label(document["status"]))
    for index, decision in enumerate(decisions):
        try:
            lines = _decision_lines(codec, decision, names)
        except (LookupError, TypeError, ValueError, AttributeError):
            # The events are not verified: their seats, pieces and places may not exist.
            raise verification.impossible_events(index) from None
        yield from lines


def _decision_lines(codec: Codec, decision: Decision, names: list[str]) -> list[str]:
    """Return a line per event of a decision, and update the names of the seats."""
    lines = []
    for version, event in enumerate(decision.events, start=decision.version):
        _update_names(names, event)
        lines.append(f"{version:5}  {_event_text(codec, event, tuple(names))}")
    return lines


def _update_names(names: list[str], event: Any) -> None:
    match event:
        case MatchOpened(seats=seats):
            names[:] = [display_name(seat, number) for number, seat in enumerate(seats)]
        case SeatTaken(seat=seat, name=name) | SeatReclaimed(seat=seat, name=name):
            names[seat] = display_name(Seat("human", name), seat)
        case SeatLeft(seat=seat, kind="open"):
            names[seat] = vacant_seat_name(seat)


def _event_text(codec: Codec, event: Any, names: tuple[str, ...]) -> str:
    if is_kernel(event):
        return translate("kernel", *tell(event), names)
    return translate(codec.title.slug, *codec.rules.tell(event), names)
