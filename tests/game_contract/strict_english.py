"""English texts for tests: a message id that no catalogue has fails the test.

The product shows an unknown id unchanged, so a test that only looks at the text would not notice.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.text.i18n import Language, TranslatableError


class StrictEnglish(Language):
    """English in which every message must be known, nested ones and nouns too."""

    def find_message(self, text_domain: str, message_id: str) -> Any:
        found = super().find_message(text_domain, message_id)
        assert found, f"{text_domain} has no message {message_id!r}"
        return found


STRICT_ENGLISH = StrictEnglish()


def format_message(
    text_domain: str, message_id: str, args: Mapping[str, Any], seat_names: Sequence[str] = ()
) -> str:
    """Return a message in English; fails if it or any part of it is unknown."""
    return STRICT_ENGLISH.format_message(text_domain, message_id, args, seat_names)


def format_reason(text_domain: str, error: TranslatableError) -> str:
    """Return the reason of an error that a game's rules raise, in English; fails if unknown.

    The rules do not know their text domain: `domain.match.Timeline` adds it.
    """
    return format_message(text_domain, error.message_id, error.message_args)
