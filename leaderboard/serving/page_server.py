"""Answer published pages before Django sees the request: no query, no template, no middleware."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.db import Error
from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import split_domain_port, validate_host
from django.utils.encoding import iri_to_uri

from benchmarks.models import Benchmark
from leaderboard.models import Printing
from leaderboard.rendering.held_values import HeldValues
from leaderboard.serving.board_views import (
    Database,
    TooManyReaders,
    asks_for_reading,
    place_to_draw,
    read_otherwise,
)
from leaderboard.serving.drawn_pages import benchmark_of, find_page
from leaderboard.serving.served_page import ServedPage

POLL_SECONDS = 0.25
TRUST_SECONDS = 1.0
MAX_HELD_BYTES = 64_000_000  # of compressed pages in a process
PAGE_COSTS = 1000  # bytes beside its body, about
PREFIXES = ("/benchmarks/", "/systems/")
# What Django draws for one reader from published boards.
DRAWN_BY_DJANGO = re.compile(r"/benchmarks/[^/]+/compare/|/search/")
# What else Django answers by turns, if whoever asks is not known: the API, and addresses at which nothing is published.
BY_TURNS = (*PREFIXES, "/api/")
BUSY = "Many readers are having pages drawn at this moment. Please try again in a few seconds."
NOTHING = "Nothing has been published at this address."
# The pages that other sites may show in a frame: they only hold links, each of which opens a window of its own.
EMBEDDABLE = re.compile(r"/benchmarks/[^/]+/embed/")

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
# Status line, headers and body.
Answer = tuple[str, list[tuple[str, str]], bytes]


class PageStore:
    """Holds pages in memory and forgets them all when the printing changes.

    The printing is looked up at most every POLL_SECONDS, so that a new release is seen at once everywhere and a page
    costs no query. Whoever reads meanwhile is shown what is held, or waits where it may be older than TRUST_SECONDS; at
    most that long, as the database may not answer. All pages of one answer come from one printing: a page that is newer
    than the printing held here drops everything older.
    """

    def __init__(
        self, database: Database = nullcontext, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._database, self._clock = database, clock
        self._lock = threading.Lock()
        self._printing = -1
        self._next_poll = 0.0
        self._polled_from = self._known_from = -TRUST_SECONDS
        self._pages = _no_pages()

    def get(self, path: str) -> ServedPage | None:
        """The published page of that path, or None. TooManyReaders if it has to be drawn and cannot be soon."""
        if self._clock() >= self._next_poll:
            self._poll()
        return self._pages.find(path) or self._load(path)

    def _poll(self) -> None:
        if not self._lock.acquire(blocking=False):
            self._wait_for_other()
            return
        try:
            self._polled_from = self._clock()
            with self._database():
                self._turn_to(Printing.count())
            self._known_from = self._polled_from
        except Error:
            pass  # keep serving what is held while the database is away
        finally:
            self._next_poll = self._clock() + POLL_SECONDS
            self._lock.release()

    def _wait_for_other(self) -> None:
        """Where another thread is asking already, and what is held may be of long ago."""
        now = self._clock()
        patience = self._polled_from + TRUST_SECONDS - now
        if now - self._known_from > TRUST_SECONDS and patience > 0 and self._lock.acquire(timeout=patience):
            self._lock.release()

    def _turn_to(self, printing: int) -> None:
        if printing != self._printing:
            self._printing, self._pages = printing, _no_pages()

    def _load(self, path: str) -> ServedPage | None:
        pages = (
            self._pages
        )  # if a release comes while the page is fetched, an old page must not be held with new ones
        try:
            page = find_page(
                path,
                of_everybody=True,
                held=lambda: self._pages.find(path),
                keep=self._hold_drawn,
                database=self._database,
            )
        except Error:
            return None
        if page is None:
            return None
        if page.printing > self._printing:
            self._turn_to(page.printing)
            pages = self._pages
        pages.keep(path, page)
        return page

    def _hold_drawn(self, page: ServedPage) -> None:
        if page.printing == self._printing:
            self._pages.keep(page.path, page)


def _no_pages() -> HeldValues[str, ServedPage]:
    return HeldValues(MAX_HELD_BYTES, lambda page: PAGE_COSTS + len(page.packed))


class PublishedPages:
    """WSGI middleware in front of Django. What it asks the database itself, it asks on a connection of `database`."""

    def __init__(
        self,
        application: Callable[[Environ, StartResponse], Iterable[bytes]],
        database: Database = nullcontext,
    ) -> None:
        self._application, self._database = application, database
        self._store = PageStore(database)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        is_drawn = DRAWN_BY_DJANGO.fullmatch(environ["PATH_INFO"])
        answered = self._answered(environ) if not is_drawn and _may_answer(environ) else None
        if answered is not None:
            return _send(answered, environ, start_response)
        if is_drawn or _is_of_a_stranger(environ):
            return self._by_turns(environ, start_response)
        return self._application(environ, start_response)

    def _by_turns(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """By turns with boards that are read otherwise; who waits for that keeps none of Django's places."""
        try:
            with place_to_draw():
                return self._application(environ, start_response)
        except TooManyReaders:
            return _send(self._turned_away(environ["PATH_INFO"]), environ, start_response)

    def _turned_away(self, path: str) -> Answer:
        """Busy; but nothing of a benchmark that is hidden, for a proxy may show the copy it has where all are busy."""
        try:
            with self._database():
                is_hidden = Benchmark.objects.hidden().filter(pk=benchmark_of(path)).exists()
        except Error:
            is_hidden = False
        return _in_words("404 Not Found", path, "not_found", NOTHING) if is_hidden else _busy(path)

    def _answered(self, environ: Environ) -> Answer | None:
        """None where it is for Django to answer."""
        query = environ.get("QUERY_STRING", "")
        held, accepted = environ.get("HTTP_IF_NONE_MATCH", ""), environ.get("HTTP_ACCEPT_ENCODING", "")
        try:
            page = self._store.get(environ["PATH_INFO"])
            return None if page is None else answer(page, held, accepted, query, self._database)
        except TooManyReaders:
            return _busy(environ["PATH_INFO"])
        except Error:
            return None


