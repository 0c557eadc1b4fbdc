"""Contests as pages and the API show them to everybody, once their gold labels are public."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch

from accounts.models import Team, User
from benchmarks.models import Benchmark, Split
from breaking.contests.item_labels import Tally, label_changes, tally
from breaking.contests.services import contest_address
from breaking.models import Contest, PairFile, Vote
from breaking.querysets import ContestQuerySet
from scoring.models import GoldVersion
from submissions.models import Submission

A_BUILDER = "a builder"


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
        return contest_address(self.contest.split, self.contest.item)

    @property
    def can_be_retracted(self) -> bool:
        return self.is_mine and self.contest.status == "open" and self.contest.decided_at is None


def public_party(team: Team, benchmark: Benchmark) -> str:
    """The team's name; as long as the benchmark's systems are anonymous, builders have none.

    A breaker's name stands on its set anyway, so a team that builds and breaks is named as the breaker that it is.
    """
    if benchmark.is_anonymous:
        built = Submission.objects.filter(phase__benchmark=benchmark, system__team=team)
        sets = PairFile.objects.filter(task__benchmark=benchmark, team=team, breaker_set__isnull=False)
        if built.exists() and not sets.exists():
            return A_BUILDER
    return team.name


def set_title(split: Split) -> str:
    """A set by its task and its own title, such as “Sentiment, Utrecht”."""
    task = split.task
    return str(split) if task.is_retired else f"{task.title}, {task.spec.split(split.slug).title}"


def with_all_shown(contests: ContestQuerySet) -> ContestQuerySet:
    """The same rows with all that `shown_contests` reads, and without what is sealed."""
    votes = Prefetch("votes", Vote.objects.select_related("team"))
    shown = contests.select_related("split__task", "team", "gold_version").prefetch_related(votes)
    return shown.defer("sealed_lines", "sealed_label")


def shown_contests(contests: Sequence[Contest], user: User | None) -> list[ShownContest]:
    """Contests as this reader may see them; None is somebody who is not signed in."""
    # One row for all of a benchmark's contests: reading its definition takes a while.
    benchmarks = Benchmark.objects.in_bulk({contest.split.task.benchmark_id for contest in contests})
    mine = set(Team.objects.of(user).values_list("pk", flat=True)) if user else set()
    versions = {contest.gold_version for contest in contests}
    changes = {version: _changes_of(version) if version else {} for version in versions}
    shown = []
    for contest in contests:
        benchmark = contest.split.task.benchmark = benchmarks[contest.split.task.benchmark_id]
        votes = list(contest.votes.all())
        # By what they are called: the order of the rows is that of their teams' real names.
        voices = sorted((public_party(vote.team, benchmark), vote.label) for vote in votes if vote.team)
        party = public_party(contest.team, benchmark) if contest.team else "the organiser"
        change = changes[contest.gold_version].get(contest.item)
        is_mine = contest.team_id in mine
        title = set_title(contest.split)
        shown.append(ShownContest(contest, title, party, is_mine, tally(votes), tuple(voices), change))
    return shown


def _changes_of(version: GoldVersion) -> dict[str, tuple[str, str]]:
    before = GoldVersion.objects.filter(split=version.split_id, number=version.number - 1).first()
    return (label_changes(before, version) if before else None) or {}
