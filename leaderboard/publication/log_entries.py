"""What the log is told of releases and pages: in the transaction that puts them in place."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.conf import settings

from benchmarks.log_entries import append_public
from benchmarks.models import Benchmark
from leaderboard.models import Release
from leaderboard.rendering.rendered_page import RenderedPage
from scoring.code_version import code_commit
from scoring.models import GoldVersion
from transparency.core.canonical import salted_digest
from transparency.core.entries import EntryKind
from transparency.instants import instant_text
from transparency.models import LogEntry, LoggedPage
from transparency.salts import new_salt

# What an entry since the last drawing says of why pages are others now.
_REASONS = {
    EntryKind.DEFINITION: "the definition has changed",
    EntryKind.RENEWAL: "items were renewed",
    EntryKind.GOLD: "gold labels were loaded",
    EntryKind.BATCH: "a batch was closed",
    EntryKind.OPENING: "gold labels were opened",
    EntryKind.NAMES: "names are shown, hidden or removed",
    EntryKind.FILE: "a file was removed",
    EntryKind.PREDICTIONS: "predictions were published",
}
NEW_LOOK = "another version of the code draws them"
OTHERWISE = "what they tell of has changed"
LEDGER = "the release is in the ledger of published bits"

PageDigests = dict[str, str | None]


def renderer() -> dict[str, str]:
    """What draws pages here: the same data give the same bytes as long as it is the same."""
    return {
        "version": settings.VERSION,
        "commit": code_commit(),
        "static": settings.STATIC_DIGEST,
        "site": settings.SITE_URL,
    }


def log_release(
    release: Release, pages: Sequence[RenderedPage], removed: Iterable[str], gold: Iterable[GoldVersion]
) -> None:
    """Enter a release: digests of what is frozen, of the pages that it changes, and of the release before it.

    The frozen boards hold the names of systems that may be anonymous, so their digests are salted.
    """
    salt = new_salt()
    before = _releases(release.benchmark_id).order_by("-index").first()
    facts = {
        "release": release.number,
        "phase": release.phase.slug,
        "published_at": instant_text(release.published_at),
        "frozen": frozen_digests(release, salt),
        "gold": [
            {"task": version.split.task.slug, "split": version.split.slug, "commitment": version.commitment}
            for version in gold
        ],
        "pages": _note_changed(pages, removed),
        "renderer": renderer(),
        "before": None if before is None else {"index": before.index, "leaf": before.leaf_hash},
    }
    append_public(
        kind=EntryKind.RELEASE, benchmark=release.benchmark_id, facts=facts, opening={"salt": salt.hex()}
    )


def frozen_digests(release: Release, salt: bytes) -> dict[str, str]:
    """A salted digest of every board and report that a release has frozen, by name."""
    parts = {f"boards/{key}": board for key, board in release.boards.items()}
    # As the database gives them back: a board, whose keys are texts, is that already.
    parts |= {f"reports/{key}": json.loads(json.dumps(report)) for key, report in release.reports.items()}
    return {name: salted_digest(salt, f"{name}\n".encode() + _frozen(part)) for name, part in parts.items()}


def _frozen(part: Any) -> bytes:
    return json.dumps(part, sort_keys=True, separators=(",", ":")).encode()


def log_pages(
    benchmark: str,
    pages: Sequence[RenderedPage],
    *,
    reason: str,
    removed: Iterable[str] = (),
    release: int | None = None,
) -> None:
    """Enter the digests of pages that were drawn again and are others now, with the reason; nothing where none is."""
    if changed := _note_changed(pages, removed):
        facts = {"reason": reason, "release": release, "pages": changed, "renderer": renderer()}
        append_public(kind=EntryKind.PAGES, benchmark=benchmark, facts=facts)


def reason_to_draw(benchmark: Benchmark) -> str:
    """Why the pages of a benchmark are drawn again: what has entered the log since they were drawn last."""
    drawn = LogEntry.objects.filter(benchmark=benchmark.pk, kind__in=(EntryKind.RELEASE, EntryKind.PAGES))
    last = drawn.order_by("-index").first()
    since = LogEntry.objects.filter(benchmark=benchmark.pk, index__gt=last.index if last else -1)
    kinds = dict.fromkeys(since.order_by("index").values_list("kind", flat=True))
    reasons = [_REASONS[EntryKind(kind)] for kind in kinds if kind in _REASONS]
    if last is not None and last.facts["renderer"] != renderer():
        reasons.append(NEW_LOOK)
    return "; ".join(reasons) or OTHERWISE


def log_names(benchmark: Benchmark, *, are_shown: bool) -> None:
    """Enter that the systems of a benchmark are named, or bear numbers, from now on."""
    append_public(kind=EntryKind.NAMES, benchmark=benchmark.pk, facts={"shown": are_shown})


def log_removal(benchmark: Benchmark, paths: Iterable[str]) -> None:
    """Enter that a benchmark was deleted, which nobody had submitted to, and its pages with it; unless it was hidden.

    Its row is gone already, so whether it was hidden is what was read before.
    """
    facts = {"pages": _note_changed((), paths)}
    if not benchmark.is_hidden:
        append_public(kind=EntryKind.REMOVAL, benchmark=benchmark.pk, facts=facts)


def _releases(benchmark: str) -> Any:
    return LogEntry.objects.filter(benchmark=benchmark, kind=EntryKind.RELEASE)


def _note_changed(pages: Sequence[RenderedPage], removed: Iterable[str]) -> PageDigests:
    """The digests that are not those that the log has, None for pages that are gone; the log has them from now on."""
    digests = {page.path: page.sha256 for page in pages}
    gone = set(removed) - digests.keys()
    known: Mapping[str, str] = dict(
        LoggedPage.objects.filter(pk__in=[*digests, *gone]).values_list("pk", "sha256")
    )
    changed = {path: digest for path, digest in digests.items() if known.get(path) != digest}
    rows = [LoggedPage(path=path, sha256=digest) for path, digest in changed.items()]
    LoggedPage.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["path"], update_fields=["sha256"], batch_size=200
    )
    LoggedPage.objects.filter(pk__in=gone).delete()
    return dict(sorted({**changed, **dict.fromkeys(gone & known.keys())}.items()))