def _is_of_a_stranger(environ: Environ) -> bool:
    """Whether somebody reads who neither signed in nor sent a token, where what is published is looked for."""
    return (
        environ["REQUEST_METHOD"] in ("GET", "HEAD")
        and environ["PATH_INFO"].startswith(BY_TURNS)
        and "HTTP_AUTHORIZATION" not in environ
        and f"{settings.SESSION_COOKIE_NAME}=" not in environ.get("HTTP_COOKIE", "")
    )


def _send(answered: Answer, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
    status, headers, body = answered
    start_response(status, headers)
    return [b"" if environ["REQUEST_METHOD"] == "HEAD" else body]


def _may_answer(environ: Environ) -> bool:
    path = environ["PATH_INFO"]
    if environ["REQUEST_METHOD"] not in ("GET", "HEAD") or not (path == "/" or path.startswith(PREFIXES)):
        return False
    host = environ.get("HTTP_HOST")
    if host is not None and not _is_ours(host):
        return False  # Django refuses it
    # A plain-HTTP request to a server behind TLS is Django's to redirect.
    is_secure = environ.get("HTTP_X_FORWARDED_PROTO", environ["wsgi.url_scheme"]) == "https"
    return is_secure or not settings.SECURE_SSL_REDIRECT


@lru_cache(maxsize=64)
def _is_ours(host: str) -> bool:
    """Whether the site is known by that name; as Django sees it."""
    domain, _port = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def answer(
    page: ServedPage,
    if_none_match: str,
    accept_encoding: str,
    query: str = "",
    database: Database = nullcontext,
) -> Answer:
    """Status line, headers and body for a page, with its board as the query asks. TooManyReaders if that takes long."""
    if asks_for_reading(page.path, query):
        return _answer_reading(page, if_none_match, accept_encoding, query, database)
    etag = f'"{page.etag}"'
    policy = _EMBEDDED if EMBEDDABLE.fullmatch(page.path) else _ALONE
    headers = [*policy, *_HEADERS, ("ETag", etag), ("Vary", "Accept-Encoding"), *_KEPT]
    if etag in if_none_match or if_none_match == "*":
        return "304 Not Modified", headers, b""
    headers.append(("Content-Type", page.content_type))
    if not page.content_type.startswith("text/html"):
        headers.append(("Access-Control-Allow-Origin", "*"))
    if "gzip" in accept_encoding:
        body = page.packed
        headers.append(("Content-Encoding", "gzip"))
    else:
        body = page.plain
    headers.append(("Content-Length", str(len(body))))
    return "200 OK", headers, body


def _answer_reading(
    page: ServedPage, if_none_match: str, accept_encoding: str, query: str, database: Database
) -> Answer:
    read = read_otherwise(page, query, if_none_match, database)
    status, headers, body = answer(read or page, if_none_match, accept_encoding)
    return status, [*headers, _canonical(page.path)], body


@lru_cache(maxsize=64)
def _canonical(path: str) -> tuple[str, str]:
    return "Link", f'<{iri_to_uri(path)}>; rel="canonical"'


def _busy(path: str) -> Answer:
    """While too many others wait for what is drawn; to programs in JSON, as all errors of the API are."""
    status, headers, body = _in_words("503 Service Unavailable", path, "busy", BUSY)
    return status, [*headers, ("Retry-After", "3")], body


def _in_words(status: str, path: str, code: str, detail: str) -> Answer:
    body, kind = detail.encode(), "text/plain; charset=utf-8"
    if path.startswith("/api/"):
        body, kind = json.dumps({"code": code, "detail": detail}).encode(), "application/json"
    headers = [*_ALONE, *_HEADERS, ("Content-Type", kind), ("Content-Length", str(len(body)))]
    return status, headers, body


def response(path: str, request: HttpRequest) -> HttpResponse:
    """The same answer as a Django response, for requests that come that far; Http404 where nothing is published."""
    held, accepted = request.headers.get("If-None-Match", ""), request.headers.get("Accept-Encoding", "")
    try:
        page = find_page(path)
        if page is None:
            raise Http404(NOTHING)
        status, headers, body = answer(page, held, accepted, request.META.get("QUERY_STRING", ""))
    except TooManyReaders:
        status, headers, body = _busy(path)
    http_response = HttpResponse(body, status=int(status[:3]), headers=dict(headers))
    # Else the middleware would forbid what is allowed here.
    http_response.xframe_options_exempt = True
    return http_response


def _policy(**changed: Sequence[str]) -> str:
    directives = settings.CSP_DIRECTIVES | {name.replace("_", "-"): some for name, some in changed.items()}
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in directives.items())


_ALONE = [("Content-Security-Policy", _policy()), ("X-Frame-Options", "DENY")]
_EMBEDDED = [("Content-Security-Policy", _policy(frame_ancestors=["*"]))]
_HEADERS = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", settings.SECURE_REFERRER_POLICY),
    ("Cross-Origin-Opener-Policy", "same-origin"),
]
# A proxy that knows the first header keeps a page for a second, shows its copy for two more while it asks for the new
# page, and later only while no server answers. It tells nobody of that header; readers and other proxies ask each time.
_KEPT = [("X-Accel-Expires", "1"), ("Cache-Control", "no-cache, stale-while-revalidate=2")]
if settings.SECURE_HSTS_SECONDS:
    _HEADERS.append(
        ("Strict-Transport-Security", f"max-age={settings.SECURE_HSTS_SECONDS}; includeSubDomains; preload")
    )
