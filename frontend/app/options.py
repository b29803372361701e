"""The options of a game as fields of a form, by what the service says of each."""

from collections.abc import Callable
from typing import Any

from _native import fill

from frontend.app.attachments import Attachment
from frontend.app.dom import el
from frontend.app.houses import editor_of, load_look
from frontend.app.typed import Data, DomEvent, Node


def fields(game: Data, seats: int, chosen: Data) -> list[Node]:
    """A field for each option that so many seats can choose; what is chosen goes into ``chosen``,
    by name."""
    found = []
    for name, option in game["options"].get("properties", {}).items():
        if seats < option.get("min_seats", 1):
            continue  # nothing to choose among so few
        if "editor" in option or "attachment" in option:
            found.append(_whole(game["slug"], name, option, chosen))
        elif option.get("type") == "boolean":
            found.append(_switched(name, option, chosen))
        elif "enum" in option:
            found.append(_chosen(name, option, chosen))
        elif option.get("type") == "integer":
            found.append(_counted(name, option, chosen))
    return found


def _whole(slug: str, name: str, option: Data, chosen: Data) -> Node:
    """A thing of its own: the game's editor for it, and how it comes and goes."""
    place = el("div", {"class": "skeleton", "hidden": "editor" not in option})

    def changed(value: Any) -> None:
        chosen[name] = value

    def come() -> None:
        editor = editor_of(slug, option["editor"])(option, chosen.get(name), changed)
        place.className = "editor"
        fill(place, editor.node)

    def edit() -> None:
        if "editor" in option:
            load_look(slug, come)

    edit()
    if "attachment" not in option:
        return place
    return el("div", {}, place, Attachment(slug, name, option, chosen, edit).node())


def _switched(name: str, option: Data, chosen: Data) -> Node:
    on = bool(chosen.get(name, option.get("default", False)))

    def change(value: Any) -> None:
        chosen[name] = value

    return switch(option.get("title", name), option.get("description", ""), on, change)


def _chosen(name: str, option: Data, chosen: Data) -> Node:
    now = chosen.get(name, option.get("default"))

    def change(value: Any) -> None:
        chosen[name] = next(each for each in option["enum"] if str(each) == value)

    titles = option.get("titles", [str(each) for each in option["enum"]])
    values = [(each, titles[i], "") for i, each in enumerate(option["enum"])]
    return choices(option.get("title", name), values, now, change)


def _counted(name: str, option: Data, chosen: Data) -> Node:
    def change(event: DomEvent) -> None:
        typed = str(event.target.value)
        if event.target.checkValidity() and typed:
            chosen[name] = int(typed)

    field = {
        "type": "number",
        "inputmode": "numeric",
        "min": option["minimum"],
        "max": option["maximum"],
        "step": 1,
        "value": chosen.get(name, option.get("default", option["minimum"])),
        "oninput": change,
    }
    small = option.get("description", "")
    words = el("span", {}, option.get("title", name), el("small", {}, small))
    return el("label", {"class": "number"}, words, el("input", field))


def choices(legend: str, values: Any, chosen: Any, changed: Callable[..., object]) -> Node:
    """A row of buttons of which one is pressed; values are ``(value, title, small print)``."""
    group = "g" + legend.replace(" ", "")
    parts = []
    for value, title, small in values:
        parts.append(
            el(
                "label",
                {},
                el(
                    "input",
                    {
                        "type": "radio",
                        "name": group,
                        "value": value,
                        "checked": value == chosen,
                        "onchange": lambda event: changed(event.target.value),
                    },
                ),
                el("span", {}, title, el("small", {}, small) if small else None),
            )
        )
    return el("fieldset", {"class": "choice"}, el("legend", {}, legend), parts)


def switch(title: str, small: str, on: bool, changed: Callable[..., object]) -> Node:
    """A question that is answered by yes or no."""
    return el(
        "label",
        {"class": "switch"},
        el(
            "input",
            {
                "type": "checkbox",
                "role": "switch",
                "checked": on,
                "onchange": lambda event: changed(bool(event.target.checked)),
            },
        ),
        el("span", {}, title, el("small", {}, small) if small else None),
    )
