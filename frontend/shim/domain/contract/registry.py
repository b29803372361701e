"""Replacement for ``domain.contract.registry`` in the browser: the games whose code is loaded."""


class Titles:
    """Mapping from a game's slug to its `GameInfo`; imports the game's title module on access."""

    def __getitem__(self, slug):
        return game_module(slug, "title").TITLE


TITLES = Titles()


def game_module(slug, name):
    """Import and return a module of a game, such as its "rules"."""
    return __import__(f"domain.games.{slug}.{name}", fromlist=[name])


def rules_of(slug):
    return game_module(slug, "rules")


def review_module(slug):
    return game_module(slug, "review") if "reviewable" in TITLES[slug].traits else None
