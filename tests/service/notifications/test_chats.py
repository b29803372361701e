"""Each chat service gets notifications in its own format, and user text cannot inject markup."""

import pytest
from msgspec.structs import replace

from service.http.problems import ApiProblem
from service.notifications.channels import Channel, ChannelKind
from service.notifications.message import Message
from service.notifications.webhooks import _REQUEST_BUILDERS, channel_kind_of_url

MESSAGE = Message(
    kind="turn",
    title="Caravanserai with @everyone",
    body="Your turn. <!channel> **loud** moved.",
    path="/m/1",
    tag="1",
    key="turn-1",
)
LINK = "https://play.example.org/m/1"


def way(form: ChannelKind, address: str) -> Channel:
    return Channel("1", "p", form, address, "", "", "", "", "en", 0, 0, "")


@pytest.mark.parametrize(
    ("address", "form"),
    [
        ("https://discord.com/api/webhooks/1/abc", "discord"),
        ("https://hooks.slack.com/services/T/B/x", "slack"),
        ("https://ntfy.sh/my-topic", "ntfy"),
        ("https://api.telegram.org/bot1:x/sendMessage?chat_id=5", "telegram"),
        (
            "https://matrix.org/_matrix/client/v3/rooms/!r:matrix.org/send/m.room.message"
            "?access_token=t",
            "matrix",
        ),
        ("https://example.org/discord.com", "webhook"),
    ],
)
def test_chat_is_recognised_by_its_host(address: str, form: str) -> None:
    assert channel_kind_of_url(address) == form


@pytest.mark.parametrize(
    "address",
    [
        "https://discord.com/channels/1",
        "https://hooks.slack.com/other",
        "https://api.telegram.org/bot1:x/getUpdates",
        "https://matrix.org/_matrix/client/v3/sync",
    ],
)
def test_chat_url_that_is_no_webhook_is_rejected(address: str) -> None:
    with pytest.raises(ApiProblem):
        channel_kind_of_url(address)


def test_discord_mentions_nobody() -> None:
    call = _REQUEST_BUILDERS["discord"](
        way("discord", "https://discord.com/api/webhooks/1/a"), MESSAGE, LINK
    )
    assert call.body["allowed_mentions"] == {"parse": []}
    assert "**loud**" not in call.body["content"]
    assert "@everyone" not in call.body["content"].replace("\\@", "")
    assert f"<{LINK}>" in call.body["content"]


def test_slack_mentions_nobody() -> None:
    call = _REQUEST_BUILDERS["slack"](
        way("slack", "https://hooks.slack.com/services/x"), MESSAGE, LINK
    )
    assert "<!channel>" not in call.body["text"]
    assert f"<{LINK}>" in call.body["text"]


def test_ntfy_gets_the_topic_in_the_body() -> None:
    call = _REQUEST_BUILDERS["ntfy"](way("ntfy", "https://ntfy.sh/my-topic"), MESSAGE, LINK)
    assert call.url == "https://ntfy.sh/"
    assert call.body["topic"] == "my-topic"
    assert call.body["click"] == LINK


def test_telegram_gets_plain_text() -> None:
    address = "https://api.telegram.org/bot1:x/sendMessage?chat_id=5"
    call = _REQUEST_BUILDERS["telegram"](way("telegram", address), MESSAGE, LINK)
    assert call.url == "https://api.telegram.org/bot1:x/sendMessage"
    assert call.body["chat_id"] == "5"
    assert "parse_mode" not in call.body


def test_matrix_gets_each_message_once() -> None:
    address = "https://matrix.org/_matrix/client/v3/rooms/!r/send/m.room.message?access_token=t"
    first = _REQUEST_BUILDERS["matrix"](way("matrix", address), MESSAGE, LINK)
    again = _REQUEST_BUILDERS["matrix"](way("matrix", address), MESSAGE, LINK)
    assert first.method == "PUT"
    assert first.url == again.url, "the same transaction, should it be sent twice"
    another = replace(way("matrix", address), id="2")
    assert _REQUEST_BUILDERS["matrix"](another, MESSAGE, LINK).url != first.url, (
        "another person's, in one room"
    )
    assert "access_token" not in first.url
    assert first.headers["Authorization"] == "Bearer t"
