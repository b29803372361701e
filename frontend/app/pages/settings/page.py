"""The settings: what this device remembers, the player's name, and links to related pages."""

from typing import Any

from _native import local_storage, theme

from frontend.app.api import session
from frontend.app.components import board_thumbnail, match_file, page_frame
from frontend.app.components.menu_button import menu_link
from frontend.app.components.radio_group import radio_group
from frontend.app.components.toggle import toggle_field
from frontend.app.core import device_feedback
from frontend.app.core.dom import by_id, el, muted_text, patch, show
from frontend.app.core.i18n import t
from frontend.app.core.types import Navigate, Node
from frontend.app.pages.account.page import notifications_card, titled_card
from frontend.app.pages.settings.language_picker import language_buttons
from frontend.app.pages.settings.name_form import NameForm


class SettingsPage(page_frame.Page):
    """The page ``/settings``."""

    def __init__(self, navigate: Navigate) -> None:
        self.name_form = NameForm()
        page = page_frame.page(
            t("settings.title"),
            titled_card(t("settings.look"), _theme_choice(), language_buttons(), _labels_switch()),
            titled_card(
                t("account.during_game"), _game_switches(), _hint_choice(), _speed_choice()
            ),
            notifications_card(),
            self._player_card(),
            _data_card(navigate),
        )
        show(page, page_frame.navigation("/settings"))
        session.load(self.name_form.show_name)

    def _player_card(self) -> Node:
        devices = menu_link(t("settings.devices"), t("settings.devices_hint"), "/you")
        return titled_card(t("page.nav_you"), self.name_form.node, devices)


def _store(key: str, default: str) -> Any:
    """Return a function that stores a choice under ``key``; the default is not stored."""

    def store(value: str) -> None:
        local_storage(key, None if value == default else value)

    return store


def _choice(legend: str, key: str, values: Any, default: str) -> Node:
    values = [(value, title, "") for value, title in values]
    return radio_group(legend, values, local_storage(key) or default, _store(key, default))


def _switch(title: str, hint: str, key: str) -> Node:
    """Return the switch of a setting that is on unless it was turned off."""

    def change(on: bool) -> None:
        local_storage(key, None if on else "off")

    return toggle_field(title, hint, local_storage(key) != "off", change)


def _theme_choice() -> Node:
    values = [
        ("", t("home.theme_system"), ""),
        ("light", t("home.theme_light"), ""),
        ("dark", t("home.theme_dark"), ""),
    ]

    def change(value: str) -> None:
        theme(value)
        local_storage("theme", value or None)
        board_thumbnail.refresh_theme()

    return radio_group(t("home.theme"), values, theme(), change)


def _labels_switch() -> Node:
    """Return the switch for the names of cells, which boards show only when enlarged."""

    def change(on: bool) -> None:
        local_storage("board-labels", "on" if on else None)
        patch(by_id("app").closest("html"), {"data-labels": on})

    is_on = local_storage("board-labels") == "on"
    return toggle_field(t("settings.labels"), t("settings.labels_hint"), is_on, change)


def _game_switches() -> list[Node]:
    signals = (device_feedback.has_sound(), device_feedback.set_sound)
    shaking = (device_feedback.has_vibration(), device_feedback.set_vibration)
    return [
        toggle_field(t("account.sound"), t("account.sound_hint"), *signals),
        toggle_field(t("settings.vibration"), t("settings.vibration_hint"), *shaking),
        _switch(t("settings.confirm"), t("settings.confirm_hint"), "confirm-moves"),
        _switch(t("settings.forced"), t("settings.forced_hint"), "forced-moves"),
    ]


def _hint_choice() -> list[Node]:
    values = [
        ("first", t("settings.hints_first")),
        ("on", t("settings.always")),
        ("off", t("settings.never")),
    ]
    choice = _choice(t("turn.hints"), "hints", values, "first")
    return [choice, muted_text(t("settings.hints_hint"))]


def _speed_choice() -> Node:
    values = [
        ("slow", t("settings.speed_slow")),
        ("normal", t("settings.speed_normal")),
        ("fast", t("settings.speed_fast")),
        ("off", t("settings.speed_off")),
    ]
    return _choice(t("settings.speed"), "animation-speed", values, "normal")


def _data_card(navigate: Navigate) -> Node:
    return titled_card(
        t("settings.data"),
        el("p", {}, t("settings.data_text")),
        menu_link(t("page.nav_tables"), t("settings.data_tables"), "/tables"),
        match_file.import_button(navigate),
    )
