"""Results: what waits sealed or for a word, and what is published."""

from dataclasses import dataclass

from accounts.formats.instants import in_words
from accounts.formats.numbers import grouped
from leaderboard.admin.home.acts import Act, HomeLinks
from leaderboard.models import Release, WatchReport
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


def results(links: HomeLinks) -> Results:
    """The last few releases of a benchmark and what is not published yet."""
    benchmark = links.benchmark
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
    releases = Release.objects.of(benchmark.pk).select_related("phase")[:_SHOWN]
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
        *links.has(Submission, "Submissions and their scores"),
        *links.has(Batch, "Batches"),
        *links.has(WatchReport, "What looked odd"),
        *links.has(Release, "All releases"),
        *links.button("set_bit_budget", "Budget of published bits…"),
        *links.button("render_anew", "Render pages anew…"),
        *links.button("move_in", "Move another leaderboard in…"),
    )
    return Results(" ".join(sentences), rows, acts)


def _files(count: int) -> str:
    return "file waits" if count == 1 else "files wait"
