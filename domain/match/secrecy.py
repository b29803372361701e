"""Secrecy after the end of a match, as determined by the game's rules."""

from typing import Any

from domain.contract.game import AnyRules
from domain.match.commands import Open
from domain.match.events import MatchOpened


def options_of(rules: AnyRules, opened: Open | MatchOpened) -> Any:
    """Return a match's options as the game's options struct; unknown options are ignored."""
    known = rules.Options.__struct_fields__
    return rules.Options(**{name: opened.options[name] for name in known if name in opened.options})


def match_keeps_secrets(rules: AnyRules, opened: Open | MatchOpened) -> bool:
    """Return whether hidden information stays hidden when the match is over."""
    return rules.keeps_secrets(options_of(rules, opened))


def published_seed(rules: AnyRules, opened: MatchOpened) -> str:
    """Return the seed that is published at the end.

    It is empty in an older match that keeps its secrets but has no deal seed, because hidden deals
    were drawn from this seed.
    """
    return "" if match_keeps_secrets(rules, opened) and not opened.deal_commitment else opened.seed
