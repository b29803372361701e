"""One screen for each game; `generic` for games without one.

A game's screen is a module ``frontend/app/games/<slug>.py`` that offers

- ``RULES``: the game's rules module when the browser may fold its events (nothing is hidden in
  it), else None: then views and choices come from the service;
- ``Screen(host)`` with ``node`` (fills the board's place), ``panel`` (heads the dock), ``aside``
  (stands below it, or None),
  ``draw(now)``, ``prompt(now)`` and ``label(choice)``;
- ``open_text(event, match)``, if seats have secrets: see `frontend.app.match.Match`,
  `frontend.app.hands` and `frontend.app.cover`;
- ``turns_in_round(seats)``, if a round is more than one of the turns that the rules count.

``now`` is a `frontend.app.table.Now`. ``host`` offers ``play(*commands)``, ``names()``,
``short(seat)`` and ``match``. With RULES choices are `domain.game.Choice` and commands structs;
without, they are the service's dicts, and a command is the dict ``choice["command"]``.
"""

from _native import has_game

PLACE = "frontend.app.games."


def screen_of(slug):
    """The module of a game's screen."""
    name = slug if has_game(slug) else "generic"
    return __import__(PLACE + name, fromlist=["Screen"])
