"""Contests as pages and the API show them to everybody, once their gold labels are public."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch

from accounts.models import Team, User
from benchmarks.models import Benchmark, Split
from breaking.contests.item_labels import label_changes
from breaking.contests.services import contest_address
from breaking.contests.team_names import public_party
from breaking.contests.votes import Tally, tally
from breaking.models import Contest, Vote
from breaking.querysets import ContestQuerySet
from scoring.models import GoldVersion


@dataclass(frozen=True, slots=True)
class ShownContest:
    """A contest as it is shown. `change` is its label before and after, where it was changed and both are public."""

    contest: Contest
    set_title: str
    party: str
    is_mine: bool
    tally: Tally
    voices: tuple[tuple[str, str], ...]
    change: tuple[str, str] | None

    @property
    def url(self) -> str:
        """The page of its item."""
        return contest_address(self.contest.split, self.contest.item)

    @property
    def can_be_retracted(self) -> bool:
        """Whether its team may take it back."""
        return self.is_mine and self.contest.status == "open" and self.contest.decided_at is None


def set_title(split: Split) -> str:
    """A set by its task and its own title, such as “Sentiment, Utrecht”."""
    task = split.task
    if task.is_retired:
        return str(split)
    return f"{task.title}, {task.spec.split(split.slug).title}"


def with_all_shown(contests: ContestQuerySet) -> ContestQuerySet:
    """The same rows with all that `shown_contests` reads, and without what is sealed."""
    votes = Prefetch("votes", Vote.objects.select_related("team"))
    shown = contests.select_related("split__task", "team", "gold_version").prefetch_related(votes)
    return shown.defer("sealed_lines", "sealed_label")


def shown_contests(contests: Sequence[Contest], user: User | None) -> list[ShownContest]:
    """Contests as this reader may see them; None is somebody who is not signed in."""
    # One row for all of a benchmark's contests: reading its definition takes a while.
    benchmarks = Benchmark.objects.in_bulk({one.split.task.benchmark_id for one in contests})
    mine = set(Team.objects.of(user).values_list("pk", flat=True)) if user else set()
    changes: dict[int, dict[str, tuple[str, str]]] = {}
    shown = []
    for one in contests:
        benchmark = one.split.task.benchmark = benchmarks[one.split.task.benchmark_id]
        votes = list(one.votes.all())
        version = one.gold_version
        if version is not None and version.pk not in changes:
            changes[version.pk] = _changes_of(version)
        shown.append(
            ShownContest(
                one,
                set_title(one.split),
                public_party(one.team, benchmark) if one.team else "the organiser",
                one.team_id in mine,
                tally(votes),
                # By what they are called: the order of the rows is that of their teams' real names.
                tuple(
                    sorted((public_party(vote.team, benchmark), vote.label) for vote in votes if vote.team)
                ),
                changes[version.pk].get(one.item) if version is not None else None,
            )
        )
    return shown


def _changes_of(version: GoldVersion) -> dict[str, tuple[str, str]]:
    before = GoldVersion.objects.filter(split=version.split_id, number=version.number - 1).first()
    return (label_changes(before, version) if before else None) or {}
