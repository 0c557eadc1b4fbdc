"""Run as a process: fill an empty server with submissions that wait to be scored.

Run: python -m tests.faults.scene COUNT
"""

import os
import random
import sys

import django


def main(count: int) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from accounts.server.clock import database_now
    from benchmarks.models import Phase
    from scoring.queue.batches import close_now

    open_benchmark()
    submit(count)
    close_now(phase=Phase.objects.select_related("benchmark").get(), now=database_now())


def open_benchmark() -> None:
    """The toy benchmark, with its gold labels loaded."""
    from accounts.server.clock import database_now
    from benchmarks.models import Task
    from benchmarks.services import sync_benchmark
    from benchmarks.spec.document import parse_yaml
    from benchmarks.spec.loader import build_spec
    from scoring.gold.versions import load_gold
    from tests.conftest import TOY_DEFINITION, TOY_GOLD

    document = parse_yaml(TOY_DEFINITION, "toy.yaml")
    sync_benchmark(spec=build_spec(document, "toy.yaml"), document=document, position=0, now=database_now())
    for task in Task.objects.select_related("benchmark"):
        load_gold(task=task, data=TOY_GOLD[task.slug], file_name="gold.csv", now=database_now())


def submit(count: int, seed: int = 7) -> None:
    """That many submissions with labels drawn from a seed, each by a person for a system and a team of its own."""
    from accounts.models import User
    from accounts.server.clock import database_now
    from accounts.services import create_team
    from accounts.sign_in.addresses import confirm_address
    from benchmarks.models import Phase
    from submissions.services import PredictionUpload, submit_predictions
    from submissions.systems.services import create_system
    from tests.uploads import toy_zip

    phase = Phase.objects.select_related("benchmark").get()
    draw = random.Random(seed)
    for _ in range(count):
        user = User.objects.create(email=f"{draw.random()}@example.org")
        confirm_address(user)
        team = create_team(name=f"Team {draw.random()}", founder=user, now=database_now())
        submit_predictions(
            PredictionUpload(
                system=create_system(team=team, name="System", now=database_now()),
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
    main(int(sys.argv[1]))
