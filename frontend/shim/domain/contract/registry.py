"""Replacement for ``domain.contract.registry`` in the browser: the games whose code is loaded."""


class Titles:
    """Title of each game by slug."""

    def __getitem__(self, slug):
        return game_module(slug, "title").TITLE


TITLES = Titles()


def game_module(slug, name):
    """Import a module of a game."""
    return __import__(f"domain.games.{slug}.{name}", fromlist=[name])


def rules_of(slug):
    return game_module(slug, "rules")


def review_module(slug):
    return game_module(slug, "review") if "reviewable" in TITLES[slug].traits else None
