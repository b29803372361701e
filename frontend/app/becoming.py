"""Switching this device to another player by a device link or a recovery code."""

from typing import Any

from frontend.app import client, people
from frontend.app.confirm_dialog import Question
from frontend.app.dom import toast
from frontend.app.problem import Problem
from frontend.app.typed import Data, Does, Told
from frontend.app.words import t


def gone(name: str) -> str:
    """Return the warning that a player may be lost for good when this device leaves them."""
    return t("Without a recovery code or another device nobody can be {name} again.", name=name)


def become(path: str, code: str, then: Does, failed: Told) -> None:
    """Make this device play as the player of a device link or a recovery code.

    ``path``: the API path that takes ``code``. Asks for confirmation if this device already plays
    as somebody. Calls ``then()`` once this device plays as the new player, or ``failed(problem)``;
    neither if the answer is no.
    """

    def send(replace: Any) -> None:
        def lost(problem: Problem) -> None:
            if problem.code == "already_player":
                ask(*[people.called(problem.data[who]) for who in ("present", "offered")])
            else:
                failed(problem)

        client.call("POST", path, {"code": code, "replace": replace}, done, lost)

    def ask(present: Any, offered: Any) -> None:
        Question(
            t("Become {offered}?", offered=offered),
            [
                t(
                    "This device plays as {present}. Become {offered} instead?",
                    present=present,
                    offered=offered,
                ),
                gone(present),
            ],
            t("Become {offered}", offered=offered),
            t("Stay {present}", present=present),
            lambda: send(True),
        )

    def done(player: Data) -> None:
        people.note(player)
        toast(t("This device now plays as {name}.", name=people.my_name()))
        then()

    send(False)
