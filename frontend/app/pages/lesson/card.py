"""The card of a lesson, which explains each step."""

from _native import fill, patch

from frontend.app.core.dom import button, el
from frontend.app.core.i18n import t
from frontend.app.core.types import Action, Node


class LessonCard:
    """The card with a text, the number of the step and buttons; ``skip()`` ends the lesson.

    The text is a polite live region; the card never takes the focus.
    """

    def __init__(self, skip: Action) -> None:
        self.text = el("div", {"class": "coach-text", "role": "status", "aria-live": "polite"})
        self.buttons = el("div", {"class": "coach-ways"})
        self.count = el("span", {"class": "muted figures"})
        more = {"aria-label": t("lesson.skip_name")}
        skip_button = button(t("lesson.skip"), lambda _e: skip(), "quiet", **more)
        self.side = el("div", {"class": "coach-side"}, skip_button, self.count)
        label = {"class": "coach", "aria-label": t("lesson.title")}
        self.node = el("section", label, self.text, self.side, self.buttons)

    def show_count(self, step: int | None, total: int) -> None:
        """Show the number of the step, None after the end, when nothing is left to skip."""
        self.side.hidden = step is None
        fill(self.count, None if step is None else t("lesson.step", step=step, steps=total))

    def show(self, learnt: str, text: str, buttons: list[Node], kind: str = "") -> None:
        """Fill the card; only its text scrolls, so that the buttons are always visible.

        ``learnt``: the explanation of the step before; ``kind``: further CSS classes.
        """
        kind = kind or ("reads" if buttons else "")
        patch(self.node, {"class": f"coach {kind}".strip()})
        self.text.scrollTop = 0
        explanation = el("p", {"class": "learnt"}, learnt) if learnt else None
        fill(self.text, explanation, el("p", {}, text))
        fill(self.buttons, buttons)
