"""The hint line on the match page, which tells beginners what they can do.

By default it is shown in the first match of each game on this device. The user can turn hints on or
off for all matches. Both are stored on the device.
"""

from typing import Any

from _native import fill, guides, local_storage

from frontend.app.components.toggle import toggle_field
from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core import match_ids
from frontend.app.core.dom import button, el
from frontend.app.core.i18n import t, translator_for
from frontend.app.games import loader

FIRST_MATCH_KEY = "first-"
"""Prefix of the localStorage key of a game's first match id; the game's slug follows."""


class Hints:
    """The hint line of one match (``node``), and the switch (``toggle``) that turns hints on."""

    def __init__(self, context: MatchContext) -> None:
        self.slug = context.match.data["game"]
        self.match_id = context.id
        self.view_model: Any = None
        chosen = local_storage("hints")
        self.is_requested = chosen == "on"
        self.is_on = self.is_requested or (chosen is None and self._is_first())
        self.toggle = toggle_field(t("turn.hints"), t("turn.hints_hint"), self.is_on, self._set)
        self.text_node = el("p", {})
        off = button(t("turn.hints_off"), lambda _e: self._set(False), "round quiet", "i-close")
        self.node = el("div", {"class": "hint-line", "role": "note", "hidden": True})
        self.node.append(self.text_node, off)
        context.moment_changed.subscribe(self._update)

    def _update(self, view_model: ViewModel) -> None:
        """Show the hint for this device's seat to act; hide the line if there is none."""
        self.view_model = view_model
        if not self.is_on or not self._has_hints():
            self.node.hidden = True
        elif loader.has_guide(self.slug):
            self._show()
        else:
            loader.load_guide(self.slug, self._on_loaded)

    def _has_hints(self) -> bool:
        """Return whether the game has a guide and a screen of its own."""
        return self.slug in guides() and loader.screen_folder(self.slug) == self.slug

    def _is_first(self) -> bool:
        """Return whether this is the first match of the game on this device.

        False for lessons and trials.
        """
        if match_ids.is_lesson(self.match_id) or match_ids.is_trial(self.match_id):
            return False
        return local_storage(FIRST_MATCH_KEY + self.slug) in (None, self.match_id)

    def _set(self, on: bool) -> None:
        self.is_on = self.is_requested = on
        local_storage("hints", "on" if on else "off")
        self.toggle.firstChild.checked = on
        self._update(self.view_model)

    def _on_loaded(self) -> None:
        # Unless the user turned hints on, wait for the next draw: a line that appears late would
        # cause a layout shift.
        if self.is_requested:
            self._update(self.view_model)

    def _show(self) -> None:
        now = self.view_model
        mine = now is not None and now.live and now.seat is not None
        text = loader.guide_of(self.slug).hint(now.view, now.seat) if mine else ""
        self.node.hidden = not text
        fill(self.text_node, translator_for(self.slug)(text) if text else None)
        if text and local_storage(FIRST_MATCH_KEY + self.slug) is None:
            local_storage(FIRST_MATCH_KEY + self.slug, self.match_id)
