"""Publish a release: one transaction, before which no byte of the new scores can be seen."""

import datetime as dt
import logging
import uuid
from collections.abc import Collection, Iterable, Sequence
from typing import NoReturn

from django.db import IntegrityError, transaction
from django.db.models import F

from accounts.mail.outbox import put_in_post
from accounts.models import MailKind
from benchmarks.models import Benchmark
from benchmarks.services import mark_stale
from catalogue.garbage_collection import garbage_collection_paused
from leaderboard.assembly.digits import boards_to_show
from leaderboard.assembly.release_boards import build_boards
from leaderboard.assembly.replicates import rows_of_answers
from leaderboard.board.model.serialization import to_dict
from leaderboard.ledger.accounts import keep_ledger
from leaderboard.mail.publication import publication_letters
from leaderboard.models import ArchivedRelease, HomeLine, Page, Press, Printing, Release, ReleaseCell
from leaderboard.pages.benchmark_pages import front_pages, home_line, render_benchmark, render_release
from leaderboard.pages.rendered_release import heads, print_release
from leaderboard.pages.score_cards import provenance_pages
from leaderboard.publication.archive import archive_pages
from leaderboard.publication.batch_watch import is_watched, waits_for_a_look, watch
from leaderboard.publication.failed_batches import note_failure
from leaderboard.publication.log_entries import LEDGER, log_pages, log_release, reason_to_draw
from leaderboard.publication.site_address import refuse_without_address
from leaderboard.release_cells import DraftCell, store_cells
from leaderboard.rendering.made_in_parallel import made_in_parallel
from leaderboard.rendering.page_bodies import pack, store_bodies
from leaderboard.rendering.release_places import keep_places
from leaderboard.rendering.rendered_page import RenderedPage
from leaderboard.reports.registry import make_reports
from leaderboard.reports.report import ReleaseDraft
from leaderboard.reports.solved_rounds import tell_about_solved
from scoring.disclosure.standings import Standing, batches_behind, standings, taken_in
from scoring.disclosure.tries import with_tries
from scoring.item_sets.equity import assess_due
from scoring.models import Batch, GoldVersion
from scoring.queue.wanted_runs import awaits_runs
from submissions.models import Submission
from transparency.services import sign_if_possible

logger = logging.getLogger(__name__)


class NotReady(Exception):
    """The batch is still being scored, or its release is out already."""


def publish_ready(now: dt.datetime) -> list[Release]:
    """Publish every scored batch whose phase does not wait for the organiser's word, the oldest first.

    Each is looked at before, see `leaderboard.publication.batch_watch`.
    """
    batches = (
        Batch.objects.ready()
        .filter(phase__publish_automatically=True)
        .exclude(phase__release_not_before__gt=now)
        .select_related("phase__benchmark")
    )
    releases = []
    for batch in batches:
        try:
            watch(batch, now)
            if waits_for_a_look(batch, now):
                continue
            releases.append(publish(batch=batch, now=now))
        except (NotReady, IntegrityError):
            continue  # another process was faster; what it published stands
        except Exception as error:
            # One benchmark that cannot be published must not hold up the others; the sweep tries again, not for ever.
            logger.exception("the batch %s could not be published", batch.pk)
            note_failure(batch, error, now)
    return releases


@garbage_collection_paused()  # nearly all that a publication builds lives to its end
def publish(*, batch: Batch, now: dt.datetime) -> Release:
    """Freeze what the phase stands with into the next release and put its pages in place.

    Everything is built beforehand; the transaction only checks that nothing has moved meanwhile.

    Raises
    ------
    NotReady
        If the batch is not waiting for its release, has not been looked at by the watch, or has to be scored anew.
    AddressUnknown
        If nobody has said under which address the site is reached.
    IntegrityError
        If another release of the benchmark took the number meanwhile; nothing was changed, try again.
    """
    refuse_without_address()
    batch = Batch.objects.select_related("phase__benchmark").get(pk=batch.pk)
    benchmark = batch.phase.benchmark
    if batch.status == Batch.Status.SCORED and not is_watched(batch, now):
        raise NotReady(
            "A worker is looking at this batch for copies and probes. Please publish it in a minute."
        )
    assess_due(now)
    sign_if_possible(now)  # so that the release can hand it out
    scored = list(_waiting_for_publication(batch))
    rows = with_tries(batch, standings(batch))
    if awaits_runs(batch):  # asked after they were read, or gold labels loaded just before would empty cells
        _score_anew(batch)
    number = Release.objects.next_number(benchmark.slug)
    drawn = rows_of_answers(benchmark.spec, [row.answers for row in rows])
    exact = build_boards(phase=batch.phase, rows=rows, release=number, published_at=now, drawn=drawn)
    boards = boards_to_show(benchmark, exact)
    release = Release(
        benchmark=benchmark,
        phase=batch.phase,
        batch=batch,
        number=number,
        published_at=now,
    )
    release.boards = {key: to_dict(board) for key, board in boards.items()}
    cells = _cells(rows)
    release.reports = make_reports(ReleaseDraft(release, rows, drawn, cells, exact))
    printed = print_release(release, frozen=boards)
    late = [*printed.late_pages()]
    with made_in_parallel(late):
        origins = [*provenance_pages(printed, cells)]
        letters = publication_letters(release, boards, rows, scored, printed)
    pages = [*render_release(printed), *origins]
    pack([*pages, *(page for group in late for page in group.made())])
    with transaction.atomic():
        won = Batch.objects.filter(pk=batch.pk, status=Batch.Status.SCORED).update(
            status=Batch.Status.RELEASED, set_aside_because=""
        )
        if not won:
            raise NotReady("Another release came out at the same moment. Please look again.")
        _move_on({cell.submission_id for cell in cells}, scored)
        release.save(force_insert=True)
        store_cells(release, cells)
        keep_places([release])
        take_press(benchmark.pk)
        newest = render_benchmark(benchmark, printed)
        pack([*pages, *newest])
        printing = next_printing()
        put_pages(pages, benchmark, printing)
        current, removed = _put_current(newest, benchmark, printing)
        about = f"publication:{benchmark.pk}:{number}"
        put_in_post(kind=MailKind.PUBLICATION, about=about, letters=letters, now=now)
        tell_about_solved(release, now)
        _refuse_other_names(benchmark)
        log_release(release, [*pages, *current], removed, _gold_of(release))
    logger.info("published %s with %d systems", release, len(rows))
    return release


