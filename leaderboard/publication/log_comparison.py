"""Hold what the database has against what the log says of it, and what is published against both and a new drawing."""

import zlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from accounts.models import AuditEntry
from benchmarks.models import Benchmark
from leaderboard.models import Page, Release
from leaderboard.pages.benchmark_pages import ALL_BENCHMARKS, HOME, front_pages, render_benchmark
from leaderboard.publication.archive import archive_pages
from leaderboard.publication.log_entries import frozen_digests, renderer
from leaderboard.rendering.rendered_page import RenderedPage
from scoring.log_entries import gold_facts
from scoring.models import Batch, GoldVersion
from submissions.uploads.signed_receipts import receipt_of
from transparency.audit_digests import audit_content, not_logged_yet
from transparency.core.canonical import salted_digest
from transparency.core.checkpoints import read_checkpoint
from transparency.core.entries import EntryKind
from transparency.core.merkle import leaf_hash, tree_root
from transparency.core.signed_notes import BadNote
from transparency.instants import instant_text
from transparency.keys import KeyRole, verifier
from transparency.models import Checkpoint, LogEntry


@dataclass(frozen=True, slots=True)
class _Logged:
    """What the newest entry that names a page says of it; `sha256` is None where the page is gone."""

    index: int
    sha256: str | None
    renderer: Mapping[str, str] | None


