"""What stays secret after the end of a match, as the game's rules decide."""

from typing import Any

from domain.contract.game import AnyRules
from domain.match.commands import Open
from domain.match.events import MatchOpened


def options_of(rules: AnyRules, opened: Open | MatchOpened) -> Any:
    """Return the options as the game's options struct; unknown options are ignored."""
    known = rules.Options.__struct_fields__
    return rules.Options(**{name: opened.options[name] for name in known if name in opened.options})


def match_keeps_secrets(rules: AnyRules, opened: Open | MatchOpened) -> bool:
    """Return whether hidden information stays hidden when the match is over."""
    return rules.keeps_secrets(options_of(rules, opened))


def published_seed(rules: AnyRules, opened: MatchOpened) -> str:
    """Return the seed that is published at the end.

    Empty in a match that keeps its secrets but has no deal seed, as in older matches: their hidden
    deals came from this seed.
    """
    return "" if match_keeps_secrets(rules, opened) and not opened.deal_commitment else opened.seed
