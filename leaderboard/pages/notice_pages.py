"""What organisers tell everybody, as published pages: announcements, terms, and answers to questions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.models import Benchmark
from benchmarks.notices.models import Announcement, ParticipantQuestion, Terms
from benchmarks.notices.questions import public_questions
from benchmarks.notices.services import current_terms, standing_announcements
from leaderboard.board.exports.atom_feed import Notice
from leaderboard.rendering.rendered_page import BenchmarkPage, RenderedPage, html

ON_THE_BOARD = 3


@dataclass(frozen=True, kw_only=True)
class AnnouncementsPage(BenchmarkPage):
    """All announcements that stand, the newest first."""

    template = "public/announcements.html"
    announcements: Sequence[Announcement]


@dataclass(frozen=True, kw_only=True)
class TermsPage(BenchmarkPage):
    """The terms that stand; None where they were taken back."""

    template = "public/terms.html"
    terms: Terms | None


@dataclass(frozen=True, kw_only=True)
class QuestionsPage(BenchmarkPage):
    """What participants asked and the organisers answered to everybody."""

    template = "public/questions.html"
    questions: Sequence[ParticipantQuestion]


def notices_on_board(benchmark: Benchmark) -> dict[str, Any]:
    """What a benchmark's own page shows: its newest announcements, how many more, and whether there are terms."""
    standing = standing_announcements(benchmark)
    return {
        "announcements": standing[:ON_THE_BOARD],
        "more_announcements": len(standing) - len(standing[:ON_THE_BOARD]),
        "has_terms": current_terms(benchmark) is not None,
    }


def notices_in_feed(benchmark: Benchmark) -> list[Notice]:
    """All announcements that stand, as entries of the feed."""
    return [
        Notice(
            announcement.pk,
            announcement.title,
            announcement.text,
            announcement.published_at,
            announcement.changed_at,
        )
        for announcement in standing_announcements(benchmark)
    ]


def notice_pages(benchmark: Benchmark) -> Iterator[RenderedPage]:
    """Answered questions; announcements and terms, each from the first on, also when all were taken back."""
    base, spec = f"/benchmarks/{benchmark.slug}", benchmark.spec
    yield html(f"{base}/questions/", QuestionsPage(benchmark=spec, questions=public_questions(benchmark)))
    if Announcement.objects.filter(benchmark=benchmark).exists():
        listed = AnnouncementsPage(benchmark=spec, announcements=standing_announcements(benchmark))
        yield html(f"{base}/announcements/", listed)
    if Terms.objects.filter(benchmark=benchmark).exists():
        yield html(f"{base}/terms/", TermsPage(benchmark=spec, terms=current_terms(benchmark)))
