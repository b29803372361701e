"""The files of the built frontend: pages, hashed assets and the service worker.

Only files found by walking the build folder are served, each under a single name. They are cached
in memory, uncompressed, gzipped and in the brotli form made by the build, and are read again when
they change on disk.
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
from service.http.i18n import current_language
from service.http.injection import AnyRequest, Injected
from service.http.problems import ApiProblem
from service.http.tokens import cookie_token
from service.media.home_prerender import insert_home
from service.media.page_translation import TRANSLATORS, translate_page

_PAGE_PATHS = re.compile(
    r"^/(?:|new|you|tables|settings|back|rules|style|(?:rules|learn|join|m|play)/[^/]+|play/[^/]+/alone)$"
)
_HASHED_NAME = re.compile(r"[.-][0-9a-f]{8,}\.[a-z0-9.]+$")
_HOME_PATH, _OTHER_PAGE_PATH = "/", "/new"
_BROTLI_SUFFIX = ".br"
_COMPRESSED_SUFFIXES = (".png", ".gif", ".woff2", ".webp", ".jpg", ".mp4")
_MEDIA_TYPES = {".webmanifest": "application/manifest+json", ".js": "text/javascript"}

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


class FrontendFiles:
    """The files of one build folder, cached in memory.

    A URL path is never converted to a file path but looked up among the names found by the last
    walk, so path traversal is impossible and there is at most one cache entry per file.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._files: dict[str, _File] = {}
        self._names: dict[str, Path] = {}
        self._last_walk: object = None
        self._lock = Lock()

    def cached(self, name: str) -> _File | None:
        """Return a file if it is cached and unchanged on disk; None if `load` has to read it."""
        known = self._files.get(name)
        return known if known is not None and known.stamp == _file_stamp(known.path) else None

    def load(self, name: str) -> _File | None:
        """Return a file by its path in the folder, reading and compressing it if necessary.

        Returns None if there is no such file.
        """
        with self._lock:
            self._walk()
            path = self._names.get(name)
            return self.cached(name) or (self._read_file(name, path) if path else None)

    async def game_assets(self, slug: str) -> list[str]:
        """Return the URL paths of a game's code, styles and symbols; empty if it has none."""
        await _load_file(self, "index.html")  # walks the folder
        wanted = re.compile(rf"assets/(game|look)-{slug}(-\d+)?\.[0-9a-f]{{8,}}\.(js|css|svg)")
        return [f"/{name}" for name in sorted(self._names) if wanted.fullmatch(name)]

    def _read_file(self, name: str, path: Path) -> _File | None:
        stamp = _file_stamp(path)
        try:
            body = path.read_bytes()
        except OSError:
            return None
        suffix = path.suffix
        kind = (
            _MEDIA_TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        )
        packed = None if suffix in _COMPRESSED_SUFFIXES else gzip.compress(body, 9, mtime=0)
        found = _File(path, stamp, body, packed, _read_brotli(path), kind, _etag(body))
        self._files[name] = found
        return found

    def _walk(self) -> None:
        """Walk the folder again if it has changed, and drop deleted files from the cache."""
        seen = [(str(f), _file_stamp(f)) for f in (self._folder, self._folder / "assets")]
        if seen == self._last_walk:
            return
        names = {p.relative_to(self._folder).as_posix(): p for p in self._folder.rglob("*")}
        names = {
            n: path for n, path in names.items() if path.is_file() and path.suffix != _BROTLI_SUFFIX
        }
        self._files = {name: file for name, file in self._files.items() if name in names}
        self._names, self._last_walk = names, seen


def _etag(body: bytes) -> str:
    return f'"{hashlib.sha256(body).hexdigest()[:20]}"'


def _read_brotli(path: Path) -> bytes | None:
    try:
        return path.with_name(path.name + _BROTLI_SUFFIX).read_bytes()
    except OSError:
        return None


def _accepts(header: str, encoding: str) -> bool:
    """Return whether an ``Accept-Encoding`` header lists an encoding with a quality above 0."""
    for part in header.lower().split(","):
        name, _, quality = part.partition(";")
        if name.strip() == encoding:
            return quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _file_stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


