"""Continues a match of a phone in Python, between two visits of its page.

The page plays only the moves that a test is about; the rest is played by the domain's bots, fifty
times as fast, and appended to the match in IndexedDB as the page itself stores it.
"""

import random
from typing import Any

from playwright.sync_api import Page

from domain.contract.bots import Thinking, suggest_command
from domain.contract.registry import TITLES, rules_of
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.matchfile.writer import plain_decision
from domain.presentation.viewpoint import seats_to_act
from domain.toolkit.randomness import draws_from_seed

THINKING_MS = 1000
"""Milliseconds between two moves, as the match records them."""
# The head and the decisions of the only match of this phone.
READ = """() => new Promise((resolve, reject) => {
  const asked = indexedDB.open("matches", 1)
  asked.onerror = reject
  asked.onsuccess = () => {
    const change = asked.result.transaction(["heads", "decisions"])
    const heads = change.objectStore("heads").getAll()
    const decisions = change.objectStore("decisions").getAll()
    change.oncomplete = () => {
      asked.result.close()
      resolve([heads.result[0], decisions.result])
    }
  }
})"""
# Stores a head and decisions, of which the first has the number `first`.
APPEND = """([head, first, added]) => new Promise((resolve, reject) => {
  const asked = indexedDB.open("matches", 1)
  asked.onerror = reject
  asked.onsuccess = () => {
    const change = asked.result.transaction(["heads", "decisions"], "readwrite")
    change.objectStore("heads").put(head)
    const decisions = change.objectStore("decisions")
    added.forEach((decision, number) => decisions.put(decision, [head.id, first + number]))
    change.onabort = reject
    change.oncomplete = () => {
      asked.result.close()
      resolve()
    }
  }
})"""


def skip_middle(page: Page, own_moves_left: int) -> bool:
    """Play the stored match on until the player has ``own_moves_left`` moves left, or fewer.

    The page must show no match, because a running match would not notice. Return False, with the
    match unchanged, if it has no more moves left than that.
    """
    head, stored = page.evaluate(READ)
    timeline = decode_match(head["item"]["game"], stored)
    cut = play_to_end(timeline.branch(), own_moves_left)
    if cut is None or cut.version <= timeline.version:
        return False
    shape = TITLES[head["item"]["game"]].rules_version
    first = len(timeline.decisions)
    added = [{**plain_decision(each), "shape": shape} for each in cut.decisions.tail(first)]
    acting = list(seats_to_act(cut, cut.latest))
    head["item"] |= {"version": cut.version, "to_act": acting, "your_turn": True}
    page.evaluate(APPEND, [head, first, added])
    return True


def decode_match(slug: str, stored: list[dict[str, Any]]) -> Timeline:
    """Return the match of decisions in stored form."""
    codec = codec_of(slug)
    decisions = [
        codec.from_plain({key: part for key, part in plain.items() if key != "shape"})
        for plain in stored
    ]
    return Timeline(rules_of(slug), decisions)


def play_to_end(timeline: Timeline, own_moves_left: int) -> Timeline | None:
    """Let easy bots play all seats of a match to its end.

    Return the match at the moment when the only player who is no bot had ``own_moves_left`` moves
    left; None if there was no such moment.
    """
    opened = timeline.latest.opened
    (player,) = (
        number for number, seat in enumerate(timeline.latest.seats) if seat.kind == "human"
    )
    rng = random.Random(f"{opened.game} {timeline.version}")
    thinking = Thinking(rng.randrange, "easy", lambda: False)
    moments: list[Timeline] = []
    while timeline.latest.status == "playing":
        acting = seats_to_act(timeline, timeline.latest)
        seat = player if player in acting else rng.choice(list(acting))
        if seat == player:
            moments = [*moments, timeline.branch()][-own_moves_left:]
        command = suggest_command(opened.game, timeline.latest.state, seat, thinking)
        at = timeline.decisions[-1].at + THINKING_MS
        timeline.play(seat, [command], at, draws_from_seed)
    return moments[0] if len(moments) == own_moves_left else None
