"""The permanent pages of a release, drawn from what it has frozen, whatever its benchmark has become since."""

from collections.abc import Sequence

from leaderboard.board.model.board import Board
from leaderboard.models import Release
from leaderboard.pages.benchmark_pages import render_release
from leaderboard.pages.rendered_release import print_release
from leaderboard.pages.score_cards import provenance_pages
from leaderboard.rendering.rendered_page import RenderedPage
from leaderboard.reports.definition import defined_as


def archive_pages(key: int, known: Sequence[Board] | None = None) -> list[RenderedPage]:
    """All permanent pages of the release with that primary key, by the definition of its time.

    `known` are the `heads` of the benchmark's releases, where they are at hand.
    """
    release = Release.objects.whole().select_related("phase", "benchmark__definition").get(pk=key)
    defined_as(release.benchmark, release.reports)
    earlier = None if known is None else [board for board in known if board.release < release.number]
    printed = print_release(release, earlier=earlier)
    return [*render_release(printed), *provenance_pages(printed)]