@get("/", include_in_schema=False, opt={"unlimited": True, "packed": True}, media_type="text/html")
async def serve_home(request: AnyRequest, pages: Injected[FrontendFiles]) -> Response[bytes]:
    """Serve the home page."""
    return await _serve_file(request, pages, _HOME_PATH)


@get(
    "/{path:path}",
    include_in_schema=False,
    opt={"unlimited": True, "packed": True},
    media_type="text/html",
)
async def serve_page(
    request: AnyRequest, pages: Injected[FrontendFiles], path: FromPath[str]
) -> Response[bytes]:
    """Serve a page or file of the frontend.

    Raises `ApiProblem` 404 ``not_found``, or ``no_frontend`` if the frontend is not built.
    """
    return await _serve_file(request, pages, path)


async def _load_file(pages: FrontendFiles, name: str) -> _File | None:
    """Return a file of the build, or None; a new or changed file is read in a thread."""
    return pages.cached(name) or await asyncio.to_thread(pages.load, name)


async def _serve_file(request: AnyRequest, pages: FrontendFiles, path: str) -> Response[bytes]:
    is_page = _PAGE_PATHS.match(path) is not None
    name = "index.html" if is_page else path.lstrip("/")
    if name.startswith(("api/", "health/", "schema/")):
        raise ApiProblem(404, "not_found", "error.not_found")
    found = await _load_file(pages, name)
    if found is None and is_page:
        raise ApiProblem(404, "no_frontend", "error.no_frontend")
    if found is None:
        raise ApiProblem(404, "not_found", "error.not_found")
    if name in TRANSLATORS:
        found = _localized(
            name, found, current_language(), _has_cookie(request), path == _HOME_PATH
        )
    return _file_response(request, name, found)


async def app_page(
    request: AnyRequest, pages: FrontendFiles, head: str, transform: Callable[[bytes], bytes] | None
) -> Response[bytes]:
    """Serve the app's page with ``head`` inserted into its head, then changed by ``transform``.

    The response is marked as private, so that shared caches do not store it. If there is neither
    ``head`` nor ``transform``, serve the unchanged page.
    """
    found = await _load_file(pages, "index.html")
    if found is None or not (head or transform):
        return await _serve_file(request, pages, _OTHER_PAGE_PATH)
    found = _localized("index.html", found, current_language(), _has_cookie(request), False)
    body = found.body.replace(b"</head>", head.encode() + b"</head>", 1)
    answer = _file_response(
        request, "index.html", _replaced_body(found, transform(body) if transform else body)
    )
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


def _has_cookie(request: AnyRequest) -> bool:
    return cookie_token(request.scope) is not None


def _replaced_body(file: _File, body: bytes) -> _File:
    """Return the file with a new body, its gzip form and ETag; there is no brotli form."""
    packed = gzip.compress(body, 6, mtime=0)
    return replace(file, body=body, gzip=packed, br=None, etag=_etag(body))


@lru_cache(64)
def _localized(
    name: str, file: _File, chosen: Language, has_cookie: bool, with_home: bool
) -> _File:
    """Return a file with translatable text (one of `TRANSLATORS`) in a language.

    ``with_home``: whether to render the home page into it, in the variant for known players if
    ``has_cookie``. The page indicates whether the request had the cookie, because scripts cannot
    read the cookie, and their own storage may have been cleared while the cookie still exists.
    """
    body = translate_page(name, file.body, chosen)
    body = insert_home(body, chosen, has_cookie) if with_home else body
    if has_cookie and name == "index.html":
        body = body.replace(b"<html ", b"<html data-cookie ", 1)
    return file if body is file.body else _replaced_body(file, body)


def _file_response(request: AnyRequest, name: str, file: _File) -> Response[bytes]:
    forever = _HASHED_NAME.search(name) is not None
    headers = {
        "Cache-Control": "public, max-age=31536000, immutable" if forever else "no-cache",
        "ETag": file.etag,
        "Vary": "Accept-Encoding",
    }
    if request.headers.get("if-none-match") == file.etag:
        return Response(b"", status_code=304, headers=headers, media_type=file.media_type)
    body = file.body
    accepted = request.headers.get("accept-encoding", "")
    for encoding, packed in (("br", file.br), ("gzip", file.gzip)):
        if packed and _accepts(accepted, encoding):
            headers["Content-Encoding"] = encoding
            body = packed
            break
    return Response(body, headers=headers, media_type=file.media_type)