class LogComparison:
    """The log, read once. `differences` are findings about everything, `of_release` about one release.

    What cannot be compared now is added to `left_out` with its reason.
    """

    def __init__(self) -> None:
        self._entries = list(LogEntry.objects.order_by("index"))
        self._facts = [entry.facts for entry in self._entries]
        self.left_out: list[str] = []

    def differences(self) -> Iterator[str]:
        """Whether the log is whole and signed, and the audit log is what entered it."""
        yield from self._tree_differences()
        yield from self._audit_differences()

    def of_release(self, key: int) -> Iterator[str]:
        """Whether a release, what it was made from, its pages and the current pages are what entered the log."""
        release = Release.objects.whole().select_related("benchmark", "phase").get(pk=key)
        yield from self.of_benchmark(release.benchmark)
        yield from self.of_frozen(release)
        yield from self._page_differences(release)

    def of_benchmark(self, benchmark: Benchmark) -> Iterator[str]:
        """Whether the gold labels and the batches of a benchmark are what entered the log."""
        yield from self._gold_differences(benchmark)
        yield from self._closing_differences(benchmark)

    def _of(self, kind: EntryKind, benchmark: str) -> Iterator[tuple[LogEntry, dict[str, Any]]]:
        for entry, facts in zip(self._entries, self._facts, strict=True):
            if (facts["kind"], facts["benchmark"]) == (kind.value, benchmark):
                yield entry, facts

    def _tree_differences(self) -> Iterator[str]:
        leaves = [leaf_hash(entry.payload.encode()) for entry in self._entries]
        for place, (entry, leaf) in enumerate(zip(self._entries, leaves, strict=True)):
            if entry.index != place:
                yield f"log: the entry {place} is missing."
                return
            if leaf.hex() != entry.leaf_hash:
                yield f"log entry {place}: what it says is not what its leaf was made of."
        checkpoint, key = Checkpoint.objects.first(), verifier(KeyRole.LOG)
        if checkpoint is None or key is None:
            if key is not None:
                self.left_out.append(
                    "log: nothing is signed yet, so nobody outside could tell if it was rewritten."
                )
            return
        try:
            head = read_checkpoint(checkpoint.note, key)
        except BadNote as error:
            yield f"log: its newest checkpoint is not to be trusted. {error}"
            return
        if tree_root(leaves[: head.size]) != head.root or head.size > len(leaves):
            yield f"log: its first {head.size} entries are not those that were signed."

    def _audit_differences(self) -> Iterator[str]:
        rows = AuditEntry.objects.in_bulk()
        for entry, facts in self._of(EntryKind.AUDIT, ""):
            for key, digest in facts["entries"]:
                row = rows.get(key)
                if row is None:
                    yield f"audit log: the line {key} was deleted; log entry {entry.index} has its digest."
                elif salted_digest(bytes.fromhex(entry.salts[str(key)]), audit_content(row)) != digest:
                    yield f"audit log: the line {key} was changed since log entry {entry.index}."
        if waiting := not_logged_yet().count():
            self.left_out.append(
                f"audit log: {waiting} lines have yet to enter the log; a worker sees to it."
            )

    def _gold_differences(self, benchmark: Benchmark) -> Iterator[str]:
        versions = GoldVersion.objects.filter(split__task__benchmark=benchmark).select_related("split__task")
        stored = {(one.split.task.slug, one.split.slug, one.number): one for one in versions}
        logged = {
            (facts["task"], facts["split"], facts["version"]): facts
            for _, facts in self._of(EntryKind.GOLD, benchmark.pk)
        }
        for place in sorted(stored.keys() | logged.keys()):
            called = f"gold labels {place[2]} of {place[0]}/{place[1]}"
            if place not in logged:
                yield f"{called}: they never entered the log."
            elif place not in stored:
                yield f"{called}: the log has them, and the database has them no more."
            else:
                now = gold_facts(stored[place])
                changed = [name for name in _LASTING if now[name] != logged[place][name]]
                if changed:
                    yield f"{called}: {', '.join(changed)} is not what the log has."

    def _closing_differences(self, benchmark: Benchmark) -> Iterator[str]:
        batches = Batch.objects.filter(phase__benchmark=benchmark).select_related("phase")
        stored = {(batch.phase.slug, instant_text(batch.cut_off_at)): batch for batch in batches}
        for entry, facts in self._of(EntryKind.BATCH, benchmark.pk):
            batch = stored.get((facts["phase"], facts["cut_off_at"]))
            if batch is None:
                called = f"{facts['phase']} at {facts['cut_off_at']}"
                yield f"log entry {entry.index}: the database has no batch of {called}."
                continue
            taken_in = batch.entries.select_related("submission__phase")
            receipts = Counter(receipt_of(one.submission).digest for one in taken_in)
            lost = Counter(facts["receipts"]) - receipts
            if lost:
                yield (
                    f"batch {batch}: {lost.total()} of its {len(facts['receipts'])} receipts are of no submission that "
                    "it has: one was removed, or its file or instant was changed."
                )
            if more := receipts - Counter(facts["receipts"]):
                yield f"batch {batch}: {more.total()} submissions were put into it after it was closed."

    def of_frozen(self, release: Release) -> Iterator[str]:
        """Whether what a release has frozen is what entered the log; its pages are not looked at."""
        found = {
            facts["release"]: (entry, facts)
            for entry, facts in self._of(EntryKind.RELEASE, release.benchmark_id)
        }
        if release.number not in found:
            self.left_out.append(
                f"release {release.number} never entered the log: it is from before there was one."
            )
            return
        entry, facts = found[release.number]
        now = frozen_digests(release, bytes.fromhex(entry.salts["salt"]))
        for name in sorted(now.keys() | facts["frozen"].keys()):
            if now.get(name) != facts["frozen"].get(name):
                yield f"{name}: what the release has frozen is not what entered the log (entry {entry.index})."
        before = found.get(release.number - 1)
        named = None if before is None else {"index": before[0].index, "leaf": before[0].leaf_hash}
        if facts["before"] != named:
            yield f"release {release.number}: its entry in the log does not name that of the release before."

    @cached_property
    def _pages(self) -> dict[str, _Logged]:
        found: dict[str, _Logged] = {}
        for entry, facts in zip(self._entries, self._facts, strict=True):
            for path, digest in facts.get("pages", {}).items():
                found[path] = _Logged(entry.index, digest, facts.get("renderer"))
        return found

    def _page_differences(self, release: Release) -> Iterator[str]:
        benchmark = release.benchmark
        base = f"/benchmarks/{benchmark.pk}/releases/"
        own = tuple(f"{base}{release.number}{rest}" for rest in ("/", ".", "-"))
        entered = {path for path in self._own_paths(benchmark) if self._pages[path].sha256}
        stored = _stored(benchmark, entered)
        wanted = {
            path
            for path in stored.keys() | entered
            if path.startswith(own) or path == base or not path.startswith(base)
        }
        if not wanted:
            yield f"release {release.number}: it has no page, and the log names none, so there is nothing to compare."
        edited = set()
        for path in sorted(wanted):
            if said := self._against_log(path, stored.get(path)):
                edited.add(path)
                yield said
        yield from self._against(archive_pages(release.pk), stored, edited)
        if Benchmark.objects.stale().filter(pk=benchmark.pk).exists():
            self.left_out.append(
                "current pages: they wait to be drawn again, so they are held against the log alone."
            )
        else:
            yield from self._against([*render_benchmark(benchmark), *front_pages(anew=True)], stored, edited)

    def _own_paths(self, benchmark: Benchmark) -> set[str]:
        """The paths that entries about a benchmark name."""
        kinds = (EntryKind.RELEASE, EntryKind.PAGES, EntryKind.PREDICTIONS)
        return {
            path for kind in kinds for _, facts in self._of(kind, benchmark.pk) for path in facts["pages"]
        }

    def _against_log(self, path: str, page: Page | None) -> str:
        """What is wrong with a page by its newest entry; empty where nothing is."""
        logged = self._pages.get(path)
        if page is None:
            return f"{path} is not published; `manage.py render_pages --archive` prints it."
        if logged is None or logged.sha256 is None:
            return f"{path}: the page never entered the log."
        if _digest(page) != logged.sha256:
            return f"{path}: the published bytes are not those that entered the log (entry {logged.index})."
        return ""

    def _against(
        self, drawn: Sequence[RenderedPage], stored: Mapping[str, Page], edited: set[str]
    ) -> Iterator[str]:
        """Whether pages are what is drawn from the frozen data now, as far as they were drawn by this code."""
        older = 0
        for page in drawn:
            logged = self._pages.get(page.path)
            if logged is None or logged.renderer != renderer():
                older += 1
            elif page.path not in edited and (
                page.path not in stored or _digest(stored[page.path]) != page.sha256
            ):
                yield f"{page.path}: the published bytes are not those that are drawn from the frozen data."
        if older:
            self.left_out.append(
                f"{older} pages were drawn by another version of the code, or under another address; they are held "
                "against the log alone."
            )


_LASTING = ("commitment", "remainder_by", "items", "task_version")


def _stored(benchmark: Benchmark, entered: Collection[str]) -> dict[str, Page]:
    """The published pages of a benchmark, and those that its entries name."""
    named = Page.objects.filter(pk__in=[HOME, ALL_BENCHMARKS, *entered])
    return {
        page.path: page
        for rows in (Page.objects.filter(benchmark=benchmark), named)
        for page in rows.select_related("stored__base")
    }


def _digest(page: Page) -> str:
    """The digest of what a page answers; empty where that cannot be unpacked."""
    try:
        return sha256(page.body).hexdigest()
    except (OSError, EOFError, zlib.error):
        return ""
