"""By hand what beat and workers do by themselves: close, score, publish, send mail."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.audit.log import record_command
from accounts.mail.outbox import send_due
from accounts.server.clock import database_now
from benchmarks.models import Phase
from breaking.jobs import do_what_is_due
from leaderboard.management.key_file import add_key_file, use_key_file
from leaderboard.publication import services
from leaderboard.publication.batch_watch import watch_batches
from leaderboard.publication.paired_test_schedule import make_next_tests
from leaderboard.publication.site_address import AddressUnknown, refuse_without_address
from scoring.gold.deliveries import check_deliveries
from scoring.gold.keys import has_private_key
from scoring.models import Batch
from scoring.queue import batches, feedback, runs
from transparency.services import sign_if_possible


class Command(BaseCommand):
    help = "Close what is due, score what waits and publish what is ready, in this process."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--close", action="append", default=[], metavar="BENCHMARK/PHASE", help="close this phase now"
        )
        add_key_file(parser)

    def handle(self, *args: Any, close: list[str], key_file: Path | None, **options: Any) -> None:
        try:
            refuse_without_address()
        except AddressUnknown as error:
            raise CommandError(str(error)) from None
        use_key_file(key_file)
        closed = batches.close_due(database_now())
        closed += [batch for name in close if (batch := self._close_now(name))]
        for batch in closed:
            self.stdout.write(f"closed {batch}: {batch.entries.count()} submissions")
        if not has_private_key():
            self.stdout.write(
                "This process has no private key (HELDOUT_GOLD_PRIVATE_KEY_FILE or --key-file), "
                "so scoring is left to the workers; they publish by themselves."
            )
            return
        self._score_and_publish()

    def _close_now(self, name: str) -> Batch | None:
        try:
            phase = Phase.objects.named(name)
        except Phase.DoesNotExist:
            known = ", ".join(map(str, Phase.objects.all())) or "none; run sync_benchmarks first"
            raise CommandError(f"There is no phase {name!r}. Known phases: {known}.") from None
        try:
            batch = batches.close_now(phase=phase, now=database_now())
        except batches.CannotClose as error:
            raise CommandError(str(error)) from None
        record_command("run_due", row=phase, benchmark=phase.benchmark_id, what="Closed now.")
        if batch is None:
            self.stdout.write(f"closed {phase}: it takes pairs, of which sets are made below")
        return batch

    def _score_and_publish(self) -> None:
        check_deliveries(database_now())
        do_what_is_due(database_now())
        feedback.make_feedback_runs(database_now())
        completed = runs.score_all_due(database_now())
        finished = batches.finish_batches(database_now())
        # What was kept back is scored once the final answers are chosen.
        while again := runs.score_all_due(database_now()):
            completed += again
            finished += batches.finish_batches(database_now())
        feedback.tell_feedback(database_now())
        self.stdout.write(f"scored {completed} runs; {len(finished)} batches finished")
        do_what_is_due(database_now())  # a batch that is finished now may open gold labels
        for batch in Batch.objects.scoring():
            self.stdout.write(f"{batch} is being scored by a worker, which publishes it by itself")
        for release in services.publish_ready(database_now()):
            self.stdout.write(f"published {release}: /benchmarks/{release.benchmark_id}/")
        for batch in Batch.objects.ready():
            self.stdout.write(f"{batch} waits for an organiser to publish it")
        for batch in Batch.objects.set_aside():
            self.stdout.write(f"{batch} was set aside: {batch.set_aside_because}")
        services.enter_in_ledger()
        services.refresh_stale()
        while make_next_tests(database_now()):
            continue
        watch_batches(database_now())
        sign_if_possible(database_now())
        while sent := send_due(database_now()):
            self.stdout.write(f"sent {sent} mail{'' if sent == 1 else 's'}")
