"""A push service for tests with Firefox.

Speaks Mozilla's autopush protocol (JSON messages over a WebSocket) with the browser and accepts
messages from the service as in RFC 8030. Messages are passed on encrypted, as received; only the
browser can decrypt them.
"""

import json
import secrets
import threading
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve
from websockets.typing import Subprotocol

from tests.service.notifications.pushes import checked
from tests.service.notifications.receivers import Got, Receiver, receiver

_PROTOCOL = Subprotocol("push-notification")
DELIVERED = 100
"""The code with which Firefox acknowledges a delivered message; 101: it could not be decrypted."""


class PushService:
    """The state of the push service.

    ``url``: the address that Firefox connects to. ``taking``: receives the posts of the service.
    ``channels``: the id of each subscription and the key it is bound to, by path. ``acks``: the
    code with which Firefox acknowledged each message. ``ended``: ids of cancelled subscriptions.
    ``wrong``: descriptions of malformed messages and of failures of the service worker.
    """

    def __init__(self, taking: Receiver) -> None:
        self.taking = taking
        self.url = ""
        self.channels: dict[str, tuple[str, str]] = {}
        self.acks: list[int] = []
        self.ended: list[str] = []
        self.wrong: list[str] = []
        self._browser: ServerConnection | None = None
        taking.heard = self._pass_on

    def listen(self, browser: ServerConnection) -> None:
        """Answer the messages of a browser until it disconnects."""
        with suppress(ConnectionClosed):
            for said in browser:
                told = json.loads(said)
                answer = _ANSWERS.get(told.get("messageType"), PushService._nothing)
                if (answered := answer(self, told, browser)) is not None:
                    browser.send(json.dumps(answered))

    def _hello(self, told: Any, browser: ServerConnection) -> Any:
        self._browser = browser
        known = told.get("uaid") or secrets.token_hex(16)
        return {"messageType": "hello", "status": 200, "uaid": known, "use_webpush": True}

    def _register(self, told: Any, _browser: ServerConnection) -> Any:
        path, channel = f"/push/{secrets.token_urlsafe(12)}", told["channelID"]
        self.channels[path] = channel, told.get("key", "")
        endpoint = self.taking.url + path
        about = {"messageType": "register", "channelID": channel}
        return {**about, "status": 200, "pushEndpoint": endpoint}

    def _unregister(self, told: Any, _browser: ServerConnection) -> Any:
        self.ended.append(told["channelID"])
        return {"messageType": "unregister", "channelID": told["channelID"], "status": 200}

    def _ack(self, told: Any, _browser: ServerConnection) -> None:
        self.acks.extend(each["code"] for each in told["updates"])

    def _nack(self, told: Any, _browser: ServerConnection) -> None:
        self.wrong.append(f"the worker failed: {told['code']}")

    def _nothing(self, _told: Any, _browser: ServerConnection) -> None:
        """Ignore broadcasts and unknown messages."""

    def _ping(self, _told: Any, _browser: ServerConnection) -> Any:
        return {}

    def _pass_on(self, got: Got) -> None:
        """Check a message and send it to the browser, before the service gets its answer."""
        channel, key = self.channels[got.path]
        try:
            checked(got, key.rstrip("="), self.taking.url)
        except AssertionError as error:
            self.wrong.append(str(error))
        assert self._browser is not None
        about = {"messageType": "notification", "channelID": channel}
        body = urlsafe_b64encode(got.body).rstrip(b"=").decode()
        headers = {"encoding": got.headers["content-encoding"]}
        message = {"version": secrets.token_hex(8), "data": body, "headers": headers}
        self._browser.send(json.dumps({**about, **message}))


# The handlers of the browser's messages, by type.
_ANSWERS: Mapping[str | None, Callable[[PushService, Any, ServerConnection], Any]] = {
    "hello": PushService._hello,
    "register": PushService._register,
    "unregister": PushService._unregister,
    "ack": PushService._ack,
    "nack": PushService._nack,
    "ping": PushService._ping,
}


@contextmanager
def push_service() -> Iterator[PushService]:
    """Run a push service for the duration of the block."""
    with receiver() as taking:
        made = PushService(taking)
        with serve(made.listen, "127.0.0.1", 0, subprotocols=[_PROTOCOL]) as listening:
            made.url = f"ws://127.0.0.1:{listening.socket.getsockname()[1]}"
            thread = threading.Thread(target=listening.serve_forever)
            thread.start()
            try:
                yield made
            finally:
                listening.shutdown()
                thread.join()
