"""The folded section of a new table: everything that has a useful default."""

from frontend.app.components.seat_pin import PinField
from frontend.app.components.toggle import toggle_field
from frontend.app.core.dom import el, fill
from frontend.app.core.i18n import join_list, t
from frontend.app.core.types import Action, Data, Node
from frontend.app.pages.new_table.fold import Fold
from frontend.app.pages.new_table.option_fields import OptionFields
from frontend.app.pages.new_table.preview import Preview
from frontend.app.pages.new_table.seat_fields import SeatFields
from frontend.app.pages.new_table.time_control_field import TimeControlField


class OptionsSection:
    """The game's options, time control, visibility and PIN of a new table, and its preview.

    ``is_local``: whether to keep the match on this device if everybody plays on it.
    ``on_change()`` redraws the form.
    """

    def __init__(self, seats: SeatFields, is_local: bool, on_change: Action) -> None:
        self.seats = seats
        self.is_local = is_local
        self.is_public = False
        self.fold = Fold()
        self.time_control = TimeControlField(on_change)
        self.pin = PinField()
        self.summary = el("span", {"class": "chosen"})
        self.preview = Preview(self._preview_request)

    def set_game(self, game: Data, chosen: Data) -> None:
        """Create the fields of a game's options with the given initial values."""
        self.fields = OptionFields(game, chosen, self.update_summary)

    def prefill(self, match: Data) -> None:
        """Prefill visibility and time control from an earlier match."""
        self.is_public = match["visibility"] == "public"
        if "clock" in match:
            self.time_control.prefill(match["clock"])

    def node(self) -> Node:
        """Return the section, folded unless the user has opened it."""
        parts = self.fields.nodes(self.seats.count)
        is_all_local = self.seats.is_all_local()
        if is_all_local:
            title, hint = t("setup.on_this_phone_only"), t("setup.on_this_phone_hint")
            parts.append(toggle_field(title, hint, self.is_local, self._set_local))
        else:
            parts.extend(self.time_control.nodes())
        if self.seats.count > 1 and not self.seats.is_shared_device:
            title, hint = t("setup.public_table"), t("setup.public_hint")
            parts.append(toggle_field(title, hint, self.is_public, self._set_public))
        if not is_all_local:
            parts.extend(self.pin.nodes())
        summary = [el("strong", {}, t("setup.options")), " ", self.summary]
        return self.fold.node(summary, parts, self.preview.button(), **{"class": "options"})

    def update_summary(self) -> None:
        """Show what is chosen in one line."""
        texts = self.fields.summary()
        if self.seats.is_all_local():
            texts += [t("setup.on_this_phone_only")] if self.is_local else []
        else:
            texts.append(self.time_control.title())
        if self._is_public():
            texts.append(t("setup.public_table"))
        fill(self.summary, join_list(texts))

    def request_body(self) -> Data:
        """Return the request body that creates the match."""
        pace = None if self.seats.is_all_local() else self.time_control.value()
        return {
            **({"pace": pace} if pace else {}),
            "game": self.fields.slug,
            "seats": self.seats.request_body(),
            "options": self.fields.value(),
            "visibility": "public" if self._is_public() else "private",
        }

    def _preview_request(self) -> tuple[str, Data]:
        """Return the game's slug and the request body for a preview."""
        return self.fields.slug, {"seats": self.seats.count, "options": self.fields.value()}

    def _is_public(self) -> bool:
        return self.is_public and not self.seats.is_shared_device

    def _set_local(self, on: bool) -> None:
        self.is_local = on
        self.update_summary()

    def _set_public(self, on: bool) -> None:
        self.is_public = on
        self.update_summary()
