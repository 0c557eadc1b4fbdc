"""Whether releases stay as cheap as they were: five years of weeks, in each of which one system has a new submission.

Run: python -m perf.boards.five_years [systems] [releases]
"""

import os
import sys
from operator import attrgetter
from statistics import median

from perf.batch import load_gold, storing, submit
from perf.boards.releases import Spent, release
from perf.figures import Measurement, report
from perf.server import scratch_server
from perf.timing import number_asked_for

MOST_OF_EARLY = 110  # per cent: of what releases of the first year take


def main(systems: int, releases: int) -> None:
    """Print what each release after the first takes, and the last ones beside early ones."""
    os.sched_setaffinity(0, {0})
    with scratch_server():
        from accounts.models import User
        from submissions.models import System

        load_gold()
        submit(systems)
        release()
        spent: list[Spent] = []
        entrants = list(System.objects.filter(kind=System.Kind.SYSTEM).order_by("created_at", "pk"))
        people = {user.pk: user for user in User.objects.all()}
        owners = [people[system.team.memberships.get().user_id] for system in entrants]
        for number in range(1, releases):
            at = number % systems
            storing(number)(entrants[at], owners[at], systems + number)
            spent.append(release())
            print(f"{number:4} {spent[-1].line}", flush=True)
    tenth = max(1, len(spent) // 10)
    early, late = spent[tenth : 2 * tenth], spent[-tenth:]
    report(
        *(
            Measurement(
                f"{what} late in {releases} releases of {systems}, of early ones",
                100 * median(map(of, late)) / median(map(of, early)),
                "%",
                MOST_OF_EARLY,
            )
            for what, of in (
                ("time", attrgetter("seconds")),
                ("time of the ledger", attrgetter("ledger_seconds")),
                ("bytes", attrgetter("database_bytes")),
            )
        )
    )


if __name__ == "__main__":
    main(number_asked_for(20), int(sys.argv[2]) if len(sys.argv) > 2 else 260)
