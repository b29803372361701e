"""Documents for other programs: calendars of deadlines (RFC 5545) and match feeds (RFC 4287)."""

from collections.abc import Iterable
from datetime import UTC, datetime
from xml.etree import ElementTree

from domain.contract.registry import TITLES
from domain.presentation.events import event_answers
from projections.summary import Summary
from service.http.i18n import t
from service.matches.presenters import Viewer

_ATOM_NAMESPACE = "http://www.w3.org/2005/Atom"
_MAX_LINE_BYTES = 75
"""Maximum bytes of a line in a calendar; longer lines continue on lines that begin with a space."""
ALARM_TRIGGERS = ("-PT6H", "-PT1H")
"""When calendar programs remind of a deadline, as durations relative to it (RFC 5545, 3.3.6)."""
_MAX_EVENTS = 100
"""Maximum number of a match's latest events in its feed; events without text are left out."""
_EPOCH = "1970-01-01T00:00:00Z"


def build_calendar(player: str, matches: Iterable[Summary], base_url: str) -> bytes:
    """Build an iCalendar file of a player's deadlines.

    It contains one event, without duration, for each of ``matches`` in which the player has a
    deadline.
    """
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Caravanserai//Deadlines//EN"]
    lines += ["METHOD:PUBLISH", "X-WR-CALNAME:Caravanserai"]
    for summary in matches:
        ends = [s.ends for s in summary.seats if s.player == player and s.ends is not None]
        if ends:
            lines += _deadline_lines(summary, min(ends), base_url)
    lines.append("END:VCALENDAR")
    return "".join(_fold_line(line) + "\r\n" for line in lines).encode()


def _deadline_lines(summary: Summary, ends: int, base_url: str) -> list[str]:
    title = TITLES[summary.game].title
    summary_text = t("calendar.deadline", game=title)
    names = t("list.separator").join(s.name for s in summary.seats if s.name)
    return [
        "BEGIN:VEVENT",
        f"UID:{summary.id}@caravanserai",
        f"DTSTAMP:{_calendar_time(summary.updated)}",
        f"SEQUENCE:{summary.version}",
        f"DTSTART:{_calendar_time(ends)}",
        f"SUMMARY:{_escape_text(summary_text)}",
        f"DESCRIPTION:{_escape_text(names)}",
        f"URL:{base_url}/m/{summary.id}",
        *(line for trigger in ALARM_TRIGGERS for line in _alarm_lines(trigger, summary_text)),
        "END:VEVENT",
    ]


def _alarm_lines(trigger: str, text: str) -> list[str]:
    """Return the lines of a reminder, a VALARM component (RFC 5545, 3.6.6)."""
    return [
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        f"TRIGGER:{trigger}",
        f"DESCRIPTION:{_escape_text(text)}",
        "END:VALARM",
    ]


def _calendar_time(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds // 1000, UTC).strftime("%Y%m%dT%H%M%SZ")


def _escape_text(text: str) -> str:
    """Escape a value of type TEXT (RFC 5545, 3.3.11) and replace line breaks with spaces."""
    for sign in ("\\", ";", ","):
        text = text.replace(sign, "\\" + sign)
    return " ".join(text.splitlines())


def _fold_line(line: str) -> str:
    """Fold a line into lines of at most `_MAX_LINE_BYTES` without splitting a character."""
    parts, size = [""], 0
    for letter in line:
        wide = len(letter.encode())
        if size + wide > _MAX_LINE_BYTES:
            parts.append(" ")
            size = 1
        parts[-1] += letter
        size += wide
    return "\r\n".join(parts)


def build_feed(match_id: str, viewer: Viewer, page: str) -> bytes:
    """Build an Atom feed of a match's latest events as ``viewer`` sees them, newest first.

    ``page``: the URL of the match page.
    """
    after = max(0, viewer.timeline.version - _MAX_EVENTS)
    events = [e for e in event_answers(viewer, after) if e.text and not e.undone]
    ElementTree.register_namespace("", _ATOM_NAMESPACE)
    root = ElementTree.Element(f"{{{_ATOM_NAMESPACE}}}feed")
    title = TITLES[viewer.timeline.latest.opened.game].title
    names = t("list.separator").join(name for name in viewer.names if name)
    _add_element(root, "id", f"urn:uuid:{match_id}")
    _add_element(root, "title", t("feed.title", game=title, names=names))
    _add_element(root, "updated", events[-1].at if events else _EPOCH)
    _add_element(_add_element(root, "author"), "name", "Caravanserai")
    _add_element(root, "link", href=page)
    for event in reversed(events):
        entry = _add_element(root, "entry")
        _add_element(entry, "id", f"urn:uuid:{match_id}#{event.version}")
        _add_element(entry, "title", event.text)
        _add_element(entry, "updated", event.at)
        mark = "&" if "?" in page else "?"
        _add_element(entry, "link", href=f"{page}{mark}v={event.version}")
    body: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return body


def _add_element(
    parent: ElementTree.Element, name: str, text: str | None = None, **more: str
) -> ElementTree.Element:
    node = ElementTree.SubElement(parent, f"{{{_ATOM_NAMESPACE}}}{name}", more)
    # Names and messages never contain characters that XML does not allow
    # (`domain.text.text_rules`).
    node.text = text
    return node
