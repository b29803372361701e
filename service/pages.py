"""The frontend as it was built: pages, hashed assets, service worker.

Files are kept in memory, together with a gzip form, and read again when they change on disk.
"""

import gzip
import mimetypes
import re
from pathlib import Path
from typing import Any

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.params import FromPath
from msgspec import Struct

from service.identity import digest
from service.problems import Fault

BUILD = Path(__file__).parent.parent / "frontend" / "build"

_PAGES = re.compile(r"^/(?:|new|join/[^/]+|m/[^/]+)$")
_HASHED = re.compile(r"[.-][0-9a-f]{8,}\.[a-z0-9.]+$")
_PACKED_ALREADY = (".png", ".gif", ".woff2", ".webp", ".jpg", ".mp4")
_TYPES = {".webmanifest": "application/manifest+json", ".js": "text/javascript"}

SECURITY_HEADERS = {
    # 'unsafe-eval': Brython turns Python into JavaScript and runs it with eval.
    "Content-Security-Policy": "default-src 'self'; script-src 'self' 'unsafe-eval';"
    " style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self';"
    " worker-src 'self'; manifest-src 'self'; object-src 'none'; base-uri 'none';"
    " form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class _File(Struct, frozen=True):
    stamp: tuple[int, int]
    body: bytes
    packed: bytes | None
    media_type: str
    etag: str


class Pages:
    """The files of one build folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._files: dict[str, _File] = {}

    def file(self, name: str) -> _File | None:
        """A file by its path inside the folder, or None; never anything outside of it."""
        path = (self._folder / name).resolve()
        if not path.is_relative_to(self._folder):
            return None
        try:
            status = path.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            known = self._files.get(name)
            if known is not None and known.stamp == stamp:
                return known
            if not path.is_file():
                return None
            body = path.read_bytes()
        except (OSError, ValueError):
            return None
        suffix = path.suffix
        kind = _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        packed = None if suffix in _PACKED_ALREADY else gzip.compress(body, 9, mtime=0)
        found = _File(stamp, body, packed, kind, f'"{digest(body.hex())[:20]}"')
        self._files[name] = found
        return found


@get(
    "/",
    include_in_schema=False,
    opt={"unlimited": True, "packed": True},
    sync_to_thread=False,
    media_type="text/html",
)
def serve_home(request: Request[object, object, State]) -> Response[bytes]:
    """The home page."""
    return _found(request, "/")


@get(
    "/{path:path}",
    include_in_schema=False,
    opt={"unlimited": True, "packed": True},
    sync_to_thread=False,
    media_type="text/html",
)
def serve_page(request: Request[object, object, State], path: FromPath[str]) -> Response[bytes]:
    """A page or a file of the frontend."""
    return _found(request, path)


def _found(request: Request[object, object, State], path: str) -> Response[bytes]:
    pages: Pages = request.app.state.pages
    is_page = _PAGES.match(path) is not None
    name = "index.html" if is_page else path.lstrip("/")
    if name.startswith(("api/", "health/", "schema/")):
        raise Fault(404, "not_found", "There is nothing at this address.")
    found = pages.file(name)
    if found is None and is_page:
        raise Fault(404, "no_frontend", "The frontend is not built: run make run.")
    if found is None:
        raise Fault(404, "not_found", "There is nothing at this address.")
    return _answer(request, name, found)


def app_page(request: Request[Any, Any, Any], head: str) -> Response[bytes]:
    """The app's page with more in its head."""
    pages: Pages = request.app.state.pages
    found = pages.file("index.html")
    if not head or found is None:
        return _found(request, "/")
    body = found.body.replace(b"</head>", head.encode() + b"</head>", 1)
    packed = gzip.compress(body, 6, mtime=0)
    etag = f'"{digest(body.hex())[:20]}"'
    return _answer(request, "index.html", _File(found.stamp, body, packed, found.media_type, etag))


def _answer(request: Request[object, object, State], name: str, found: _File) -> Response[bytes]:
    forever = _HASHED.search(name) is not None
    headers = {
        "Cache-Control": "public, max-age=31536000, immutable" if forever else "no-cache",
        "ETag": found.etag,
        "Vary": "Accept-Encoding",
    }
    if request.headers.get("if-none-match") == found.etag:
        return Response(b"", status_code=304, headers=headers, media_type=found.media_type)
    body = found.body
    if found.packed and "gzip" in request.headers.get("accept-encoding", ""):
        body = found.packed
        headers["Content-Encoding"] = "gzip"
    return Response(body, headers=headers, media_type=found.media_type)
