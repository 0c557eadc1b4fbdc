"""Train a benchmark's baselines from a folder of training files, and upload them."""

import datetime as dt
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.audit.log import record_command
from accounts.formats.instants import in_words
from accounts.formats.mailboxes import mailbox
from accounts.models import User
from accounts.server.clock import database_now
from benchmarks.models import Benchmark, Phase
from submissions.baselines.learners import BASELINES, Baseline
from submissions.baselines.making import organisers_team, train, upload
from submissions.baselines.material import MaterialError, TrainingMaterial, read_material
from submissions.exceptions import SubmissionError, UploadRefused
from submissions.services import Receipt
from submissions.uploads.expected_splits import known_track

TEAM = "Baselines"


class Command(BaseCommand):
    help = (
        "Train a benchmark's baselines and upload their predictions as systems of kind baseline. "
        "Running it again changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("benchmark", help="its id, such as ait2018")
        parser.add_argument(
            "--train", type=Path, required=True, metavar="DIR", help="folder of training files"
        )
        parser.add_argument(
            "--user", metavar="EMAIL", help="the organiser who sends them; by default the first one"
        )
        parser.add_argument("--team", default=TEAM, help=f"whose rows they are (default: {TEAM})")
        parser.add_argument("--phase", default="", help="its id; needed where several phases are open")
        parser.add_argument("--track", default="", help="the share that DIR holds (default: the main track)")
        parser.add_argument(
            "--only", action="append", default=[], metavar="BASELINE", help="may be given several times"
        )
        parser.add_argument("--seed", type=_seed, default=1, help="of the random generators (default: 1)")
        parser.add_argument(
            "--partial", action="store_true", help="leave out tasks that have no training file"
        )

    def handle(self, *args: Any, benchmark: str, **options: Any) -> None:
        now = database_now()
        try:
            found = _benchmark(benchmark)
            chosen, phase = _baselines(found, options["only"]), _phase(found, options["phase"], now)
            track = known_track(found.spec, options["track"])
            user = _user(found, options["user"])
            material = self._material(phase, options["train"], partial=options["partial"])
            team = organisers_team(options["team"], benchmark=found, user=user, now=now)
            for baseline in chosen:
                trained = train(baseline, spec=found.spec, material=material, seed=options["seed"])
                for sentence in trained.left_out:
                    self.stderr.write(f"{baseline.name}: {sentence}")
                if not trained.predictions:
                    self.stderr.write(f"{baseline.name}: nothing was uploaded.")
                else:
                    # Training takes its time, and the upload counts from when it is sent.
                    sent_at = database_now()
                    receipt = upload(trained, phase=phase, team=team, user=user, track=track, now=sent_at)
                    told = _told(baseline, receipt)
                    self.stdout.write(told)
                    record_command(
                        "make_baselines", row=receipt.submission, benchmark=benchmark, what=told, actor=user
                    )
        except OSError as error:
            raise CommandError(f"{error.filename} cannot be read: {error.strerror}.") from None
        except UploadRefused as refused:
            raise CommandError(_refusal(refused)) from None
        except (MaterialError, SubmissionError) as error:
            raise CommandError(str(error)) from None

    def _material(self, phase: Phase, folder: Path, *, partial: bool) -> list[TrainingMaterial]:
        if not folder.is_dir():
            raise CommandError(f"{folder} is no folder. Give the folder that holds the training files.")
        material, lacking = read_material(phase, folder, partial=partial)
        for sentence in lacking:
            self.stderr.write(f"Left out: {sentence}")
        return material


def _told(baseline: Baseline, receipt: Receipt) -> str:
    submission, result = receipt.submission, receipt.result
    if receipt.is_repeat:
        return f"{baseline.name}: these predictions were uploaded before, as submission {submission.pk}."
    count = len({one.task for one in result.predictions})
    tasks = "1 task" if count == 1 else f"{count} tasks"
    cut_off = in_words(submission.cut_off_at)
    return (
        f"{baseline.name}: submission {submission.pk} answers {tasks} with {result.labels_read:,} labels "
        f"and is scored at the cut-off, {cut_off}."
    )


def _seed(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise ArgumentTypeError(f"expected a whole number from 0, found {text!r}")
    return int(text)


def _benchmark(slug: str) -> Benchmark:
    try:
        return Benchmark.objects.get(pk=slug)
    except Benchmark.DoesNotExist:
        known = (
            ", ".join(Benchmark.objects.values_list("slug", flat=True)) or "none; run sync_benchmarks first"
        )
        raise CommandError(f"There is no benchmark {slug}. Known benchmarks: {known}.") from None


def _baselines(benchmark: Benchmark, only: list[str]) -> list[Baseline]:
    wanted = list(dict.fromkeys(only)) or list(benchmark.spec.baselines)
    unknown = [name for name in wanted if name not in BASELINES]
    if unknown:
        raise CommandError(
            f"There is no baseline {', '.join(unknown)}. Known baselines: {', '.join(BASELINES)}."
        )
    return [BASELINES[name] for name in wanted]


def _phase(benchmark: Benchmark, slug: str, now: dt.datetime) -> Phase:
    phases: list[Phase] = list(benchmark.phases.all())
    fitting = [phase for phase in phases if (phase.slug == slug if slug else phase.is_open(now))]
    if len(fitting) == 1:
        return fitting[0]
    known = ", ".join(phase.slug for phase in phases)
    if slug:
        raise CommandError(f"{benchmark} has no phase {slug}. Its phases are {known}.")
    found = "No phase is open" if not fitting else "Several phases are open"
    raise CommandError(f"{found}. Name one of {known} with --phase.")


def _user(benchmark: Benchmark, email: str | None) -> User:
    """Who sends the baselines: whoever is named, or the first organiser of the benchmark."""
    if email is None:
        user = benchmark.organisers.first()
        if user is None:
            raise CommandError(
                f"{benchmark} has no organiser yet. Say with --user EMAIL who sends the baselines."
            )
        return user
    user = User.objects.filter(email__iexact=mailbox(email)).first()
    if user is None:
        raise CommandError(f"Nobody has an account with the address {email}.")
    return user


def _refusal(refused: UploadRefused) -> str:
    lines = [f"{problem.file}: {problem.message}" for problem in refused.result.problems]
    return "\n".join(["The written files were refused; this is a fault of the server.", *lines])
