"""The action panel of a seat whose choices are secret."""

from collections.abc import Callable
from typing import Any

from _native import fill, keep_focus

from frontend.app.components.seat_handover import Handover
from frontend.app.components.secret_cover import Cover
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import button, el
from frontend.app.core.i18n import t
from frontend.app.core.types import Callback


class SecretPanel:
    """A panel with a cover over the seat's secrets, and the hand-over of a shared device.

    ``on_cover(is_open)`` is called when the cover is opened or closed; ``now``: the view model of
    the moment shown.
    """

    content_key: Callable[..., tuple[Any, ...]]
    """``content_key(now, seat)`` returns a key that changes whenever the actions or the covered
    content change; a game's panel must define it."""
    build_secrets: Callable[[], list[Any]]
    """``build_secrets()`` returns the covered nodes; a game's panel must define it."""

    def __init__(self, host: ScreenHost, on_cover: Callback = lambda _is_open: None) -> None:
        self.host = host
        self.now: Any = None
        self.built: Any = None  # the key of the content that the panel was last built for
        self.opening: int | None = None  # the seat whose cover opens once its view is known
        self.node = el("div", {"class": "desk"})
        self.cover = Cover(host, self.cover_label, self.build_secrets, on_cover)
        self.handover = Handover(host, self._on_seat_taken)

    def draw(self, now: ViewModel) -> None:
        """Draw a moment.

        The panel is rebuilt only if its content has changed, and not while the choices are being
        loaded.
        """
        self.now = now
        if now.live and now.seat is not None and not now.has_choices and self.built is not None:
            return  # the service has not sent the choices yet
        open_content = self.build_open(now)
        if open_content is not None:
            self.cover.hide()
            self.built = None
            fill(self.node, open_content)
            return
        seat = self.host.match.active_seat
        due = self.handover.next_seat() if now.live else None
        known = seat is not None and self.is_known(now, seat)
        key = (due, seat, known, now.live, *self.content_key(now, seat))
        if key != self.built:
            self.built = key
            keep_focus(lambda: self.rebuild(due, known))
        self.cover.update_label()
        if due is not None or not known:
            self.cover.hide()
        elif self.opening == seat:
            self.opening = None
            self.cover.show()

    def rebuild(self, due: int | None, known: bool) -> None:
        """Rebuild the panel.

        ``due``: the seat that should get the device, or None; ``known``: whether the secrets of
        the active seat are known.
        """
        if due is None and known:
            self.cover.draw()
        if due is None:
            fill(self.node, self.build(known))
            return
        text = t("seat.pass_phone_button", names=self.host.match.names[due])
        fill(self.node, button(text, lambda _e: self.handover.ask(due), "primary"))

    def _on_seat_taken(self, seat: int | None) -> None:
        self.built = None
        self.opening = seat

    # -- what a game may override -----------------------------------------------------------------

    def is_known(self, now: ViewModel, seat: int) -> bool:
        """Return whether the view contains the secrets of ``seat``."""
        return True

    def build_open(self, now: ViewModel) -> Any:
        """Return what is shown to viewers who may see everything; None for all others."""
        return None

    def build(self, known: bool) -> Any:
        """Return the content of the panel: public controls and, if ``known``, the cover."""
        return self.cover.node if known else ()

    def cover_label(self) -> str:
        """Return the text of the closed cover."""
        choosing = self.now is not None and self.now.has_choices
        return t("turn.choose_or_peek") if choosing else t("turn.hold_to_peek")
