"""Conditional requests with ETags (RFC 9110, 13.1.2)."""

import hashlib

from litestar import Response

from service.http.injection import AnyRequest


def etag_response(request: AnyRequest, body: bytes, media_type: str) -> Response[bytes]:
    """Return a response with the body and its ETag, or 304 if the client has the same body."""
    etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": "private, no-cache"}
    if _matches_etag(request.headers.get("if-none-match", ""), etag):
        return Response(b"", status_code=304, headers=headers, media_type=media_type)
    return Response(body, headers=headers, media_type=media_type)


def _matches_etag(condition: str, etag: str) -> bool:
    """Return whether the value of an If-None-Match header matches the ETag by weak comparison."""
    named = [each.strip().removeprefix("W/") for each in condition.split(",")]
    return condition.strip() == "*" or etag in named
