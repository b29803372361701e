"""What a simulated month needs: its clock, a simultaneous game, and settings without limits."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

from domain import games
from domain.contract import registry
from domain.text.english import register_catalogue
from service.common.clock import override_clock
from service.matches import bot_runner
from service.notifications.delivery.sender import NotificationSender
from service.settings import Settings
from tests.service.simulated_month import Month


@contextmanager
def as_months_are(month: Month) -> Iterator[None]:
    """Patch what a month needs.

    A virtual clock, the simultaneous test game as a registered game, bots that do not ponder, and a
    sender that sends when the month says so.
    """
    folder = str(Path(__file__).parent.parent)
    register_catalogue("pebbles", Path(folder, "pebbles", "po"))
    with patch.object(games, "__path__", [*games.__path__, folder]):
        title = import_module("domain.games.pebbles.title").TITLE
        with (
            patch.dict(registry.TITLES, {"pebbles": title}),
            patch.object(bot_runner, "THINKING_TIME_S", 0.0),
            patch.object(NotificationSender, "_run", _idle),
            override_clock(lambda: month.now),
        ):
            yield


async def _idle(_sender: NotificationSender) -> None:
    """Replace the sender's polling."""


def settings_of(folder: Path, hosts: str = "") -> Settings:
    """Return settings without rate limits; ``hosts``: where webhooks may lead."""
    limits: Any = {"play_limit": 0, "create_limit": 0, "stranger_limit": 0}
    return Settings(data=str(folder), bot_patience=0.0, notice_hosts=hosts, **limits)
