"""Traces reach a real receiver, are nested correctly and contain no secrets; tracing is off by
default."""

import os
import socket
import subprocess
import sys
import threading
import time
import timeit
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from service.observability import spans
from tests.game_contract.ports import free_port
from tests.security.process import ROOT, process
from tests.service.test_live import Caller, Listener

SOON = {"otel_bsp_schedule_delay": 100, "play_limit": 0, "create_limit": 0, "bot_patience": 10}


class Receiver:
    """A receiver for ``/v1/traces``. ``raw``: the received bodies."""

    def __init__(self) -> None:
        self.raw: list[bytes] = []
        self.spans: list[Span] = []
        self.resources: list[dict[str, str]] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.path == "/v1/traces":
                    receiver.take(body)
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_args: object) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def take(self, body: bytes) -> None:
        """Decode a batch."""
        found = ExportTraceServiceRequest.FromString(body)
        for resource in found.resource_spans:
            self.resources.append(plain(resource.resource.attributes))
            self.spans += [span for scope in resource.scope_spans for span in scope.spans]
        self.raw.append(body)

    def named(self, name: str, **known: object) -> Span:
        """Wait for the span with this name and these attributes."""
        deadline = time.monotonic() + 20
        while True:
            for span in list(self.spans):
                told = plain(span.attributes)
                if span.name == name and all(told.get(k) == v for k, v in known.items()):
                    return span
            assert time.monotonic() < deadline, (name, known, {s.name for s in self.spans})
            time.sleep(0.05)

    def close(self) -> None:
        """Stop the receiver."""
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


def plain(attributes: Any) -> dict[str, Any]:
    """Return attributes by the last part of their name."""

    def value(each: Any) -> Any:
        if each.WhichOneof("value") == "array_value":
            return [value(item) for item in each.array_value.values]
        return getattr(each, each.WhichOneof("value"))

    return {each.key.rpartition(".")[2]: value(each.value) for each in attributes}


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.close()


@pytest.mark.slow
def test_command_is_traced_from_request_to_read_models(receiver: Receiver, tmp_path: Path) -> None:
    """Each span names the match and its parent, and none contains secrets."""
    tracing = {"otel_exporter_otlp_endpoint": receiver.address, "cache_mb": 0, **SOON}
    with process(tmp_path, **tracing) as address:
        ann = Caller(address)
        match = ann.open("me", "open")
        path = f"/matches/{match['id']}"
        bob = Caller(address)
        joined = bob.http.post(f"{path}/join", json={"invite": match["invite"], "name": "Quince"})
        assert joined.status_code == 200
        word = "a-word-between-us"
        said = ann.http.post(f"{path}/say", json={"seat": 0, "text": word})
        assert said.status_code == 200, said.text
        table = ann.step(ann.open("me", "me"))
        at = table["version"]
        wrong = {"seat": table["to_act"][0], "expected_version": at, "commands": [{"type": word}]}
        assert ann.http.post(f"/matches/{table['id']}/commands", json=wrong).status_code == 422
        assert ann.http.get(path, params={"invite": match["invite"]}).status_code == 200
        assert ann.http.get(f"/{word}").status_code == 404
        listener = Listener(ann, match)

        route = "/api/matches/{match_id}/commands"
        request = receiver.named(f"POST {route}", match=table["id"], status_code=200)
        assert plain(request.attributes)["route"] == route
        command = receiver.named("command", match=table["id"], game="caravanserai")
        saved = [s for s in receiver.spans if s.name == "save" and s.trace_id == request.trace_id]
        assert command.parent_span_id == request.span_id
        assert [s.parent_span_id for s in saved] == [command.span_id]
        assert plain(saved[0].attributes) == {"match": table["id"]}
        refused = receiver.named(f"POST {route}", match=table["id"], status_code=422)
        assert refused.status.code == Status.STATUS_CODE_UNSET, "a client error"
        receiver.named("fold", match=match["id"])
        batches = [receiver.named("projection")]
        deadline = time.monotonic() + 20
        while not any(table["id"] in plain(s.attributes)["matches"] for s in batches):
            assert time.monotonic() < deadline
            batches = [s for s in receiver.spans if s.name == "projection"]
        # The stream is open and visible in the metrics.
        receiver.named("GET /api/matches/{match_id}/live", match=match["id"], status_code=200)
        assert not listener.ended.is_set()
        listener.close()
    assert receiver.resources[0]["name"] == "caravanserai"
    sent = b"".join(receiver.raw)
    secrets = [ann.token, bob.token, match["invite"], word, "Quince"]
    assert [secret for secret in secrets if secret.encode() in sent] == []


@contextmanager
def silent() -> Iterator[str]:
    """Yield a server that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


@pytest.mark.slow
def test_unavailable_receiver_does_not_affect_the_service(tmp_path: Path) -> None:
    """Responses and shutdown do not wait for it."""
    with silent() as hung:
        for number, endpoint in enumerate((hung, f"http://127.0.0.1:{free_port()}")):
            tracing = {"otel_exporter_otlp_endpoint": endpoint, **SOON}
            with process(tmp_path / str(number), **tracing) as address:
                ann = Caller(address)
                match = ann.open("me", "me")
                for _ in range(5):
                    began = time.monotonic()
                    match = ann.step(match)
                    assert time.monotonic() - began < 2
                time.sleep(0.5)
                began = time.monotonic()
            assert time.monotonic() - began < 10


@pytest.mark.slow
def test_without_the_setting_the_library_is_not_even_imported(tmp_path: Path) -> None:
    """Our tracing module; the Redis library checks whether metrics are installed.

    `tests/deploy/test_runbook.py` shows that nothing needs it to be installed.
    """
    code = (
        "import sys; from litestar.testing import TestClient;"
        "from service.app import create_app; from service.settings import Settings;"
        "import service.server\n"
        f"with TestClient(create_app(Settings(data={str(tmp_path)!r}))) as client:\n"
        "    assert client.get('/health/ready').status_code == 200\n"
        "    assert client.post('/api/players', json={'name': 'Ann'}).status_code == 201\n"
        "    ours = ('service.observability.tracing', 'opentelemetry.exporter')\n"
        "    print([name for name in sys.modules if name.startswith(ours)])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


def test_disabled_span_costs_almost_nothing() -> None:
    """At most a hundredth of a command, which takes half a millisecond."""
    spent = min(timeit.repeat(lambda: spans.span("save", match=1), number=1000, repeat=20)) / 1000
    assert spent < 5e-6


@pytest.mark.slow
@pytest.mark.parametrize(
    ("endpoint", "says"),
    [("localhost:4318", "http:// or https://"), ("http://localhost:4318", "extra `tracing`")],
)
def test_missing_dependency_is_reported_in_one_line(
    endpoint: str, says: str, tmp_path: Path
) -> None:
    """Including a missing library, simulated by a module of that name that cannot be imported."""
    (tmp_path / "opentelemetry.py").write_text("raise ImportError")
    done = subprocess.run(
        [sys.executable, "-m", "service.cli", "serve"],
        env={
            **os.environ,
            "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}",
            "DATA": str(tmp_path),
            "PORT": str(free_port()),
            "OTEL_EXPORTER_OTLP_ENDPOINT": endpoint,
        },
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert says in done.stderr
