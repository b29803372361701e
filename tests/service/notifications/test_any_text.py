"""Notifications with names in any script or with emoji: encrypted push and mail, truncated between
grapheme clusters."""

from domain.text.joiners import JOINER
from service.notifications.delivery.message_text import _MAX_LINE_CHARS, _shorten_line
from tests.service.notifications.receivers import Receiver
from tests.service.notifications.test_push import public_key, subscribed
from tests.service.notifications.test_sending import until_turn_of
from tests.service.people import Client, Person

SHRUG = "\U0001f937\U0001f3fd\u200d\u2642\ufe0f"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"


def test_push_names_somebody_by_emoji(client: Client, taking: Receiver) -> None:
    ann, bob = Person(client, SHRUG), Person(client, "\U00020bb7野")
    match = ann.open("me", "open")
    bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    device, _ = subscribed(bob, taking)
    until_turn_of(ann, ann.get(f"/matches/{match['id']}").json(), 1)
    (got,) = taking.wait()
    assert SHRUG in device.read(got, public_key(bob))["title"]


def test_a_long_line_is_cut_between_characters() -> None:
    for before in range(len(FAMILY)):
        line = _shorten_line("x" * before + FAMILY * _MAX_LINE_CHARS)
        assert len(line) <= _MAX_LINE_CHARS
        assert line.endswith(f"{FAMILY}…"), ascii(line[-9:])
        assert not line.endswith(JOINER)
