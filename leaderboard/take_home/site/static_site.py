"""The published pages of a benchmark, or of a whole site, as a folder that opens without a server."""

import datetime as dt
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from json import dumps
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.test import Client

from accounts.formats.instants import in_words
from benchmarks.models import Benchmark
from leaderboard.models import Page
from leaderboard.pages.benchmark_pages import ALL_BENCHMARKS, HOME
from leaderboard.pages.system_pages import system_pages, systems_with_pages
from leaderboard.rendering.rendered_page import HTML
from leaderboard.serving.drawn_pages import find_page
from leaderboard.take_home.crate import (
    CHECKSUM_NOTE,
    CHECKSUMS,
    FileFacts,
    FolderFacts,
    checksums,
    described,
)
from leaderboard.take_home.signature import checksum_note
from leaderboard.take_home.site.static_links import as_file, file_of
from submissions.models import System
from transparency.core.entries import AS_PUBLISHED
from transparency.keys import verifiers
from transparency.models import LogEntry, LoggedPage
from transparency.services import sign_log

# What is no published page, and goes along where a page links to it: it needs no server to be read.
_READ_ALONE = re.compile(
    r"/handbook/.*|/benchmarks/[^/]+/(texts|ids|given|terms|announcements|questions)/.*|/benchmarks/[^/]+/calendar\.ics"
    r"|/benchmarks/[^/]+/releases/[^/]+/provenance/[^/]+/"
)


class CannotArchive(Exception):
    """The folder cannot be made; the message says why."""


@dataclass(frozen=True, slots=True)
class StaticSite:
    """What a folder came to."""

    page_count: int
    file_count: int
    size: int


def make_static_site(
    folder: Path, now: dt.datetime, facts: FolderFacts, benchmark: Benchmark | None
) -> StaticSite:
    """Write the pages of a benchmark, or of all where it is None, with the signed log, into a new folder.

    Raises
    ------
    CannotArchive
        If the folder holds something, or nothing was published.
    """
    if folder.exists() and any(folder.iterdir()):
        raise CannotArchive(f"{folder} is not empty. Name a folder that is not there yet.")
    site = _Folder(folder, now, benchmark)
    if not site.published:
        raise CannotArchive("Nothing has been published yet, so there is nothing to keep.")
    site.write_pages()
    site.write_systems()
    site.write_log()
    site.write_frame()
    for path, data in described(facts, sorted(site.files, key=lambda file: file.path)).items():
        site.put(path, data)
    sums = checksums(site.files)
    site.put(CHECKSUMS, sums)
    if note := checksum_note(benchmark.pk if benchmark else "the whole site", now, sums):
        site.put(CHECKSUM_NOTE, note)
    return StaticSite(site.page_count, len(site.files), sum(file.size for file in site.files))


