"""The signals of the match page and the states of its queue of moves, run in the browser."""

import json
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import run_python, workbench

pytestmark = pytest.mark.browser

SIGNALS = """
from browser import window
from _native import dumps
from frontend.app.core.signal import Signal

def run(_text):
    calls = []
    signal = Signal()

    def in_steps(text):
        calls.append("begin " + text)
        yield
        calls.append("end " + text)

    signal.subscribe(in_steps)
    signal.subscribe(lambda text: calls.append("plain " + text))
    signal.emit("a")
    signal.is_held = True
    signal.emit("b")
    signal.emit("c")
    steps = signal.emit_steps("d")
    next(steps)
    calls.append("between")
    for _ in steps:
        pass
    signal.release()

    def close():
        signal.subscribers = []

    signal.subscribers = []
    signal.subscribe(close)
    signal.subscribe(lambda: calls.append("after closing"))
    signal.emit()
    signal.emit()
    return dumps(calls)

window.run = run
"""

QUEUE = """
from browser import window
from _native import dumps
from frontend.app.core.signal import Signal
from frontend.app.match import move_queue

class Outbox:
    def drop_entry(self, key):
        sent.append(["drop", key])

class Client:
    outbox = Outbox()

    def send(self, path, body, done, on_error, *rest):
        sent.append([path, body])
        answers.append((done, on_error))
        return len(sent)

class Match:
    rules = has_secrets = optimistic = None
    version = 5
    data = {"undo": {"seat": 0}}

    def seat_to_act(self):
        return 0

    def predict(self, moves):
        return True

class Context:
    id = "m"
    path = "/api/matches/m"
    is_closed = False
    match = Match()
    queue_changed = Signal()
    match_changed = Signal()

class Sync:
    def sync(self):
        pass

    def store_answer(self, data):
        pass

sent = []
answers = []

def run(_text):
    move_queue.client = Client()
    queue = move_queue.MoveQueue(Context())
    queue.match_sync = Sync()
    states = [queue.state]

    def note():
        states.append(queue.state)

    queue.undo_to(0, None)
    note()
    queue.commit([{"type": "Pass"}], "choice")
    queue.take_back()
    note()  # the undo request is still on its way
    queue.undo_to(0, None)
    answers[0][0]({})
    note()
    queue.undo_to(0, None)
    queue.on_synced()
    note()
    queue.commit([{"type": "Pass"}], "choice")
    note()
    answers[-1][1](None)
    note()
    return dumps({"states": states, "sent": [entry[0] for entry in sent]})

window.run = run
"""


def run(browser: Browser, source: str) -> Any:
    page = workbench(browser)
    page.evaluate("document.body.innerHTML = '<div id=app></div>'")
    result = json.loads(run_python(page, source, "run", ""))
    page.close()
    return result


def test_signals_are_held_and_emitted_in_steps(browser: Browser) -> None:
    assert run(browser, SIGNALS) == [
        *("begin a", "end a", "plain a"),
        *("begin d", "between", "end d", "plain d"),
        *("begin c", "end c", "plain c"),
    ]


def test_dropping_an_unsent_move_does_not_forget_an_undo_request(browser: Browser) -> None:
    """A second request while the first is on its way would refer to the same position."""
    found = run(browser, QUEUE)
    assert found["states"] == [
        *("idle", "sending request", "sending request", "awaiting sync"),
        *("idle", "sending moves", "idle"),
    ]
    moves, undo = "/api/matches/m/commands?view=changing", "/api/matches/m/undo?view=changing"
    assert found["sent"] == [undo, moves, "drop", moves]
