"""docs/OPERATIONS.md documents every setting of the service with its default."""

import re
from pathlib import Path

import msgspec
import pytest

from service.settings import Settings

PAGE = Path(__file__).parents[2] / "docs" / "OPERATIONS.md"
IN_WORDS = {"frontend", "fonts", "vapid_key", "vapid_subject"}
"""Settings whose empty default means something that the page says in words."""


def documented_defaults() -> dict[str, str]:
    """Return the default of each setting in the tables."""
    found: dict[str, str] = {}
    for names, defaults in re.findall(r"^\| (`[A-Z_`, ]+`) \|([^|]*)\|", PAGE.read_text(), re.M):
        settings = [name.lower() for name in re.findall(r"`(\w+)`", names)]
        values = [value.strip().strip("`") for value in defaults.split(",")]
        found |= dict(zip(settings, values, strict=len(settings) > 1))
    return found


@pytest.mark.parametrize("field", msgspec.structs.fields(Settings), ids=lambda field: field.name)
def test_setting_is_documented(field: msgspec.structs.FieldInfo) -> None:
    documented = documented_defaults()[field.name]
    if field.name not in IN_WORDS:
        default = field.default
        assert documented == (f"{default:g}" if isinstance(default, float) else str(default))


def test_nothing_else_is_documented() -> None:
    assert documented_defaults().keys() == {*Settings.__struct_fields__}
