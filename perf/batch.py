"""A weekly batch of full RAFT submissions: closed, scored and published, durable in SQLite, on one core.

Times are the processor's, so that they mean something on a busy machine too. Beside them stands what is gained by
resampling systems of one split together, against each by itself.

Run: python -m perf.batch [submissions]
"""

import os
import sys
from hashlib import sha256
from statistics import median

from perf.figures import Measurement, report
from perf.server import scratch_server
from perf.timing import cpu_seconds, memory, number_asked_for

FULL = 1000  # submissions, of which the goals speak
MOST_SECONDS, MOST_AFTER, MOST_MEGABYTES = 12, 6, 1000  # of the processor: all of it, and from the cut-off on


def main(count: int) -> None:
    os.sched_setaffinity(0, {0})  # before numpy is imported, which makes as many threads as there are cores
    with scratch_server():
        load_gold()
        print(f"{count} submissions x 11 tasks, SQLite (WAL, synchronous=FULL), one core")
        stored = cpu_seconds(lambda: submit(count))
        print(f"  rows and predictions stored  {stored:6.2f} s")
        _run_batch(count)
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
    """Rows as `submit_predictions` leaves them; the intake has a measurement of its own (perf/reading/intake.py)."""
    import numpy as np
    from django.db import transaction
    from django.utils import timezone

    from accounts.models import User
    from accounts.services import create_team
    from benchmarks.models import Phase
    from submissions.intake import CanonicalPredictions
    from submissions.models import PredictionCodes, Predictions, Submission, System
    from submissions.quota.groups import take_part
    from submissions.uploads.expected_splits import alignment_sha256, splits_by_name

    now = timezone.now()
    phase = Phase.objects.named("raft/main")
    splits = list(splits_by_name(phase.benchmark).values())
    random = np.random.default_rng(1 + first)
    for number in range(first, first + count):
        with (
            transaction.atomic()
        ):  # each by a person alone, for a board may have one row of each group of people
            user = User.objects.create(email=f"perf-{number}@example.org")
            team = create_team(name=f"Team {number}", founder=user, now=now)
            submission = Submission(
                system=System.objects.create(team=team, name=f"System {number}", created_at=now),
                phase=phase,
                submitted_by=user,
                received_at=now,
                cut_off_at=phase.next_cut_off_at,
                quota_window_ends_at=phase.next_cut_off_at,
                file_name="predictions.zip",
                file_size=1,
                file_sha256=sha256(str(number).encode()).hexdigest(),
                predictions_sha256=sha256(str(number).encode()).hexdigest(),
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


def _run_batch(count: int) -> None:
    from django.utils import timezone

    from benchmarks.models import Phase
    from leaderboard.publication.services import publish_ready
    from scoring.queue.ahead import score_ahead
    from scoring.queue.batches import close_now, finish_batches
    from scoring.queue.runs import score_all_due

    while score_ahead(timezone.now()):
        pass
    ahead = cpu_seconds(lambda: score_all_due(timezone.now()))
    steps = {
        "closed": lambda: close_now(phase=Phase.objects.named("raft/main"), now=timezone.now()),
        "finished": lambda: finish_batches(timezone.now()),
        "published": lambda: publish_ready(timezone.now()),
    }
    spent = {"scored ahead of the cut-off": ahead} | {name: cpu_seconds(step) for name, step in steps.items()}
    total = sum(spent.values())
    for name, seconds in spent.items():
        print(f"  {name:<28} {seconds:6.2f} s  {seconds / total:4.0%}")
    print(f"  from cut-off to board        {total - ahead:6.2f} s")
    print(f"  all of it                    {total:6.2f} s, {1000 * total / count:.1f} ms per submission")
    is_full = count == FULL
    report(
        Measurement(f"a batch of {count} x 11, all of it", total, "s", MOST_SECONDS if is_full else None),
        Measurement("from its cut-off to its board", total - ahead, "s", MOST_AFTER if is_full else None),
        Measurement("memory of that process", memory(), "MB", MOST_MEGABYTES),
    )


def _gain_of_resampling_together(systems: int = 25) -> float:
    from scoring.models import ScoringRun
    from scoring.run_scoring import score_run
    from scoring.uncertainty.resampling import uncertainties
    from submissions.models import Submission

    some = Submission.objects.order_by("pk").values("pk")[:systems]
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