def _move_on(shown: set[uuid.UUID], scored: Collection[uuid.UUID]) -> None:
    """Have what was scored be published; NotReady if something that the release shows or takes in counts no more.

    Moved first, so that a withdrawal under way is waited for.
    """
    countable = Submission.objects.countable()
    countable.filter(pk__in=scored, status=Submission.Status.SCORED).update(
        status=Submission.Status.PUBLISHED
    )
    taken = shown.union(scored)
    if countable.filter(pk__in=taken).count() < len(taken):
        raise NotReady(
            "A submission was withdrawn, disqualified or held back at this moment. Please publish it again."
        )


def _refuse_other_names(benchmark: Benchmark) -> None:
    """NotReady if names were hidden or shown since the pages were rendered; else the pages show what it had in hand."""
    rows = Benchmark.objects.filter(pk=benchmark.pk, is_anonymous=benchmark.is_anonymous)
    if not rows.update(pages_rendered=benchmark.pages_wanted):
        raise NotReady("The anonymity of the systems has changed at this moment. Please publish it again.")


def _score_anew(batch: Batch) -> NoReturn:
    """Without their new scores, rows would vanish from the board."""
    Batch.objects.filter(pk=batch.pk, status=Batch.Status.SCORED).update(
        status=Batch.Status.SCORING, publish_failures=0, set_aside_because=""
    )
    raise NotReady(
        "Gold labels or metrics have changed since this batch was scored. It is being scored anew; please publish "
        "it again in a few minutes."
    )


def _waiting_for_publication(batch: Batch) -> Iterable[uuid.UUID]:
    """Everything scored up to a batch is published with it, whether or not it counts for its system; what is held back
    is not."""
    for scored_batch in (batch, *batches_behind(batch)):
        scored = taken_in(scored_batch).countable().filter(status=Submission.Status.SCORED)
        yield from scored.values_list("pk", flat=True)


def _cells(rows: Sequence[Standing]) -> list[DraftCell]:
    return [
        DraftCell(
            system=answer.submission.system,
            task=answer.task,
            split=answer.split,
            track=answer.submission.track,
            seed=seed,
            submission=answer.submission,
            score=scores[answer.task.spec.primary_metric.name],
            disclosed=answer.disclosed,
        )
        for standing in rows
        for answer in standing.answers.values()
        for seed, scores in answer.scores.items()
    ]


def _gold_of(release: Release) -> list[GoldVersion]:
    """The gold versions that the scores of a release were made with."""
    used = ReleaseCell.objects.of(release).values("score__run__gold_version")
    return list(GoldVersion.objects.filter(pk__in=used).select_related("split__task").order_by("pk"))


def take_press(slug: str) -> None:
    """Wait until nobody else draws pages of the benchmark; whoever waits longer than the process may gets an error.

    Comes before pages are drawn and before `next_printing`, so that what is drawn meanwhile does not come after this.
    """
    Press.objects.get_or_create(benchmark_id=slug)
    Press.objects.select_for_update().get(pk=slug)


def next_printing() -> int:
    """Count one publication on. All benchmarks wait for this row, so pages are drawn and packed before."""
    Printing.objects.get_or_create(pk=1)
    Printing.objects.filter(pk=1).update(number=F("number") + 1)
    return Printing.objects.get(pk=1).number


