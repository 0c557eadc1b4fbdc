"""Results: what waits sealed or for a word, and what is published."""

import datetime as dt
from dataclasses import dataclass

from accounts.formats.instants import in_words
from accounts.formats.numbers import grouped
from benchmarks.admin.base import list_address
from benchmarks.models import Benchmark
from leaderboard.admin.home.acts import Act
from leaderboard.models import Release
from scoring.models import Batch
from submissions.models import Submission

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class ReleaseRow:
    """A release with its phase and address."""

    number: int
    url: str
    phase: str
    published: str


@dataclass(frozen=True, slots=True)
class Results:
    """What waits, in a sentence, and the newest releases."""

    waiting: str
    releases: tuple[ReleaseRow, ...]
    acts: tuple[Act, ...]


def results(benchmark: Benchmark, now: dt.datetime) -> Results:
    """The last few releases of a benchmark and what is not published yet."""
    waits = Submission.objects.filter(
        phase__benchmark=benchmark, status__in=[Submission.Status.ACCEPTED, Submission.Status.SCORING]
    ).count()
    scored = Submission.objects.filter(phase__benchmark=benchmark, status=Submission.Status.SCORED).count()
    sentences = [
        f"{grouped(waits)} {_files(waits)} for the next cut-off."
        if waits
        else "No file waits for a cut-off.",
        *([f"{grouped(scored)} {_files(scored)} scored for a release."] if scored else []),
    ]
    releases = Release.objects.of(benchmark.pk).defer("boards", "reports").select_related("phase")[:_SHOWN]
    rows = tuple(
        ReleaseRow(
            release.number,
            f"/benchmarks/{benchmark.pk}/releases/{release.number}/",
            release.phase.title,
            in_words(release.published_at),
        )
        for release in releases
    )
    acts = (
        Act(
            "Submissions and their scores",
            list_address(Submission, phase__benchmark__slug__exact=benchmark.pk),
        ),
        Act("Batches", list_address(Batch, phase__benchmark__slug__exact=benchmark.pk)),
        Act("All releases", list_address(Release, benchmark__slug__exact=benchmark.pk)),
    )
    return Results(" ".join(sentences), rows, acts)


def _files(count: int) -> str:
    return "file waits" if count == 1 else "files wait"
