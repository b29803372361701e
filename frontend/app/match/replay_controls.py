"""The replay controls: the slider, the step and turn buttons, and automatic play."""

from typing import Any

from _native import add_listener, go

from frontend.app.contract.context import MatchContext, Phase
from frontend.app.contract.game_screen import Screen
from frontend.app.core.dom import after, button, cancel, el, fill, icon, patch
from frontend.app.core.i18n import t
from frontend.app.core.signal import Signal
from frontend.app.core.types import Action, DomEvent, Node
from frontend.app.match.moment_view import MomentView
from frontend.app.match.sheets import Sheets
from frontend.app.match.turn_labels import START_LABEL

# (name, milliseconds between two moments, milliseconds between two pieces of one event)
SPEEDS: tuple[tuple[str, int, int], ...] = (
    (t("history.speed_slow"), 1400, 450),
    (t("history.speed_normal"), 650, 230),
    (t("history.speed_fast"), 200, 60),
)
ROUND_BUTTON = "round quiet"
ADDRESS_DELAY_MS = 150  # milliseconds after the last step until the address is updated


class SpeedButtons:
    """The buttons (``node``) that choose the speed of the replay, shown while it plays.

    ``on_chosen()`` is called when one is pressed.
    """

    def __init__(self, on_chosen: Action) -> None:
        self.on_chosen = on_chosen
        self.number = 1
        self.buttons = [self._build_button(n, each[0]) for n, each in enumerate(SPEEDS)]
        labelled = {"role": "group", "aria-label": t("history.speed")}
        self.node = el("div", {"class": "speeds", "hidden": True, **labelled}, self.buttons)
        self._mark()

    @property
    def moment_ms(self) -> int:
        """Milliseconds between two moments."""
        return SPEEDS[self.number][1]

    @property
    def piece_ms(self) -> int:
        """Milliseconds between two pieces of one event."""
        return SPEEDS[self.number][2]

    def _build_button(self, number: int, name: str) -> Node:
        def on_press(_event: DomEvent) -> None:
            self.number = number
            self._mark()
            self.on_chosen()

        return el("button", {"type": "button", "onclick": on_press}, name)

    def _mark(self) -> None:
        for number, node in enumerate(self.buttons):
            patch(node, {"aria-pressed": "true" if number == self.number else "false"})