class _Folder:
    """The folder while it is filled: each page is read, written and forgotten."""

    def __init__(self, folder: Path, now: dt.datetime, benchmark: Benchmark | None) -> None:
        self._folder, self._now, self._benchmark = folder, now, benchmark
        self.published = frozenset(_paths(benchmark))
        self._systems = {f"/systems/{system.pk}/": system for system in _systems(benchmark)}
        self.files: list[FileFacts] = []
        self.page_count = 0
        self._fetched: dict[str, bool] = {}
        self._waiting: deque[tuple[str, bytes]] = deque()
        parts = urlsplit(settings.SITE_URL)
        self._client = Client(SERVER_NAME=parts.hostname or "localhost", SERVER_PORT=str(parts.port or 443))
        self._is_secure = parts.scheme == "https"
        whose = benchmark.title if benchmark else "this site"
        self._notice = (
            f"Archived on {in_words(now)}.",
            f"A copy of the pages of {whose} at {settings.SITE_URL}. Sorting, searching, comparing and submitting need "
            "that server; all tables are here as files.",
        )

    def write_pages(self) -> None:
        sign_log(self._now)
        logged = set(LoggedPage.objects.values_list("pk", flat=True))
        for path in sorted(self.published):
            page = Page.objects.select_related("stored__base").get(pk=path)
            if page.content_type.startswith("text/html"):
                if path in logged:
                    self.put(f"{AS_PUBLISHED}/{file_of(path)}", page.body)
                self._write_html(path, page.body)
            else:
                self.put(file_of(path), page.body)
            self._write_waiting()
        # A release changes these too, and the log says how.
        for page in Page.objects.filter(pk__in={HOME, ALL_BENCHMARKS} & logged - self.published):
            self.put(f"{AS_PUBLISHED}/{file_of(page.path)}", page.body)

    def write_systems(self) -> None:
        """The pages of systems, which are stored nowhere, with the files beside each."""
        for system in self._systems.values():
            pages = system_pages(system)
            self.published |= {page.path for page in pages}
            for page in pages:
                if page.content_type == HTML:
                    self._write_html(page.path, page.body)
                else:
                    self.put(file_of(page.path), page.body)
            self._write_waiting()

    def write_log(self) -> None:
        """The signed part of the log, as `heldout audit` reads it from a folder."""
        checkpoint = sign_log(self._now)
        if checkpoint is None:
            return
        self.put("log/checkpoint", checkpoint.note.encode())
        self.put("log/keys", dumps(verifiers()).encode())
        signed = LogEntry.objects.filter(index__lt=checkpoint.size).order_by("index")
        payloads = signed.values_list("payload", flat=True).iterator(chunk_size=500)
        self.put_in_pieces("log/entries", _as_list(payloads))

    def write_frame(self) -> None:
        """Style, scripts and a first page where the site's own is not among the pages."""
        static = Path(settings.BASE_DIR) / "static"
        for name in ("heldout.css", "heldout.js", "favicon.svg"):
            self.put(f"static/{name}", (static / name).read_bytes())
        if self._benchmark is not None:
            goal = file_of(f"/benchmarks/{self._benchmark.pk}/")
            self.put(
                "index.html",
                (
                    f'<!doctype html><html lang="en-GB"><meta charset="utf-8"><title>{self._benchmark.pk}</title>'
                    f'<meta http-equiv="refresh" content="0; url={goal}"><a href="{goal}">The leaderboard</a></html>\n'
                ).encode(),
            )

    def put(self, path: str, data: bytes) -> None:
        self.put_in_pieces(path, [data])

    def put_in_pieces(self, path: str, pieces: Iterable[bytes]) -> None:
        file, digest, size = self._folder / path, sha256(), 0
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("xb") as target:
            for piece in pieces:
                target.write(piece)
                digest.update(piece)
                size += len(piece)
        self.files.append(FileFacts(path, size, digest.hexdigest()))

    def _write_waiting(self) -> None:
        while self._waiting:
            self._write_html(*self._waiting.popleft())

    def _write_html(self, path: str, body: bytes) -> None:
        text = as_file(body.decode(), path, site=settings.SITE_URL, notice=self._notice, find=self._find)
        self.put(file_of(path), text.encode())
        self.page_count += 1

    def _find(self, path: str) -> str | None:
        if path == "/" and self._benchmark is not None:
            path = f"/benchmarks/{self._benchmark.pk}/"
        static = ("/static/heldout.css", "/static/heldout.js", "/static/favicon.svg")
        if path in self.published or path in self._systems or path in static:
            return file_of(path)
        return file_of(path) if self._is_read_alone(path) else None

    def _is_read_alone(self, path: str) -> bool:
        """Whether there is something at an address that needs no server; it is taken along when it is first met."""
        if path not in self._fetched:
            self._fetched[path] = (
                bool(_READ_ALONE.fullmatch(path)) and self._is_ours(path) and self._fetch(path)
            )
        return self._fetched[path]

    def _is_ours(self, path: str) -> bool:
        mine = self._benchmark
        return (
            mine is None or not path.startswith("/benchmarks/") or path.startswith(f"/benchmarks/{mine.pk}/")
        )

    def _fetch(self, path: str) -> bool:
        if drawn := find_page(path):
            self._waiting.append((path, drawn.plain))
            return True
        answer = self._client.get(path, secure=self._is_secure)
        if answer.status_code != HTTPStatus.OK:
            return False
        body = answer.getvalue()  # streamed or not
        if answer["Content-Type"].startswith("text/html"):
            self._waiting.append((path, body))
        else:
            self.put(file_of(path), body)
        return True


def _paths(benchmark: Benchmark | None) -> Iterator[str]:
    """The addresses of the stored pages that go along: a benchmark's, or all that everybody reads."""
    if benchmark is None:
        yield from Page.objects.of_everybody().values_list("pk", flat=True)
        return
    base = f"/benchmarks/{benchmark.pk}"
    for path in Page.objects.filter(path__startswith=base).values_list("pk", flat=True):
        if path[len(base) : len(base) + 1] in ("/", ".", "-"):
            yield path


def _systems(benchmark: Benchmark | None) -> Iterable[System]:
    """Whose pages go along: those of a benchmark, or all."""
    systems = systems_with_pages().order_by("pk")
    return systems.filter(submissions__phase__benchmark=benchmark).distinct() if benchmark else systems


def _as_list(payloads: Iterable[str]) -> Iterator[bytes]:
    yield b'{"entries":['
    for place, payload in enumerate(payloads):
        yield (b"," if place else b"") + payload.encode()
    yield b"]}"
