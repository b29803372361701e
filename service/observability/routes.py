"""The metrics route, which is protected by a token."""

import asyncio
import hmac
from collections.abc import Iterator

from litestar import Response, get
from litestar.exceptions import NotAuthorizedException, NotFoundException
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest

from service.common.clock import now_ms
from service.http.health import HealthSources, check_redis
from service.http.injection import AnyRequest, Injected
from service.http.tokens import request_token
from service.observability.metrics import REGISTRY

GAUGES = {
    "caravanserai_database_up": "Whether the database answers; if not, its gauges are absent.",
    "caravanserai_redis_up": "Whether Redis answers; absent if Redis is not configured.",
    "caravanserai_streams_open": "Live streams open in this process.",
    "caravanserai_projection_failing": "Whether this process fails to update the lists.",
    "caravanserai_projection_behind_decisions": "Decisions that the lists do not show yet.",
    "caravanserai_matches_set_aside": "Matches that cannot be read.",
    "caravanserai_notices_waiting": "Notifications to send or withdraw, now or later.",
    "caravanserai_notices_late_seconds": "Age of the oldest due notification.",
}
"""Descriptions of the gauges, which are computed at each scrape. Gauges that are computed from the
database are the same for all workers."""


@get("/metrics", include_in_schema=False)
async def serve_metrics(request: AnyRequest, vitals: Injected[HealthSources]) -> Response[bytes]:
    """Return the metrics in the text format of Prometheus.

    The status is 404 if METRICS_TOKEN is not set, and 401 if the token is missing or wrong.
    """
    if not vitals.metrics_token:
        raise NotFoundException()
    if not hmac.compare_digest(
        vitals.metrics_token.encode(), (request_token(request.scope) or "").encode()
    ):
        raise NotAuthorizedException(headers={"WWW-Authenticate": "Bearer"})
    found = CollectorRegistry()
    gauge_values = asyncio.to_thread(lambda: list(_gauge_values(vitals)))
    values, other = await asyncio.gather(gauge_values, check_redis(vitals))
    if other.configured:
        values.append(("caravanserai_redis_up", other.ok))
    for name, value in values:
        Gauge(name, GAUGES[name], registry=found).set(value)
    return Response(
        generate_latest(REGISTRY) + generate_latest(found),
        headers={"Content-Type": CONTENT_TYPE_LATEST, "Cache-Control": "no-store"},
    )


def _gauge_values(vitals: HealthSources) -> Iterator[tuple[str, float]]:
    yield "caravanserai_streams_open", vitals.streams.open.total()
    yield "caravanserai_projection_failing", vitals.runner.last_error is not None
    try:
        behind, aside = vitals.runner.count_behind(), vitals.views.count_quarantined()
        waiting, since = vitals.outbox.backlog()
    except Exception:
        # Whatever the error, report that the database does not answer.
        yield "caravanserai_database_up", 0
        return
    late = 0 if since is None else max(now_ms() - since, 0)
    yield "caravanserai_database_up", 1
    yield "caravanserai_projection_behind_decisions", behind
    yield "caravanserai_matches_set_aside", aside
    yield "caravanserai_notices_waiting", waiting
    yield "caravanserai_notices_late_seconds", late / 1000