class ReplayControls:
    """The replay controls of one match.

    They set the version shown in the context; the address of the page reflects it. ``timer``: set
    while the replay is playing; ``play_changed()``: emitted when the user starts or stops that.

    On phones the controls are folded away until they are used (``is_folded``; ``folded_changed()``
    is emitted when that changes). The slider stays reachable for keyboards and screen readers.
    """

    def __init__(
        self,
        context: MatchContext,
        screen: Screen,
        moment_view: MomentView,
        sheets: Sheets,
        turn_labels: dict[str, str],
    ) -> None:
        self.context = context
        self.screen = screen
        self.moment_view = moment_view
        self.sheets = sheets
        self.turn_labels = turn_labels
        self.play_changed = Signal()
        self.is_folded = True
        self.folded_changed = Signal()
        self.timer: Any = None
        self.address_timer: Any = None
        self.speeds = SpeedButtons(self._play)
        self.slider = self._build_slider()
        self.output = el("output", {})
        self.play_button = button(
            t("history.play"), lambda _e: self.toggle_play(), ROUND_BUTTON, "i-play"
        )
        self.node = el(
            "div",
            {"class": "history folded", "role": "group", "aria-label": t("history.title")},
            el("div", {"class": "walk"}, self.output, self.slider),
            el("div", {"class": "steps"}, self._build_step_buttons()),
        )
        context.match_changed.subscribe(lambda _texts: self._update())
        context.listeners.append(add_listener("document", "keydown", self._on_key))
        context.on_close(self.stop)

    def _build_slider(self) -> Node:
        return el(
            "input",
            {
                "type": "range",
                "aria-label": t("history.position"),
                "min": 1,
                "step": 1,
                "oninput": lambda event: self.show_version(int(event.target.value)),
                "onfocus": lambda _event: self._fold(False),
            },
        )

    def _build_step_buttons(self) -> list[Node]:
        """Build the buttons for steps, with the one that plays in the middle."""

        def step_button(name: str, action: Action, sign: str) -> Node:
            return button(name, lambda _e: action(), ROUND_BUTTON, sign)

        back, on = t(self.turn_labels["back"]), t(self.turn_labels["on"])
        return [
            step_button(t("history.start"), self.show_first, "i-first"),
            step_button(back, lambda: self.step_turn(-1), "i-turn-back"),
            step_button(t("history.previous_move"), lambda: self.step(-1), "i-previous"),
            self.play_button,
            step_button(t("history.next_move"), lambda: self.step(1), "i-next"),
            step_button(on, lambda: self.step_turn(1), "i-turn-on"),
            step_button(t("history.latest"), self.show_present, "i-last"),
        ]

    def _play(self) -> None:
        """Start playing, unless the replay plays already."""
        if self.timer is None:
            self.toggle_play()

    def toggle(self) -> None:
        """Unfold the controls, or fold them and return to the current moment."""
        if not self.is_folded and self.context.at is not None:
            self.show_present()
        self._fold(not self.is_folded)

    def leave(self) -> None:
        """Return to the current moment and fold the controls."""
        self.show_present()
        self._fold(True)

    def _fold(self, is_folded: bool) -> None:
        if is_folded != self.is_folded:
            self.is_folded = is_folded
            patch(self.node, {"class": "history folded" if is_folded else "history"})
            self.folded_changed.emit()

    def first_version(self) -> int:
        """Return the earliest version that can be shown."""
        return self.context.match.first_version()

    def last_version(self) -> int:
        """Return the latest version."""
        return self.context.match.version

    def _update(self) -> None:
        """Update the range and the position of the slider."""
        patch(self.slider, {"min": self.first_version(), "max": self.last_version()})
        self._mark()

    def _mark(self) -> None:
        at = self.last_version() if self.context.at is None else self.context.at
        self.slider.value = str(at)
        text = self.context.match.position_text(at, self.turn_labels["at"], START_LABEL)
        fill(self.output, text)
        patch(self.slider, {"aria-valuetext": text})

    def show_version(self, version: int, hidden_pieces: int = 0) -> None:
        """Show a version, limited to the range of the match, and stop any animation.

        ``hidden_pieces``: how many of the last pieces of the version's event to leave out, so that
        the replay can add them one by one.
        """
        version = max(self.first_version(), min(self.last_version(), version))
        self._fold(False)
        self.moment_view.playback.stop()
        self.context.at = version
        self.context.hidden_pieces = hidden_pieces
        if self.timer is None:
            self.moment_view.prefetch(version)
        self._schedule_address()
        self._mark()
        self.moment_view.draw()

    def show_first(self) -> None:
        """Show the earliest version."""
        self.show_version(self.first_version())

    def jump_to(self, version: int) -> None:
        """Close all sheets, stop playing and show a version."""
        self.sheets.close_all()
        self.stop()
        self.show_version(version)

    def _schedule_address(self) -> None:
        """Update the address once the slider rests, as browsers limit the rate of changes."""
        cancel(self.address_timer)
        self.address_timer = after(ADDRESS_DELAY_MS, self._update_address)

    def _update_address(self) -> None:
        self.address_timer = None
        if not self.context.is_closed:
            go(self.context.address_at(self.context.at), True)

    def show_present(self) -> None:
        """Stop playing and return to the current moment."""
        self.stop()
        self.context.at = None
        self.context.hidden_pieces = 0
        self._schedule_address()
        self._mark()
        self.context.match_changed.emit(())  # changes since then are shown now

    def step(self, by: int) -> None:
        """Go forward (positive) or back by a number of versions.

        A step forward from the latest version leads to the current moment. Stops playing.
        """
        self.stop()
        at = self.last_version() if self.context.at is None else self.context.at
        if by > 0 and at >= self.last_version():
            self.show_present()
        else:
            self.show_version(at + by)

    def step_round(self, by: int) -> None:
        """Go forward (1) or back (-1) by one round."""
        self._jump(by, self.context.match.turns.round_versions)

    def step_turn(self, by: int) -> None:
        """Go forward (1) or back (-1) by one turn."""
        self._jump(by, self.context.match.turns.versions)

    def _jump(self, by: int, marks: Any) -> None:
        self.stop()
        at = self.last_version() if self.context.at is None else self.context.at
        ahead = [
            mark for mark in marks if (mark > at if by > 0 else self.first_version() <= mark < at)
        ]
        if ahead:
            self.show_version(ahead[0] if by > 0 else ahead[-1])
        elif by > 0:
            self.show_present()
        else:
            self.show_first()

    # -- playing -------------------------------------------------------------------------------

    def toggle_play(self) -> None:
        """Stop playing, or start playing from the version shown; at the end, from the first."""
        if self.timer is not None:
            self.stop()
            self.play_changed.emit()
            return
        if self.context.at is None or self.context.at >= self.last_version():
            self.show_first()
        fill(self.play_button, icon("i-pause"))
        self.timer = after(self.speeds.moment_ms, self._tick)
        self.speeds.node.hidden = False
        self.play_changed.emit()

    def stop(self) -> None:
        """Stop playing."""
        if self.timer is not None:
            cancel(self.timer)
            self.timer = None
            self.speeds.node.hidden = True
            fill(self.play_button, icon("i-play"))

    def _tick(self) -> None:
        at = self.context.at
        if at is not None and self.context.hidden_pieces > 0:
            self.show_version(at, self.context.hidden_pieces - 1)
            self.timer = after(self.speeds.piece_ms, self._tick)
        elif at is None or at >= self.last_version():
            self.show_present()
        else:
            following = at + 1
            pieces = self.screen.frame_count(self.context.match.events[following - 1])
            self.moment_view.prefetch(following)
            self.show_version(following, pieces - 1)
            delay = self.speeds.moment_ms if pieces == 1 else self.speeds.piece_ms
            self.timer = after(delay, self._tick)

    def _on_key(self, event: DomEvent) -> None:
        """Handle the replay keys, unless a form field other than a slider has focus.

        They are also ignored while a sheet is open.

        Left and Right go back and forward by a version, with Shift by a turn; Page Up and Page Down
        by a round; Home goes to the first version, End to the current moment.
        """
        if (
            event.ctrlKey
            or event.metaKey
            or event.altKey
            or self.context.phase != Phase.MOUNTED
            or event.target.tagName in ("SELECT", "TEXTAREA")
            or (event.target.tagName == "INPUT" and event.target.type != "range")
            or self.sheets.is_any_open()
        ):
            return
        key_actions: dict[str, Action] = {
            "Home": self.show_first,
            "End": self.show_present,
            "ArrowLeft": lambda: self.step_turn(-1) if event.shiftKey else self.step(-1),
            "ArrowRight": lambda: self.step_turn(1) if event.shiftKey else self.step(1),
            "PageUp": lambda: self.step_round(-1),
            "PageDown": lambda: self.step_round(1),
        }
        does = key_actions.get(event.key)
        if does is not None:
            event.preventDefault()
            does()
