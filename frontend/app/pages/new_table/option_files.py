"""Import and export, as a file or a link, of options that are whole documents, such as a map.

A file holds a JSON object with the keys ``game``, ``option`` and ``value``. A link carries the
value in its fragment, which browsers do not send to the server.
"""

from typing import Any

from _native import (
    byte_count,
    decode_fragment,
    dumps,
    encode_fragment,
    fill,
    loads_or_none,
    origin,
    read_file,
    save_file,
)

from frontend.app.components.share import share
from frontend.app.core.dom import button, el, picture, row, stack
from frontend.app.core.i18n import t
from frontend.app.core.types import Callback, Data, DomEvent, Node


def option_from_anchor(anchor: str, game: Data) -> Data:
    """Decode the option in the fragment of a link.

    Returns a dict of option values by name: the decoded one, and the first allowed value of each
    option in its ``when`` condition, because it would not apply otherwise. Returns an empty dict if
    the fragment is malformed or names no option of the game that can be shared.
    """
    name, _, packed = anchor[1:].partition("=")
    option = game["options"].get("properties", {}).get(name, {})
    if "attachment" not in option:
        return {}
    found = loads_or_none(decode_fragment(packed))
    if found is None:
        return {}
    when = {other: values[0] for other, values in option.get("when", {}).items()}
    return {**when, name: found}


class OptionFile:
    """The form control for importing, exporting and sharing the value of one option.

    ``chosen``: the chosen option values by name; ``on_value(value)`` is called with a value read
    from a file.
    """

    def __init__(
        self, slug: str, name: str, option: Data, chosen: Data, on_value: Callback
    ) -> None:
        self.slug = slug
        self.name = name
        self.option = option
        self.chosen = chosen
        self.on_value = on_value
        self.max_bytes = option["attachment"]["bytes"]
        self.status_node = el("p", {"class": "muted", "role": "status"})
        self.show_status()

    def node(self) -> Node:
        """Build the control: description, status, and the buttons to import, export and share."""
        option = self.option
        text = option.get("title", self.name)
        about = el("p", {}, el("strong", {}, text), ". ", option.get("description", ""))
        given = {"type": "file", "accept": ".json,application/json", "onchange": self._file}
        field = el("input", {**given, "aria-label": t("setup.file_field", words=text)})
        opened = el("span", {}, t("setup.import_file"))
        label = el("label", {"class": "button filepick"}, picture("i-log", 22), opened, field)
        buttons = [
            label,
            button(t("setup.save_file"), lambda _e: self._save(), sign="i-save"),
            button(t("setup.share_link"), lambda _e: share(self._link()), sign="i-share"),
        ]
        return stack(about, self.status_node, row(buttons))

    def _value(self) -> Any:
        return self.chosen.get(self.name, self.option.get("default"))

    def show_status(self, problem: str | None = None) -> None:
        """Show ``problem``, otherwise the value's size unless the option has an editor."""
        own = self.name in self.chosen
        size = byte_count(dumps(self._value()))
        numbers = {"size": size, "most": self.max_bytes}
        text = t("setup.file_custom", **numbers) if own else t("setup.file_default", **numbers)
        self.status_node.className = "problem" if problem else "muted"
        fill(self.status_node, problem or ("" if "editor" in self.option else text))

    def _file(self, event: DomEvent) -> None:
        read_file(event.target, self._read, lambda: self.show_status(t("error.file_unreadable")))

    def _read(self, text: str) -> None:
        found = loads_or_none(text)
        fits = isinstance(found, dict) and "value" in found
        if not fits or (found.get("game"), found.get("option")) != (self.slug, self.name):
            self.show_status(t("error.file_wrong"))
        elif byte_count(dumps(found["value"])) > self.max_bytes:
            self.show_status(t("error.file_too_large", most=self.max_bytes))
        else:
            self.on_value(found["value"])
            self.show_status()

    def _save(self) -> None:
        held = {"game": self.slug, "option": self.name, "value": self._value()}
        save_file(f"{self.slug}-{self.name}.json", dumps(held))

    def _link(self) -> str:
        packed = encode_fragment(dumps(self._value()))
        return f"{origin()}/new?game={self.slug}#{self.name}={packed}"
