"""Export of traces with the OpenTelemetry protocol, if OTEL_EXPORTER_OTLP_ENDPOINT is set.

Spans contain routes, statuses, types of errors and match ids, which are part of URLs anyway. They
do not contain headers, paths, bodies or error messages, which may contain secrets. The library
itself reads the other settings of OpenTelemetry (OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER
and so on).
"""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, Status, StatusCode

from service import __version__
from service.observability import spans
from service.observability.request_log import current_request

_EXPORT_TIMEOUT_S = 3
"""Timeout in seconds for exporting a batch of spans; spans not accepted by then are dropped."""


@asynccontextmanager
async def run_tracing(endpoint: str) -> AsyncIterator[None]:
    """Export spans to a collector while the block runs.

    ``endpoint``: the collector's URL without ``/v1/traces``.
    """
    known = {
        "service.name": "caravanserai",
        "service.version": __version__,
        "service.instance.id": f"{socket.gethostname()}/{os.getpid()}",
    }
    provider = TracerProvider(resource=Resource.create(known), shutdown_on_exit=False)
    exporter = OTLPSpanExporter(f"{endpoint.rstrip('/')}/v1/traces", timeout=_EXPORT_TIMEOUT_S)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    spans.install_tracer(_Tracer(provider))
    try:
        yield
    finally:
        spans.install_tracer(None)
        await asyncio.to_thread(provider.shutdown)


class _Tracer:
    def __init__(self, provider: TracerProvider) -> None:
        self._tracer = provider.get_tracer("caravanserai", __version__)

    @contextmanager
    def span(self, name: str, fields: dict[str, Any]) -> Iterator[None]:
        attributes = {
            f"caravanserai.{key}": value if isinstance(value, int | list) else str(value)
            for key, value in fields.items()
        }
        with self.open_span(name, SpanKind.INTERNAL) as span:
            span.set_attributes(attributes)
            yield

    @contextmanager
    def open_span(self, name: str, kind: SpanKind) -> Iterator[Span]:
        """Open a span that ends with the block, unless the block ends it earlier.

        If the block raises an exception, its type is recorded, but never its message.
        """
        with self._tracer.start_as_current_span(
            name,
            kind=kind,
            record_exception=False,
            set_status_on_exception=False,
            end_on_exit=False,
        ) as span:
            try:
                yield span
            except Exception as error:
                if span.is_recording():
                    span.set_attribute("error.type", type(error).__name__)
                    span.set_status(Status(StatusCode.ERROR))
                raise
            finally:
                if span.is_recording():
                    span.end()


def tracing_middleware(app: ASGIApp) -> ASGIApp:
    """Wrap the application so that each HTTP request has a span, the parent of its other spans."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        tracer = spans.current_tracer()
        if scope["type"] != ScopeType.HTTP or not isinstance(tracer, _Tracer):
            await app(scope, receive, send)
            return
        with tracer.open_span("request", SpanKind.SERVER) as span:

            async def noted(message: Message) -> None:
                if message["type"] == "http.response.start":
                    _record_status(span, message["status"])
                    if _is_stream(message):
                        # A stream may stay open for hours, so only its opening is timed.
                        span.end()
                await send(message)

            await app(scope, receive, noted)

    return answer


def _record_status(span: Span, status: int) -> None:
    request = current_request()
    if request is None:
        return
    span.update_name(f"{request.method} {request.route}")
    span.set_attribute("http.request.method", request.method)
    span.set_attribute("http.route", request.route)
    span.set_attribute("http.response.status_code", status)
    span.set_attribute("caravanserai.request", request.id)
    if request.match is not None:
        span.set_attribute("caravanserai.match", request.match)
    if status >= 500:
        span.set_status(Status(StatusCode.ERROR))


def _is_stream(message: Any) -> bool:
    return any(
        name.lower() == b"content-type" and value.startswith(b"text/event-stream")
        for name, value in message["headers"]
    )
