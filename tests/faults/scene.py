"""Run as a process: fill an empty server with submissions that wait to be scored, or send some to one that is there.

Run: python -m tests.faults.scene COUNT
     python -m tests.faults.scene both             opens two benchmarks
     python -m tests.faults.scene both COUNT       sends that many to each and closes their batches, for each line read
     python -m tests.faults.scene feedback           opens a phase that tells its teams scores within seconds
     python -m tests.faults.scene COUNT SECONDS      sends that many to it, spread over so many seconds
     python -m tests.faults.scene senders COUNT      opens the toy benchmark; prints token and system of so many senders
     python -m tests.faults.scene close              closes its phase's batch at this instant
     python -m tests.faults.scene due COUNT          has that many wait for a cut-off that comes in two seconds
"""

import datetime as dt
import json
import os
import random
import sys
import time
from contextlib import suppress
from typing import Any

import django

BOTH = ("toy", "toy2")


def main(count: int) -> None:
    fill(count)
    from accounts.server.clock import database_now
    from benchmarks.models import Phase
    from scoring.queue.batches import close_now

    close_now(phase=Phase.objects.select_related("benchmark").get(), now=database_now())


def fill(count: int) -> None:
    """The toy benchmark in an empty database, with that many submissions."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    from tests.migrated import migrate

    migrate()
    open_benchmark()
    submit(count)


def wait_for_cut_off(count: int) -> None:
    """That many submissions that nobody has scored, and their cut-off about to come."""
    fill(count)
    from accounts.server.clock import database_now
    from benchmarks.models import Phase
    from submissions.models import Submission

    soon = database_now() + dt.timedelta(seconds=2)
    Phase.objects.update(next_cut_off_at=soon)
    Submission.objects.update(cut_off_at=soon)


def open_feedback() -> None:
    """A phase about development data that is open, with feedback at once."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    from tests.migrated import migrate

    migrate()
    from accounts.server.clock import database_now
    from benchmarks.models import Task
    from scoring.gold.versions import load_gold
    from tests.conftest import synced
    from tests.phase_targets.conftest import DEFINITION, answers

    definition, _, _ = DEFINITION.partition("  - id: evaluation")
    weekly = f'{{when: weekly, weekday: {far_weekday()}, time: "00:00"}}'
    release = f"    release: {weekly}\n    feedback: {{when: immediate}}\n"
    dates = "    opens: 2026-11-01T00:00Z\n    closes: 2026-12-01T00:00Z\n"
    benchmark = synced(definition.replace(dates, release))
    for task in Task.objects.filter(benchmark=benchmark):
        gold = answers(task.slug, "dev")
        now = database_now()
        load_gold(task=task, data=gold, file_name="gold.csv", now=now, split_slug="dev", confirm_clues=True)


def send_for_feedback(count: int, seconds: float) -> None:
    """As many files, each of a team of its own, evenly spread."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    from accounts.server.clock import database_now
    from benchmarks.models import Phase
    from submissions.services import PredictionUpload, submit_predictions
    from tests.phase_targets.conftest import answers

    phase = Phase.objects.select_related("benchmark").get()
    began = time.monotonic()
    for number in range(count):
        user, system = _team(f"Sender {number}")
        time.sleep(max(0.0, began + number * seconds / count - time.monotonic()))
        submit_predictions(
            PredictionUpload(
                system=system,
                phase=phase,
                user=user,
                data=answers("mood", "dev", turned=number % 4),
                file_name="mood.csv",
                received_at=database_now(),
                task="mood",
                split="dev",
            )
        )


def open_for_senders(count: int) -> None:
    """The toy benchmark in an empty database, and people who may submit to it, each for a team of their own."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    from tests.migrated import migrate

    migrate()
    from accounts.models import ApiToken

    open_benchmark()
    teams = [_team(f"Sender {number}") for number in range(count)]
    print(json.dumps([(ApiToken.objects.create(user)[1], str(system.pk)) for user, system in teams]))


def far_weekday() -> str:
    """A day on which no cut-off comes while a test runs, in any time zone."""
    from accounts.server.clock import database_now
    from benchmarks.spec.read_phases import WEEKDAYS

    return WEEKDAYS[(database_now().weekday() + 3) % len(WEEKDAYS)]


