"""The option editor for a drawn map: its picture, its faults, and the maps saved on this device."""

from collections.abc import Callable
from typing import Any

from _native import byte_count, dumps

from domain.games.conquest import map_draft as drafts
from domain.games.conquest.board import LETTERS
from domain.games.conquest.map_draft import BARE, Draft, parse_draft
from frontend.app.contract import game_screen
from frontend.app.core.dom import button, el, fill, plain_button, toast
from frontend.app.core.types import Data, DomEvent, Node
from frontend.app.games.conquest import own_maps
from frontend.app.games.conquest.by_chance import request_preview
from frontend.app.games.conquest.i18n import t
from frontend.app.games.conquest.map_drawing_sheet import MapDrawingSheet
from frontend.app.games.conquest.own_maps import value_of
from frontend.app.games.conquest.terrain import describe_flaw, picture, sketch


class OptionEditor(game_screen.OptionEditor):
    """The editor of the custom map option, whose value is a dict as made by `value_of`."""

    def __init__(self, option: Data, value: Any, on_change: Callable[[Any], object]) -> None:
        super().__init__(option, value, on_change)
        self.name = ""
        self.kept: str | None = None
        self.asked = 0
        self.waiting = False
        begin = (own_maps.last_draft() if value is None else None) or option["default"]
        self.draft = parse_draft(begin, LETTERS + BARE) or drafts.blank_draft(6, 8)
        self.drawing = MapDrawingSheet(self.draft, self._on_draft, lambda: self.name)
        self.map = el("div", {"class": "map-place"})
        self.status = el("p", {"role": "status"})
        given = {"type": "text", "maxlength": 40, "autocomplete": "off"}
        self.field = el("input", {**given, "oninput": self._on_rename})
        self.saving = el("div", {"class": "row"})
        self.shelf = el("div", {})
        self.node = el("div", {"class": "stack map-editor"}, self._parts(), self.drawing.node)
        self._put(begin.get("name", ""), self.draft)
        if value is not None:
            self.set_value(value)
        elif begin is not option["default"]:
            self._report_value()

    def _parts(self) -> list[Node]:
        draw = button(t("map_editor.edit"), lambda _e: self.drawing.open(), "primary grow")
        return [
            self.map,
            self.status,
            el("label", {}, t("map_editor.name"), self.field),
            el("div", {"class": "row"}, draw),
            self.saving,
            self.shelf,
        ]

    # -- imported values -----------------------------------------------------------------------

    def set_value(self, value: Any) -> None:
        """Set a map from a link or a file, and ask the service what is wrong with it.

        A value with the structure of a map can be corrected in the editor; anything else is
        refused.
        """
        self.asked += 1
        number = self.asked
        self.on_change(None)
        if byte_count(dumps(value)) > self.option["attachment"]["bytes"]:
            self._show_status(t("map_editor.too_large"), False)
            return
        self.waiting = True
        self._show_status(t("map_editor.checking"), True)

        request_preview(
            {"map": "custom", "custom": value},
            lambda _view: self._come(number, value, None),
            lambda problem: self._come(number, value, problem.detail),
        )

    def _come(self, number: int, value: Any, problem: str | None) -> None:
        if number != self.asked:
            return  # another value was set in the meantime
        self.waiting = False
        draft = parse_draft(value)
        if draft is None:
            text = t("map_editor.unreadable", reason=problem or "")
            self._show_status(text, False)
            return
        self.kept = None
        self._put(value.get("name", ""), draft)
        self._report_value()
        if problem:
            self._show_status(problem, False)

    def problem(self) -> str | None:
        """Return a sentence saying why the current map cannot be played, or None if it can."""
        if self.waiting:
            return t("map_editor.checking")
        for fault in drafts.faults(self.name, self.draft):
            reason = describe_flaw(fault.key, fault.args)
            return t("map_editor.unplayable", reason=reason)
        return None

    # -- display -------------------------------------------------------------------------------

    def _put(self, name: str, draft: Draft) -> None:
        """Replace the map in the editor."""
        self.name, self.draft = name, draft
        self.field.value = name
        self.drawing.start(draft)
        self._show()

    def _show(self) -> None:
        size = {"rows": len(self.draft.rows), "columns": len(self.draft.rows[0])}
        label = t("map_editor.picture", **size)
        fill(self.map, picture(self.draft.rows, self.draft.treasure, label))
        faults = drafts.faults(self.name, self.draft)
        if faults:
            self._show_status(describe_flaw(faults[0].key, faults[0].args), False)
        else:
            self._show_status(t("map_editor.playable", n=drafts.route_length(self.draft)), True)
        self._show_storage_buttons()

    def _show_status(self, text: str, fine: bool) -> None:
        self.status.className = "muted" if fine else "problem"
        fill(self.status, text)

    # -- user actions --------------------------------------------------------------------------

    def _on_draft(self, draft: Draft) -> None:
        self.draft = draft
        self._report_value()
        self._show()

    def _on_rename(self, _event: DomEvent) -> None:
        self.name = " ".join(str(self.field.value).split())
        self._report_value()

    def _report_value(self) -> None:
        """Set the option to the current map, and store the map as the latest draft."""
        self.on_change(value_of(self.name, self.draft))
        own_maps.save_last_draft(self.name, self.draft)

    # -- saved maps ----------------------------------------------------------------------------

    def _show_storage_buttons(self) -> None:
        text = t("map_editor.save_changes") if self.kept else t("map_editor.save")
        buttons = [button(text, lambda _e: self._save(self.kept), "grow", "i-save")]
        if self.kept:
            buttons.append(button(t("map_editor.save_as_new"), lambda _e: self._save(None), "grow"))
        fill(self.saving, buttons)
        found = own_maps.saved_maps()
        head = el("summary", {}, t("map_editor.saved_maps", n=len(found)))
        lines = [el("li", {}, self._line(each)) for each in found]
        was = bool(self.shelf.querySelector("details[open]"))
        shelf = el("details", {"class": "shelf-of-maps", "open": was}, head, el("ul", {}, lines))
        fill(self.shelf, shelf if found else None)

    def _line(self, kept: Data) -> Node:
        name = kept["name"] or t("map_editor.untitled")
        size = {"rows": len(kept["rows"]), "columns": len(kept["rows"][0])}
        about = el("small", {}, t("map_editor.map_size", **size))
        text = el("span", {}, el("strong", {}, name), about)
        now = {"aria-current": "true" if kept["id"] == self.kept else None}
        label = t("map_editor.delete", name=name)
        drop = button(label, lambda _e: self._drop(kept), "round quiet", "i-close")
        picked = plain_button(
            "own-map", lambda _e: self._use(kept), sketch(kept["rows"]), text, **now
        )
        return el("div", {"class": "own-line"}, picked, drop)

    def _use(self, kept: Data) -> None:
        draft = own_maps.draft_of(kept)
        if draft is not None:
            self.asked += 1
            self.kept = kept["id"]
            self._put(kept["name"], draft)
            self._report_value()

    def _save(self, number: str | None) -> None:
        done = own_maps.save_map(self.name, self.draft, number)
        if done is None:
            toast(t("map_editor.no_room"))
            return
        self.kept = done
        toast(t("map_editor.saved"))
        self._show_storage_buttons()

    def _drop(self, kept: Data) -> None:
        own_maps.delete_map(kept["id"])
        self.kept = None if self.kept == kept["id"] else self.kept
        self._show_storage_buttons()

        def back(_event: DomEvent) -> None:
            draft = own_maps.draft_of(kept)
            if draft is not None:
                own_maps.save_map(kept["name"], draft, kept["id"])
            self._show_storage_buttons()

        text = t("map_editor.deleted", name=kept["name"] or t("map_editor.untitled"))
        restore = button(t("map_editor.restore"), back)
        self.shelf.append(el("p", {"class": "row", "role": "status"}, text, restore))
