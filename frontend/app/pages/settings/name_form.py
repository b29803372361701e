"""The form in which players change their own name."""

from _native import fill

from frontend.app.api import client, session
from frontend.app.core.dom import el, toast
from frontend.app.core.i18n import t
from frontend.app.core.problem import Problem
from frontend.app.core.single_flight import SingleFlight
from frontend.app.core.types import Callback, Data, DomEvent
from frontend.app.pages.form_fields import name_field


class NameForm:
    """The form in ``node``.

    A device without a player gets one with the entered name.
    """

    def __init__(self) -> None:
        self.flight = SingleFlight()
        self.shown_name = session.current["name"]
        described = {"aria-describedby": "own-name-hint own-name-problem"}
        self.field = name_field(self.shown_name, id="own-name", **described)
        self.problem_line = el("p", {"class": "problem", "role": "alert", "id": "own-name-problem"})
        self.submit = el("button", {"type": "submit", "class": "button"}, t("settings.save_name"))
        hint = el("p", {"class": "muted", "id": "own-name-hint"}, t("settings.name_hint"))
        self.node = el(
            "form",
            {"class": "stack", "onsubmit": self._on_submit},
            el("label", {"for": "own-name"}, t("setup.your_name")),
            self.field,
            hint,
            self.problem_line,
            self.submit,
        )

    def show_name(self) -> None:
        """Show the player's name, unless another has been entered."""
        if str(self.field.value) == self.shown_name:
            self.field.value = self.shown_name = session.current["name"]

    def _on_submit(self, event: DomEvent) -> None:
        event.preventDefault()
        name = str(self.field.value).strip()
        fill(self.problem_line)
        if name:
            self.flight.run(_save_name, (name,), self._on_saved, self._on_error, self.submit)
        else:
            self._show_problem(t("settings.name_missing"))

    def _on_saved(self, player: Data) -> None:
        session.record_player(player)
        # The service has removed invisible characters.
        self.field.value = self.shown_name = session.current["name"]
        toast(t("settings.name_saved"))

    def _on_error(self, problem: Problem) -> None:
        self._show_problem(t("settings.name_offline") if problem.status == 0 else problem.detail)

    def _show_problem(self, text: str) -> None:
        fill(self.problem_line, text)
        self.field.focus()


def _save_name(name: str, done: Callback, failed: Callback) -> None:
    """Change the name of the player, then call ``done(player)`` or ``failed(problem)``."""

    def save() -> None:
        client.call("PUT", "/api/players/me/name", {"name": name}, done, failed)

    session.ensure_player(name, save, failed)
