"""What a team is called where everybody reads what it says about labels."""

from __future__ import annotations

from django.db.models import Q

from accounts.models import Team
from benchmarks.models import Benchmark
from breaking.models import PairFile

A_BUILDER = "a builder"


def public_party(team: Team, benchmark: Benchmark) -> str:
    """The team's name; as long as the benchmark's systems are anonymous, only breakers have one.

    A breaker's name stands on its set anyway, so a team that builds and breaks is named as the breaker that it is.
    """
    is_named = not benchmark.is_anonymous or is_breaker(team, benchmark)
    return team.name if is_named else A_BUILDER


def is_breaker(team: Team, benchmark: Benchmark) -> bool:
    """Whether a set of the benchmark bears the team's name."""
    made = Q(breaker_set__isnull=False)
    return PairFile.objects.filter(made, task__benchmark=benchmark, team=team).exists()
