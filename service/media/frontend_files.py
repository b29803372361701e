"""The files of the built frontend: pages, hashed assets, service worker.

Only files found by walking the build folder are served, each under one name. They are kept in
memory, with a gzip form and the brotli form made by the build, and are read again when they change
on disk.
"""

import asyncio
import gzip
import hashlib
import mimetypes
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from threading import Lock

from litestar import Response, get
from litestar.params import FromPath
from msgspec import Struct
from msgspec.structs import replace

from domain.text.i18n import Language
from service.http.i18n import language
from service.http.injection import Injected, Req
from service.http.problems import Fault
from service.http.tokens import cookie_of
from service.media.home_prerender import with_front
from service.media.page_translation import WITH_WORDS, worded

BUILD = Path(__file__).parent.parent.parent / "frontend" / "build"

_PAGES = re.compile(
    r"^/(?:|new|you|back|rules|style|(?:rules|learn|join|m|play)/[^/]+|play/[^/]+/alone)$"
)
_HASHED = re.compile(r"[.-][0-9a-f]{8,}\.[a-z0-9.]+$")
_HOME, _NOT_HOME = "/", "/new"
_BEST = ".br"
_PACKED_ALREADY = (".png", ".gif", ".woff2", ".webp", ".jpg", ".mp4")
_TYPES = {".webmanifest": "application/manifest+json", ".js": "text/javascript"}

