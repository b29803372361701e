"""Switching this device to another player by a device link or a recovery code."""

from typing import Any

from frontend.app.api import client, session
from frontend.app.components.confirm_dialog import ConfirmDialog
from frontend.app.core.dom import toast
from frontend.app.core.i18n import t
from frontend.app.core.problem import Problem
from frontend.app.core.types import Action, Callback, Data


def loss_warning(name: str) -> str:
    """Return the warning that a player may be lost for good when no device plays as them."""
    return t("account.loss_warning", name=name)


def claim_player(path: str, code: str, then: Action, failed: Callback) -> None:
    """Make this device play as the player of a device link or a recovery code.

    ``path``: the API path that accepts ``code``. Asks for confirmation if this device already plays
    as another player. Calls ``then()`` on success or ``failed(problem)`` on an error, and neither
    if the user declines.
    """

    def send(replace: Any) -> None:
        def on_error(problem: Problem) -> None:
            if problem.code == "already_player":
                ask(*[session.display_name(problem.data[who]) for who in ("present", "offered")])
            else:
                failed(problem)

        client.call("POST", path, {"code": code, "replace": replace}, done, on_error)

    def ask(present: Any, offered: Any) -> None:
        ConfirmDialog(
            t("account.switch_to_question", offered=offered),
            [t("account.switch_text", present=present, offered=offered), loss_warning(present)],
            t("account.switch_to", offered=offered),
            t("account.keep_identity", present=present),
            lambda: send(True),
        )

    def done(player: Data) -> None:
        session.record_player(player)
        toast(t("account.switched", name=session.own_name()))
        then()

    send(False)
