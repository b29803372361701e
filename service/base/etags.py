"""Conditional requests (RFC 9110, 13.1.2): answers that say whether they have changed."""

import hashlib

from litestar import Response

from service.base.injected import Req


def tagged(request: Req, body: bytes, media_type: str) -> Response[bytes]:
    """The body with an ETag of its content; 304 without it where the caller has it already."""
    etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": "private, no-cache"}
    if _names(request.headers.get("if-none-match", ""), etag):
        return Response(b"", status_code=304, headers=headers, media_type=media_type)
    return Response(body, headers=headers, media_type=media_type)


def _names(condition: str, etag: str) -> bool:
    """Whether If-None-Match names an ETag, by weak comparison."""
    named = [each.strip().removeprefix("W/") for each in condition.split(",")]
    return condition.strip() == "*" or etag in named
