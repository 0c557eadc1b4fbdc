"""A weekly batch of full RAFT submissions: scored ahead on one core, closed and published on all, durable in SQLite.

Times are the processor's, so that they mean something on a busy machine too, but for the one that everybody waits for:
from the cut-off to the board by the clock. Beside them stands what is gained by resampling systems of one split
together, against each by itself.

Run: python -m perf.batch [submissions]
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from statistics import median
from typing import TYPE_CHECKING

from perf.figures import Measurement, report
from perf.server import scratch_server
from perf.timing import cpu_seconds, memory, number_asked_for

if TYPE_CHECKING:
    from accounts.models import User
    from submissions.models import System

FULL = 1000  # submissions, of which the goals speak
MOST_SECONDS, MOST_AFTER = 12, 6  # of the processor for all of it; by the clock from the cut-off on
MOST_MEGABYTES = 1000


def main(count: int) -> None:
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {0})  # before numpy is imported, which makes as many threads as there are cores
    with scratch_server():
        load_gold()
        print(f"{count} submissions x 11 tasks, SQLite (WAL, synchronous=FULL)")
        stored = cpu_seconds(lambda: submit(count))
        print(f"  rows and predictions stored  {stored:6.2f} s")
        _run_batch(count, cores)
        _check(count)
        gain = _gain_of_resampling_together()
        print(f"  resampled together           {gain:6.1f} x faster than each system by itself")
        report(Measurement("systems resampled together, of 25", gain, "times as fast as one by one"))


def load_gold() -> None:
    """Gold labels of every task of RAFT, drawn from a seed."""
    import numpy as np
    from django.utils import timezone

    from benchmarks.models import Task
    from scoring.gold.versions import load_gold

    random = np.random.default_rng(0)
    for task in Task.objects.filter(benchmark="raft").select_related("benchmark"):
        names = task.spec.output.labels
        labels = random.integers(len(names), size=task.spec.test_size)
        rows = "".join(f"{number + 50},{names[label]}\n" for number, label in enumerate(labels))
        load_gold(task=task, data=f"ID,Label\n{rows}".encode(), file_name="gold.csv", now=timezone.now())


def submit(count: int, first: int = 0) -> None:
    """Rows as `submit_predictions` leaves them; the intake has a measurement of its own (perf/reading/intake.py).

    Each is of a person alone, for a board may have one row of each group of people.
    """
    from django.db import transaction
    from django.utils import timezone

    from accounts.models import User
    from accounts.services import create_team
    from submissions.models import System

    now, store = timezone.now(), storing(first)
    for number in range(first, first + count):
        with transaction.atomic():
            user = User.objects.create(email=f"perf-{number}@example.org")
            team = create_team(name=f"Team {number}", founder=user, now=now)
            store(System.objects.create(team=team, name=f"System {number}", created_at=now), user, number)


def storing(seed: int) -> Callable[[System, User, int], None]:
    """What stores answers by lot as a submission of a system and a person; the number tells it from others."""
    import numpy as np
    from django.utils import timezone

    from benchmarks.models import Phase
    from submissions.intake import CanonicalPredictions
    from submissions.models import PredictionCodes, Predictions, Submission
    from submissions.quota.groups import take_part
    from submissions.uploads.expected_splits import alignment_sha256, splits_by_name

    now = timezone.now()
    phase = Phase.objects.named("raft/main")
    splits = list(splits_by_name(phase.benchmark).values())
    random = np.random.default_rng(1 + seed)

    def store(system: System, user: User, number: int) -> None:
        digest = sha256(str(number).encode()).hexdigest()
        submission = Submission(
            system=system,
            phase=phase,
            submitted_by=user,
            received_at=now,
            cut_off_at=phase.next_cut_off_at,
            quota_window_ends_at=phase.next_cut_off_at,
            file_name="predictions.zip",
            file_size=1,
            file_sha256=digest,
            predictions_sha256=digest,
            stored_file="none",
        )
        submission.group_id = take_part(submission)
        submission.save(force_insert=True)
        rows, packed = [], []
        for split in splits:
            codes = random.integers(len(split.task.spec.output.labels), size=split.item_count)
            one = CanonicalPredictions(split.task.slug, split.slug, codes.astype(np.uint8))
            packed.append(one.to_bytes())
            rows.append(
                Predictions(
                    submission=submission,
                    split=split,
                    alignment_sha256=alignment_sha256(split),
                    sha256=one.sha256,
                )
            )
        PredictionCodes.objects.bulk_create(
            PredictionCodes(predictions=row, packed=codes)
            for row, codes in zip(Predictions.objects.bulk_create(rows), packed, strict=True)
        )

    return store


def _run_batch(count: int, cores: set[int]) -> None:
    from django.utils import timezone

    from benchmarks.models import Phase
    from leaderboard.publication.services import publish_ready
    from scoring.queue.ahead import score_ahead
    from scoring.queue.batches import close_now, finish_batches
    from scoring.queue.runs import score_together, take_hints

    def _score() -> None:
        """As workers do, one after the other."""
        for group in take_hints(timezone.now(), limit=count):
            score_together(group, now=timezone.now())

    def _make_runs() -> None:
        while score_ahead(timezone.now()):
            pass

    ahead = {"runs made ahead of the cut-off": _make_runs, "scored ahead of the cut-off": _score}
    after = {
        "closed": lambda: close_now(phase=Phase.objects.named("raft/main"), now=timezone.now()),
        "finished": lambda: finish_batches(timezone.now()),
        "published": lambda: publish_ready(timezone.now()),
    }
    spent = {name: cpu_seconds(step) for name, step in ahead.items()}
    before = sum(spent.values())
    os.sched_setaffinity(0, cores)
    started = time.perf_counter()
    spent |= {name: cpu_seconds(step) for name, step in after.items()}
    waited, total = time.perf_counter() - started, sum(spent.values())
    for name, seconds in spent.items():
        print(f"  {name:<30} {seconds:6.2f} s  {seconds / total:4.0%}")
    print(
        f"  from cut-off to board          {total - before:6.2f} s, by the clock {waited:.2f} s on {len(cores)} cores"
    )
    print(f"  all of it                      {total:6.2f} s, {1000 * total / count:.1f} ms per submission")
    is_full = count == FULL
    report(
        Measurement(f"a batch of {count} x 11, all of it", total, "s", MOST_SECONDS if is_full else None),
        Measurement("from its cut-off to its board", total - before, "s"),
        Measurement(
            f"the same by the clock, {len(cores)} cores", waited, "s", MOST_AFTER if is_full else None
        ),
        Measurement("memory of that process", memory(), "MB", MOST_MEGABYTES),
    )


def _gain_of_resampling_together() -> float:
    from scoring.models import ScoringRun
    from scoring.run_scoring import score_run
    from scoring.uncertainty.resampling import uncertainties
    from submissions.models import Submission

    some = Submission.objects.order_by("pk").values("pk")[:25]
    runs = ScoringRun.objects.filter(submission__in=some).select_related(
        "predictions__codes", "split__task__benchmark"
    )
    compared = [score_run(run) for run in runs]
    ratios = []
    for _ in range(3):
        alone = cpu_seconds(lambda: [uncertainties([one]) for one in compared])
        ratios.append(alone / cpu_seconds(lambda: uncertainties(compared)))
    return median(ratios)


def _check(count: int) -> None:
    from leaderboard.models import Release
    from scoring.models import Score

    scores = Score.objects.count()
    rows = [row for row in Release.objects.get().boards["overall"]["rows"] if row["kind"] == "system"]
    if scores != count * 22 or len(rows) != count:
        sys.exit(f"expected {count * 22} scores and {count} rows, found {scores} and {len(rows)}")


if __name__ == "__main__":
    main(number_asked_for(FULL))
