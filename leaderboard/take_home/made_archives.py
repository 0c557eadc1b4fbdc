"""Archives that are made: a file, and a line in the audit log, whose digest enters the public log."""

import datetime as dt
from pathlib import Path

from accounts.audit.log import record
from accounts.models import User
from benchmarks.models import Benchmark
from leaderboard.take_home.archive_contents import TakenHome, write_archive


class ArchiveNotMade(Exception):
    """The archive cannot be written; the message says why."""


def make_file(
    benchmark: Benchmark, path: Path, now: dt.datetime, *, by: str, actor: User | None = None
) -> TakenHome:
    """Write the archive to a new file that nobody but this account can read, and note it in the audit log.

    Raises
    ------
    ArchiveNotMade
        If the file is there already or cannot be written.
    """
    try:
        with path.open("xb") as target:
            path.chmod(0o600)
            taken = write_archive(benchmark, target, now)
    except FileExistsError:
        raise ArchiveNotMade(f"{path} is there already. Name a file that is not.") from None
    except OSError as error:
        raise ArchiveNotMade(f"{path} cannot be written: {error.strerror}.") from None
    gold = f" with gold labels of {', '.join(taken.opened)}" if taken.opened else " without gold labels"
    record(
        row=benchmark,
        kind="take home",
        by=by,
        actor=actor,
        benchmark=benchmark.pk,
        what=f"Made an archive of everything{gold}.",
    )
    return taken
