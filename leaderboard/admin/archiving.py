"""The buttons of a benchmark that put it away, with all its pages, and bring it back."""

import datetime as dt

from benchmarks.admin.asks import Ask
from benchmarks.admin.organised.organised_admin import Question
from benchmarks.models import Benchmark


def _set(benchmark: Benchmark, at: dt.datetime | None) -> None:
    Benchmark.objects.filter(pk=benchmark.pk).mark_stale(archived_at=at)


ARCHIVE = Ask(
    label="Archive",
    icon="inventory_2",
    question=Question(
        title="Archive {row}",
        sentences=(
            "The list of benchmarks, the search, the forms and the list of the API name it no more, and it takes no "
            "submissions. Its pages, releases and exports stay where they are, for whoever has a link.",
            "Nothing is deleted, and it can be brought back.",
        ),
        button="Archive",
    ),
    do=lambda benchmark, now: _set(benchmark, now),
    done="{row} is archived.",
    log="Archived.",
    shown=lambda benchmark: benchmark.archived_at is None,
)
BRING_BACK = Ask(
    label="Bring back",
    icon="unarchive",
    question=Question(
        title="Bring {row} back from the archive",
        sentences=("Lists and forms name it again, and phases that are open take submissions.",),
        button="Bring back",
    ),
    do=lambda benchmark: _set(benchmark, None),
    done="{row} is no longer archived.",
    log="Brought back from the archive.",
    shown=lambda benchmark: benchmark.archived_at is not None,
)
