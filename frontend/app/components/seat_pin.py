"""The optional PIN of a seat, chosen when the seat is taken."""

from domain.text.pins import is_common, is_pin
from frontend.app.api import client
from frontend.app.core.dom import el, fill, pin_field, toast
from frontend.app.core.i18n import t
from frontend.app.core.problem import Problem
from frontend.app.core.types import Action, Node

PIN_HELP = t("seat.pin_hint")


class PinField:
    """A field for the optional PIN of the seat about to be taken."""

    def __init__(self) -> None:
        self.field = pin_field("seat-pin")
        self.error_node = el("p", {"class": "problem", "role": "alert"})

    def nodes(self) -> list[Node]:
        return [
            el("label", {"for": "seat-pin"}, t("seat.pin_field_optional")),
            self.error_node,
            self.field,
            el("p", {"class": "muted"}, PIN_HELP),
        ]

    def value(self) -> str:
        """Return the entered PIN; "" for none."""
        return str(self.field.value).strip()

    def validate(self) -> bool:
        """Return whether the PIN is valid or empty; if not, show the reason and focus the field."""
        pin, problem = self.value(), ""
        if pin and not is_pin(pin):
            problem = t("seat.pin_invalid")
        elif pin and is_common(pin):
            problem = t("seat.pin_common")
        fill(self.error_node, problem)
        if problem:
            self.field.focus()
        return not problem


def set_pin(match_id: str, seats: list[int], pin: str, then: Action) -> None:
    """Set the PIN of the first of these seats, if one was entered, then call ``then()``.

    If the PIN is refused, a toast is shown and ``then()`` is called; it can be set later in the
    match.
    """

    def on_error(problem: Problem) -> None:
        toast(problem.detail)
        then()

    if not pin or not seats:
        then()
        return
    body = {"seat": seats[0], "pin": pin}
    client.call("PUT", f"/api/matches/{match_id}/pin", body, lambda _pin: then(), on_error)