def put_pages(pages: Sequence[RenderedPage], benchmark: Benchmark | None, printing: int) -> None:
    """Put pages in place under the printing that the transaction has taken; what they say is stored once."""
    store_bodies(pages)
    rows = [
        Page(
            path=page.path,
            benchmark=benchmark,
            content_type=page.content_type,
            stored_id=page.sha256,
            printing=printing,
        )
        for page in pages
    ]
    Page.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["path"],
        update_fields=["benchmark", "content_type", "stored", "printing"],
        batch_size=500,
    )


def _put_current(
    pages: Sequence[RenderedPage], benchmark: Benchmark, printing: int
) -> tuple[list[RenderedPage], list[str]]:
    """Put the current pages in place, and remove those that the newest release has no more, as of a report left out.

    Returns all pages that were put, the home page and the list of benchmarks among them, and the paths of those that
    were removed.
    """
    put_pages(pages, benchmark, printing)
    older = Page.objects.filter(benchmark=benchmark, printing__lt=printing)
    older = older.exclude(path__startswith=f"/benchmarks/{benchmark.pk}/releases/")
    if removed := list(older.values_list("pk", flat=True)):
        older.delete()
    home_line(benchmark).save()
    front = _front()
    put_pages(front, None, printing)
    return [*pages, *front], removed


def _front() -> list[RenderedPage]:
    """The home page and the list of benchmarks. A line that none is kept of, as of code of before, is kept now."""
    for lacking in Benchmark.objects.listed().exclude(pk__in=HomeLine.objects.values("pk")):
        home_line(lacking).save()
    return front_pages()


def print_front() -> None:
    """Put the home page and the list of benchmarks in place; part of the transaction of what they are to show."""
    printing, front = next_printing(), _front()
    put_pages(front, None, printing)
    log_pages("", front, reason="the list of benchmarks has changed")


def enter_in_ledger() -> int:
    """Count what the releases have told that are new, and have their pages say so; returns how many there were."""
    return len(keep_ledger(_print_again))


def _print_again(release: Release) -> None:
    refuse_without_address()
    take_press(release.benchmark_id)
    pages = archive_pages(release.pk)
    put_pages(pages, release.benchmark, next_printing())
    mark_stale(release.benchmark_id)
    log_pages(
        release.benchmark_id, pages, reason=LEDGER, release=release.number
    )  # the log is locked last of all


def refresh_stale() -> int:
    """Render anew the pages of every benchmark that has changed since, its archive where asked; returns how many.

    One that cannot be rendered is logged and tried again by the next sweep; the others are rendered all the same.
    """
    count = 0
    for slug in Benchmark.objects.stale().values_list("pk", flat=True):
        try:
            count += _refresh(slug)
        except Exception:
            logger.exception("the pages of %s could not be rendered anew", slug)
    return count


def refresh(benchmark: Benchmark, *, archive: bool = False) -> None:
    """Render the pages of a benchmark anew from its frozen releases.

    `archive` takes in those of every earlier release, as after an upgrade that changes the templates.
    """
    Benchmark.objects.filter(pk=benchmark.pk).mark_stale(archive=archive)
    _refresh(benchmark.pk)


def _refresh(slug: str) -> bool:
    """Render what is out of date: the current pages first, then the archive; False where nothing was."""
    refuse_without_address()
    with transaction.atomic():
        take_press(slug)
        benchmark = Benchmark.objects.stale().filter(pk=slug).first()
        if benchmark is None:
            return False  # another process was faster
        reason = reason_to_draw(benchmark)
        if benchmark.pages_wanted != benchmark.pages_rendered:
            # Code of before keeps none: that of a worker which published while the new was put in place.
            keep_places(
                Release.objects.filter(benchmark=slug, head=None).whole().only("ranking", "reports_for_later")
            )
            pages = render_benchmark(benchmark)
            pack(pages)
            current, removed = _put_current(pages, benchmark, next_printing())
            # A change made meanwhile leaves the pages stale.
            Benchmark.objects.filter(pk=slug).update(pages_rendered=benchmark.pages_wanted)
            log_pages(slug, current, reason=reason, removed=removed)
    if benchmark.archive_wanted != benchmark.archive_rendered:
        _refresh_archive(benchmark, reason)
    return True


def _refresh_archive(benchmark: Benchmark, reason: str) -> None:
    """Render the permanent pages of the releases that lack it, each in a transaction of its own.

    What a crash or another change leaves over is rendered by the next sweep.
    """
    wanted = benchmark.archive_wanted
    known = heads(benchmark)
    late = Release.objects.of(benchmark.slug).exclude(archived__wanted=wanted)
    for key, number in late.values_list("pk", "number"):
        with transaction.atomic():
            take_press(benchmark.pk)
            if not Benchmark.objects.filter(pk=benchmark.pk, archive_wanted=wanted).exists():
                return
            pages = archive_pages(key, known)
            put_pages(pages, benchmark, next_printing())
            ArchivedRelease.objects.update_or_create(release_id=key, defaults={"wanted": wanted})
            log_pages(benchmark.pk, pages, reason=reason, release=number)
    Benchmark.objects.filter(pk=benchmark.pk).update(archive_rendered=wanted)
