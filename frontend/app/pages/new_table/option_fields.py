"""Form fields for the options of a game, built from their JSON Schema."""

from collections.abc import Callable
from typing import Any

from _native import fill

from frontend.app.api import game_catalogue
from frontend.app.components.radio_group import radio_group
from frontend.app.components.toggle import toggle_field
from frontend.app.contract.game_screen import OptionEditor
from frontend.app.core.dom import el, stack
from frontend.app.core.i18n import t
from frontend.app.core.types import Action, Data, DomEvent, Node
from frontend.app.games.loader import editor_of, load_game
from frontend.app.pages.form_fields import select_field
from frontend.app.pages.new_table.fold import Fold
from frontend.app.pages.new_table.option_files import OptionFile


class OptionFields:
    """The form fields for a game's options.

    Chosen values are written to ``chosen``, by option name; suggested values are set there at once.
    ``on_change()`` is called after a change of a simple option. The `OptionEditor` of a compound
    option is kept when the form is redrawn.
    """

    def __init__(self, game: Data, chosen: Data, on_change: Action) -> None:
        self.slug = game["slug"]
        self.options = game["options"].get("properties", {})
        self.chosen = chosen
        self.on_change = on_change
        for name, value in game_catalogue.suggested_options(game).items():
            chosen.setdefault(name, value)
        self.advanced = Fold()
        self.shown: dict[str, Node] = {}
        self.structured: dict[str, Node] = {}
        self.editors: dict[str, OptionEditor] = {}
        self.pending_editors: list[Action] = []

    def nodes(self, seats: int) -> list[Node]:
        """Return the fields of the options available with this number of seats."""
        self.shown = {}
        for name, option in self.options.items():
            if seats < option.get("min_seats", 1):
                continue  # the option has no effect with so few seats
            node = self._node(name, option)
            if node is not None:
                self.shown[name] = node
        if self.pending_editors:
            load_game(self.slug, self._create_editors)
        self._update_visibility()
        plain: list[Node] = []
        advanced: list[Node] = []
        for name, node in self.shown.items():
            (advanced if self.options[name].get("advanced") else plain).append(node)
        more = t("setup.more_options")
        return [*plain, self.advanced.node(more, advanced)] if advanced else plain

    def value(self) -> Data:
        """Return the chosen values of the applicable options, by name."""
        return {name: each for name, each in self.chosen.items() if self._applies(name)}

    def summary(self) -> list[str]:
        """Return the titles of the chosen values of the simple options that apply."""
        texts = []
        for name, option in self.options.items():
            now = self._current_value(name)
            if name not in self.shown or not self._applies(name):
                continue
            if option.get("type") == "boolean" and now:
                texts.append(option.get("title", name))
            elif "enum" in option and not option.get("advanced"):
                titles = option.get("titles", [str(each) for each in option["enum"]])
                texts.append(titles[option["enum"].index(now)])
        return texts

    def problem(self) -> str | None:
        """Return the error message of an applicable option's editor; None if there is none."""
        for name, editor in self.editors.items():
            text = editor.problem() if self._applies(name) else None
            if text:
                return text
        return None

    def _applies(self, name: str) -> bool:
        """Return whether the ``when`` conditions of an option hold for the chosen values."""
        when = self.options.get(name, {}).get("when", {})
        return all(self._current_value(other) in values for other, values in when.items())

    def _current_value(self, name: str) -> Any:
        return self.chosen.get(name, self.options[name].get("default"))

    def _create_editors(self) -> None:
        """Create the pending editors; called once the game is loaded."""
        coming, self.pending_editors = self.pending_editors, []
        for create_editor in coming:
            create_editor()

    def _update_visibility(self) -> None:
        for name, node in self.shown.items():
            node.hidden = not self._applies(name)
        for editor in self.editors.values():
            editor.on_options_change(self.chosen)

    def _node(self, name: str, option: Data) -> Node:
        def change(value: Any) -> None:
            self.chosen[name] = value
            self._update_visibility()
            self.on_change()

        now = self._current_value(name)
        if "editor" in option or "attachment" in option:
            if name not in self.structured:
                self.structured[name] = self._structured_node(name, option)
            return self.structured[name]
        if option.get("type") == "boolean":
            small = option.get("description", "")
            return toggle_field(option.get("title", name), small, bool(now), change)
        if "enum" in option:
            return _enum_field(name, option, now, change)
        if option.get("type") == "integer":
            return _number_field(name, option, now, change)
        if "places" in option:
            return _list_field(option, now, change)
        return None

    def _structured_node(self, name: str, option: Data) -> Node:
        """Build the node of a compound option: the game's editor and the file controls, if any."""

        def on_value(value: Any) -> None:
            if name in self.editors:
                self.editors[name].set_value(value)
            else:
                self.chosen[name] = value

        file_control = editor = None
        if "attachment" in option:
            file_control = OptionFile(self.slug, name, option, self.chosen, on_value)
        if "editor" in option:
            editor = self._editor_placeholder(name, option, file_control)
        return stack(editor, file_control.node() if file_control else None)

    def _editor_placeholder(self, name: str, option: Data, option_file: OptionFile | None) -> Node:
        place = el("div", {"class": "skeleton"})

        def on_change(value: Any) -> None:
            if value is None:
                self.chosen.pop(name, None)
            else:
                self.chosen[name] = value
            if option_file:
                option_file.show_status()

        def create_editor() -> None:
            editor = editor_of(self.slug, option["editor"])(
                option, self.chosen.get(name), on_change
            )
            self.editors[name] = editor
            place.className = "editor"
            fill(place, editor.node)
            editor.on_options_change(self.chosen)

        self.pending_editors.append(create_editor)
        return place


def _enum_field(name: str, option: Data, now: Any, on_change: Callable[[Any], object]) -> Node:
    def change(value: Any) -> None:
        on_change(next(each for each in option["enum"] if str(each) == value))

    titles = option.get("titles", [str(each) for each in option["enum"]])
    values = [(each, titles[i], "") for i, each in enumerate(option["enum"])]
    return radio_group(option.get("title", name), values, now, change)


def _number_field(name: str, option: Data, now: Any, on_change: Callable[[Any], object]) -> Node:
    def change(event: DomEvent) -> None:
        typed = str(event.target.value)
        if event.target.checkValidity() and typed:
            on_change(int(typed))

    field = {
        "type": "number",
        "inputmode": "numeric",
        "min": option["minimum"],
        "max": option["maximum"],
        "step": 1,
        "value": option["minimum"] if now is None else now,
        "oninput": change,
    }
    small = option.get("description", "")
    text_node = el("span", {}, option.get("title", name), el("small", {}, small))
    return el("label", {"class": "number"}, text_node, el("input", field))


def _list_field(option: Data, now: Any, on_change: Callable[[Any], object]) -> Node:
    """Build the selects of a list option; each position has its own choices."""
    values = [*now]

    def change(place: int, event: DomEvent) -> None:
        values[place] = str(event.target.value)
        on_change([*values])

    def field(place: int) -> Node:
        titles = zip(option["prefixItems"][place]["enum"], option["titles"], strict=True)
        on_choose = {"onchange": lambda event: change(place, event)}
        name = el("span", {}, option["places"][place])
        return el(
            "label", {"class": "number"}, name, select_field(values[place], titles, **on_choose)
        )

    return stack([field(place) for place in range(len(values))])