def close() -> None:
    """Take everything in that has been accepted, as a cut-off does."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    from accounts.server.clock import database_now
    from benchmarks.models import Phase
    from scoring.queue.batches import close_now

    close_now(phase=Phase.objects.select_related("benchmark").get(), now=database_now())


def _team(name: str) -> tuple[Any, Any]:
    """Somebody with a team and a system of their own."""
    from accounts.models import User
    from accounts.server.clock import database_now
    from accounts.services import create_team
    from accounts.sign_in.addresses import confirm_address
    from submissions.systems.services import create_system

    user = User.objects.create(email=f"{name.replace(' ', '-')}@example.org")
    confirm_address(user)
    team = create_team(name=f"Team {name}", founder=user, now=database_now())
    return user, create_system(team=team, name="System", now=database_now())


def open_both() -> None:
    """Two toy benchmarks, whose cut-offs are still to come."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    from tests.migrated import migrate

    migrate()
    for slug in BOTH:
        open_benchmark(slug)


def close_both(count: int) -> None:
    """The next cut-off of both comes with so many new submissions each, as often as a line is read.

    Closing is tried until it succeeds, as by an organiser: a process that was stopped may hold the row of a run.
    """
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    from django.db import OperationalError

    from accounts.server.clock import database_now
    from benchmarks.models import Phase
    from scoring.queue.batches import close_now

    for _ in sys.stdin:
        for slug in BOTH:
            submit(count, seed=time.time_ns(), slug=slug)
        left = list(BOTH)
        while left:
            phase = Phase.objects.select_related("benchmark").get(benchmark=left[0])
            with suppress(OperationalError):
                close_now(phase=phase, now=database_now())
                del left[0]
        print("closed", flush=True)


def open_benchmark(slug: str = "toy") -> None:
    """A toy benchmark, with its gold labels loaded."""
    from accounts.server.clock import database_now
    from benchmarks.models import Task
    from benchmarks.services import sync_benchmark
    from benchmarks.spec.document import parse_yaml
    from benchmarks.spec.loader import build_spec
    from scoring.gold.versions import load_gold
    from tests.conftest import TOY_DEFINITION, TOY_GOLD

    definition = TOY_DEFINITION.replace("weekday: monday", f"weekday: {far_weekday()}")
    document = parse_yaml(definition.replace("id: toy\n", f"id: {slug}\n"), "toy.yaml")
    sync_benchmark(spec=build_spec(document, "toy.yaml"), document=document, position=0, now=database_now())
    for task in Task.objects.select_related("benchmark").filter(benchmark=slug):
        load_gold(task=task, data=TOY_GOLD[task.slug], file_name="gold.csv", now=database_now())


def submit(count: int, seed: int = 7, slug: str = "toy") -> None:
    """That many submissions with labels drawn from a seed, each by a person for a system and a team of its own."""
    from accounts.server.clock import database_now
    from benchmarks.models import Phase
    from submissions.services import PredictionUpload, submit_predictions
    from tests.uploads import toy_zip

    phase = Phase.objects.select_related("benchmark").get(benchmark=slug)
    draw = random.Random(seed)
    for _ in range(count):
        user, system = _team(str(draw.random()))
        submit_predictions(
            PredictionUpload(
                system=system,
                phase=phase,
                user=user,
                data=toy_zip(
                    mood=" ".join(draw.choices(["bad", "good"], k=6)),
                    colour=",".join(draw.choices(["red", "green", "dark blue"], k=4)),
                ),
                file_name="predictions.zip",
                received_at=database_now(),
            )
        )


if __name__ == "__main__":
    if sys.argv[1] == "feedback":
        open_feedback()
    elif sys.argv[1] == "both":
        close_both(int(sys.argv[2])) if len(sys.argv) > 2 else open_both()
    elif sys.argv[1] == "senders":
        open_for_senders(int(sys.argv[2]))
    elif sys.argv[1] == "close":
        close()
    elif sys.argv[1] == "due":
        wait_for_cut_off(int(sys.argv[2]))
    elif len(sys.argv) > 2:
        send_for_feedback(int(sys.argv[1]), float(sys.argv[2]))
    else:
        main(int(sys.argv[1]))
