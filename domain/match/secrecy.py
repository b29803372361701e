"""What of a match stays secret when it is over: the game's rules say so."""

from typing import Any

from domain.game import AnyRules
from domain.match.commands import Open
from domain.match.events import MatchOpened


def options_of(rules: AnyRules, opened: Open | MatchOpened) -> Any:
    """The options as the game's own struct; those it does not know count for nothing."""
    known = rules.Options.__struct_fields__
    return rules.Options(**{name: opened.options[name] for name in known if name in opened.options})


def secrets_kept(rules: AnyRules, opened: Open | MatchOpened) -> bool:
    """Whether what was hidden stays so when the match is over."""
    return rules.keeps_secrets(options_of(rules, opened))


def published_seed(rules: AnyRules, opened: MatchOpened) -> str:
    """The seed as it is published at the end.

    Empty in a match that keeps its secrets and was dealt from this seed, as matches were before
    deals had one of their own.
    """
    return "" if secrets_kept(rules, opened) and not opened.deal_commitment else opened.seed
