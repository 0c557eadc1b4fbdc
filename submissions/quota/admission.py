"""Whether anything stands against somebody who would send something: a ban, an address, or terms."""

from django.db.models import Exists

from accounts.models import Team, User
from accounts.sign_in.addresses import confirmed_addresses
from benchmarks.models import Benchmark
from benchmarks.notices.models import Terms
from submissions.participants import Ban
from submissions.quota.participation import refuse_unconfirmed
from submissions.quota.standing_bans import refuse_banned
from submissions.quota.terms import refuse_unless_accepted


def refuse_inadmissible(*, benchmark: Benchmark, team: Team, user: User) -> None:
    """BannedFromBenchmark, EmailNotConfirmed or TermsNotAccepted, in this order, where one of them is due.

    One query tells what there is to look into: most benchmarks have banned nobody and have no terms.
    """
    has_bans, is_confirmed, has_terms = (
        Benchmark.objects.filter(pk=benchmark.pk)
        .values_list(
            Exists(Ban.objects.filter(benchmark=benchmark, lifted_at=None)),
            Exists(confirmed_addresses(user)),
            Exists(Terms.objects.filter(benchmark=benchmark)),
        )
        .get()
    )
    if has_bans:
        refuse_banned(benchmark=benchmark, team=team, user=user)
    if not is_confirmed:
        refuse_unconfirmed(user)
    if has_terms:
        refuse_unless_accepted(benchmark, user)
