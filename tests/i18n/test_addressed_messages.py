"""Messages addressed to the player they are about: the message ``ID.you`` of a message ``ID``.

`domain.text.i18n.Language.address_message` replaces a message by its addressed one, with the same
arguments, if its subject is the reader.
"""

import re

import pytest

from frontend.message_catalogue import Message
from frontend.placeholders import placeholders_of
from tests.i18n.message_references import MESSAGES
from tests.i18n.test_message_ids import forms_of

ENGLISH = MESSAGES
NOT_ADDRESSED = {("page", "player.you")}
"""Messages of a place in the interface that happens to be called "you"."""
ADDRESSED = [
    (text_domain, key)
    for text_domain, messages in ENGLISH.items()
    for key in messages
    if key.endswith(".you") and (text_domain, key) not in NOT_ADDRESSED
]


def subject_of(sentence: str) -> str | None:
    """Return the placeholder of the player whom a sentence is about; None if there is none."""
    seats = {each for each in placeholders_of(sentence) if each.endswith(":seat")}
    if "who:seat" in seats:
        return "who:seat"
    return seats.pop() if len(seats) == 1 else None


def find_fault(message: Message | None, addressed: Message) -> str | None:
    """Return what is wrong with an addressed message, or None."""
    if message is None:
        return "has no message of which it is the addressed one"
    if isinstance(message, str) != isinstance(addressed, str):
        return "has plural forms, or its message has"
    if not isinstance(message, str) and message[0] != addressed[0]:
        return f"is selected by {addressed[0]}, not by {message[0]}"
    for sentence, own in zip(forms_of(message), forms_of(addressed), strict=True):
        subject = subject_of(sentence)
        if subject is None:
            return "is addressed to nobody"
        wanted = placeholders_of(sentence) - {subject}
        if placeholders_of(own) != wanted:
            return f"has {sorted(placeholders_of(own))} instead of {sorted(wanted)}"
    return None


def test_addressed_messages_are_found() -> None:
    assert {text_domain for text_domain, _ in ADDRESSED} == {*ENGLISH} - {"page", "service"}
    assert len(ADDRESSED) > 150
    assert all(key in ENGLISH[text_domain] for text_domain, key in NOT_ADDRESSED)


@pytest.mark.parametrize(("text_domain", "key"), ADDRESSED)
def test_placeholders_are_those_of_the_message_without_its_subject(
    text_domain: str, key: str
) -> None:
    messages = ENGLISH[text_domain]
    assert find_fault(messages.get(key.removesuffix(".you")), messages[key]) is None


@pytest.mark.parametrize(("text_domain", "key"), ADDRESSED)
def test_it_speaks_to_the_reader(text_domain: str, key: str) -> None:
    for sentence in forms_of(ENGLISH[text_domain][key]):
        assert re.search(r"\byou(rs?)?\b", sentence, re.IGNORECASE), sentence


@pytest.mark.parametrize("text_domain", ENGLISH)
def test_every_message_about_what_a_player_does_can_be_addressed(text_domain: str) -> None:
    messages = ENGLISH[text_domain]
    lacking = {
        (text_domain, key)
        for key, message in messages.items()
        if any("who:seat" in placeholders_of(form) for form in forms_of(message))
        and f"{key}.you" not in messages
    }
    assert not lacking


@pytest.mark.parametrize(
    ("message", "addressed", "fault"),
    [
        ("{who:seat} bids {n}", "You bid {n}", None),
        ("{about:seat} lost to {who:seat}", "You beat {about:seat}", None),
        ("A bale of {owner:seat} is lost", "You lost a bale", None),
        (["n", "{who:seat}: {n} day", "{who:seat}: {n} days"], ["n", "{n} of you", "{n}"], None),
        (None, "You bid {n}", "has no message"),
        ("{who:seat} bids {n}", "You bid", "instead of"),
        ("{who:seat} bids {n}", "You bid {n} and {m}", "instead of"),
        ("{who:seat} bids {n}", "{who:seat}, you bid {n}", "instead of"),
        ("{who:seat} pays {what:ware}", "You pay {what:goods}", "instead of"),
        ("{giver:seat} and {taker:seat}", "You and {taker:seat}", "addressed to nobody"),
        ("{who} bids", "You bid", "addressed to nobody"),
        ("{who:seat} bids", ["n", "You bid", "You bid"], "plural"),
        (["n", "{who:seat} {n}", "{who:seat} {n}"], ["m", "{n}", "{n}"], "selected by m"),
        (["n", "{who:seat} {n}", "{who:seat} {n}"], ["n", "{n}", "You"], "instead of"),
    ],
)
def test_faults_are_found(message: Message | None, addressed: Message, fault: str | None) -> None:
    found = find_fault(message, addressed)
    assert found is None if fault is None else found is not None and fault in found