SECURITY_HEADERS = {
    # 'unsafe-eval': Brython compiles Python to JavaScript and runs it with eval.
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
    path: Path
    stamp: tuple[int, int] | None
    body: bytes
    gzip: bytes | None
    br: bytes | None
    media_type: str
    etag: str


class Pages:
    """The files of one build folder.

    An address is never converted to a path: it is looked up among the names found by the last walk.
    So there is one entry per file, whatever spellings its address has.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._files: dict[str, _File] = {}
        self._names: dict[str, Path] = {}
        self._walked: object = None
        self._lock = Lock()

    def fresh(self, name: str) -> _File | None:
        """Return a cached file that is unchanged on disk; None when `load` has to read it."""
        known = self._files.get(name)
        return known if known is not None and known.stamp == _stamp(known.path) else None

    def load(self, name: str) -> _File | None:
        """Return a file by its path in the folder, read and compressed; None if there is none."""
        with self._lock:
            self._walk()
            path = self._names.get(name)
            return self.fresh(name) or (self._read(name, path) if path else None)

    async def of_game(self, slug: str) -> list[str]:
        """Return the addresses of a game's code, style and symbols; empty for a game without."""
        await _file(self, "index.html")  # walks the folder
        wanted = re.compile(rf"assets/(game|look)-{slug}(-\d+)?\.[0-9a-f]{{8,}}\.(js|css|svg)")
        return [f"/{name}" for name in sorted(self._names) if wanted.fullmatch(name)]

    def _read(self, name: str, path: Path) -> _File | None:
        stamp = _stamp(path)
        try:
            body = path.read_bytes()
        except OSError:
            return None
        suffix = path.suffix
        kind = _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        packed = None if suffix in _PACKED_ALREADY else gzip.compress(body, 9, mtime=0)
        found = _File(path, stamp, body, packed, _beside(path), kind, _etag(body))
        self._files[name] = found
        return found

    def _walk(self) -> None:
        """Walk the folder again if it has changed, and drop files that are gone."""
        seen = [(str(f), _stamp(f)) for f in (self._folder, self._folder / "assets")]
        if seen == self._walked:
            return
        names = {p.relative_to(self._folder).as_posix(): p for p in self._folder.rglob("*")}
        names = {n: path for n, path in names.items() if path.is_file() and path.suffix != _BEST}
        self._files = {name: file for name, file in self._files.items() if name in names}
        self._names, self._walked = names, seen


def _etag(body: bytes) -> str:
    return f'"{hashlib.sha256(body).hexdigest()[:20]}"'


def _beside(path: Path) -> bytes | None:
    try:
        return path.with_name(path.name + _BEST).read_bytes()
    except OSError:
        return None


def _accepts(header: str, encoding: str) -> bool:
    """Return whether an ``Accept-Encoding`` header accepts an encoding, with a quality above 0."""
    for part in header.lower().split(","):
        name, _, quality = part.partition(";")
        if name.strip() == encoding:
            return quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


@get(
    "/",
    include_in_schema=False,
    opt={"unlimited": True, "packed": True},
    media_type="text/html",
)
async def serve_home(request: Req, pages: Injected[Pages]) -> Response[bytes]:
    """Serve the home page."""
    return await _found(request, pages, _HOME)


@get(
    "/{path:path}",
    include_in_schema=False,
    opt={"unlimited": True, "packed": True},
    media_type="text/html",
)
async def serve_page(request: Req, pages: Injected[Pages], path: FromPath[str]) -> Response[bytes]:
    """Serve a page or file of the frontend.

    Answers 404 ``not_found``, or ``no_frontend`` when the frontend is not built.
    """
    return await _found(request, pages, path)


async def _file(pages: Pages, name: str) -> _File | None:
    """Return a file of the build; reads and compresses it in a thread if it is new."""
    return pages.fresh(name) or await asyncio.to_thread(pages.load, name)


async def _found(request: Req, pages: Pages, path: str) -> Response[bytes]:
    is_page = _PAGES.match(path) is not None
    name = "index.html" if is_page else path.lstrip("/")
    if name.startswith(("api/", "health/", "schema/")):
        raise Fault(404, "not_found", "There is nothing at this address.")
    found = await _file(pages, name)
    if found is None and is_page:
        raise Fault(404, "no_frontend", "The frontend is not built: run make run.")
    if found is None:
        raise Fault(404, "not_found", "There is nothing at this address.")
    if name in WITH_WORDS:
        found = _worded(name, found, language(), _has_cookie(request), path == _HOME)
    return _answer(request, name, found)


async def app_page(
    request: Req, pages: Pages, head: str, more: Callable[[bytes], bytes] | None
) -> Response[bytes]:
    """Serve the app's page with ``head`` added to its head, transformed by ``more``.

    Such a page is private and not stored by shared caches.
    """
    found = await _file(pages, "index.html")
    if found is None or not (head or more):
        return await _found(request, pages, _NOT_HOME)
    found = _worded("index.html", found, language(), _has_cookie(request), False)
    body = found.body.replace(b"</head>", head.encode() + b"</head>", 1)
    answer = _answer(request, "index.html", _with(found, more(body) if more else body))
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


def _has_cookie(request: Req) -> bool:
    return cookie_of(request) is not None


def _with(found: _File, body: bytes) -> _File:
    """Return the file with another body."""
    packed = gzip.compress(body, 6, mtime=0)
    return replace(found, body=body, gzip=packed, br=None, etag=_etag(body))


@lru_cache(64)
def _worded(name: str, found: _File, spoken: Language, has_cookie: bool, home: bool) -> _File:
    """Return a file that contains text (`WITH_WORDS`), translated into a language.

    ``home``: whether to include the home page, for a known player if ``has_cookie``. The page
    declares whether the request had the cookie, which scripts cannot see: what they stored
    themselves may be gone while the cookie still exists.
    """
    body = worded(name, found.body, spoken)
    body = with_front(body, spoken, has_cookie) if home else body
    if has_cookie and name == "index.html":
        body = body.replace(b"<html ", b"<html data-cookie ", 1)
    return found if body is found.body else _with(found, body)


def _answer(request: Req, name: str, found: _File) -> Response[bytes]:
    forever = _HASHED.search(name) is not None
    headers = {
        "Cache-Control": "public, max-age=31536000, immutable" if forever else "no-cache",
        "ETag": found.etag,
        "Vary": "Accept-Encoding",
    }
    if request.headers.get("if-none-match") == found.etag:
        return Response(b"", status_code=304, headers=headers, media_type=found.media_type)
    body = found.body
    accepted = request.headers.get("accept-encoding", "")
    for encoding, packed in (("br", found.br), ("gzip", found.gzip)):
        if packed and _accepts(accepted, encoding):
            headers["Content-Encoding"] = encoding
            body = packed
            break
    return Response(body, headers=headers, media_type=found.media_type)
