"""Giving people roles in a benchmark."""

from accounts.models import User
from benchmarks.models import Benchmark
from benchmarks.people.models import Role
from benchmarks.people.services import give_role


def appoint(benchmark: Benchmark, user: User, role: Role = Role.ORGANISER) -> None:
    """Have somebody run a benchmark, or do there what another role does."""
    give_role(benchmark=benchmark, user=user, role=role)
