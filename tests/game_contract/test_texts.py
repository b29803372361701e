"""Every text that a game names by its id is in the game's English catalogue."""

from typing import Any

import pytest

from domain.contract.options import schema_of
from domain.contract.registry import TITLES, rules_of
from domain.text.english import english_messages
from tests.game_contract.strict_english import format_message


def option_texts(schema: dict[str, Any]) -> list[str]:
    """Return the message ids of all options: titles, descriptions and titles of values."""
    found = []
    for option in schema["properties"].values():
        found.append(option["title"])
        found += [option[name] for name in ("description",) if name in option]
        found += [*option.get("titles", ()), *option.get("places", ())]
    return found


@pytest.mark.parametrize("slug", TITLES)
def test_lobby_texts_are_known(slug: str) -> None:
    title = TITLES[slug]
    texts = [*option_texts(schema_of(title)), title.about]
    for message_id in texts:
        assert "{" not in format_message(slug, message_id, {})


@pytest.mark.parametrize("slug", TITLES)
def test_titles_of_values_are_complete(slug: str) -> None:
    for option in schema_of(TITLES[slug])["properties"].values():
        if "titles" in option and "enum" in option:
            assert len(option["titles"]) == len(option["enum"])


@pytest.mark.parametrize("slug", TITLES)
def test_groups_have_names_of_existing_commands(slug: str) -> None:
    """A group of commands may have a name; a name without commands is a misspelt one."""
    named = {key for key in english_messages(slug) if key.startswith("group-")}
    assert named <= {f"group-{command.__name__}" for command in rules_of(slug).COMMANDS}
