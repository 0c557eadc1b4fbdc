"""What a team is called where everybody reads what it says about labels."""

from accounts.models import Team
from benchmarks.models import Benchmark
from breaking.models import PairFile
from submissions.models import Submission

A_BUILDER = "a builder"


def public_party(team: Team, benchmark: Benchmark) -> str:
    """The team's name; as long as the benchmark's systems are anonymous, builders have none.

    A breaker's name stands on its set anyway, so a team that builds and breaks is named as the breaker that it is.
    """
    is_hidden = benchmark.is_anonymous and _has_built(team, benchmark) and not _has_a_set(team, benchmark)
    return str(A_BUILDER) if is_hidden else team.name


def _has_built(team: Team, benchmark: Benchmark) -> bool:
    return Submission.objects.filter(phase__benchmark=benchmark, system__team=team).exists()


def _has_a_set(team: Team, benchmark: Benchmark) -> bool:
    files = PairFile.objects.filter(task__benchmark=benchmark, team=team)
    return files.filter(breaker_set__isnull=False).exists()
