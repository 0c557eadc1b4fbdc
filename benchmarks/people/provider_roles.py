"""Roles that groups at the sign-in provider give and take; accounts know them by the names of benchmark and role."""

import logging

from accounts.models import User
from benchmarks.models import Benchmark
from benchmarks.people.models import BenchmarkRole, Role
from benchmarks.people.services import give_role, take_role

logger = logging.getLogger(__name__)


def give(user: User, benchmark: str, role: str) -> bool:
    """Whether it was given; not where the person has a role there, or there is no such benchmark."""
    found = Benchmark.objects.filter(pk=benchmark).first()
    if found is None:
        logger.warning("HELDOUT_OIDC_GROUPS names the benchmark %s, and there is none.", benchmark)
        return False
    if BenchmarkRole.objects.filter(benchmark=found, user=user).exists():
        return False
    give_role(benchmark=found, user=user, role=Role(role))
    return True


def take(user: User, benchmark: str, role: str) -> None:
    """Take it away, unless somebody has given the person another since."""
    held = BenchmarkRole.objects.filter(benchmark=benchmark, user=user, role=role, given_by=None).first()
    if held is not None:
        take_role(role=held, by=None)
