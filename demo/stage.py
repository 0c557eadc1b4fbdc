"""Lets the past weeks of one benchmark happen, through the services that everybody uses."""

import datetime as dt
import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import benchmarks
from accounts.models import Team, User
from benchmarks.models import Benchmark, Phase
from benchmarks.people.models import Role
from benchmarks.people.services import give_role
from benchmarks.services import sync_benchmark
from benchmarks.spec import BenchmarkSpec
from benchmarks.spec.document import parse_yaml
from benchmarks.spec.loader import build_spec
from breaking.jobs import do_what_is_due
from demo import cast
from demo.material.answers import SyntheticAnswers
from demo.material.training_files import lesson_files
from demo.server.progress import PROGRESS
from leaderboard.publication.services import publish_ready
from scoring.gold.versions import load_gold
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.feedback import tell_feedback
from scoring.queue.runs import score_all_due
from submissions.baselines.learners import BASELINES
from submissions.baselines.making import organisers_team, train, upload
from submissions.baselines.material import TrainingMaterial, read_material
from submissions.exceptions import UploadRefused
from submissions.fact_sheets.services import save_fact_sheet
from submissions.intake import CanonicalPredictions
from submissions.intake.predictions.file_writer import write_files, write_gold, zip_of
from submissions.models import Submission, System
from submissions.services import PredictionUpload, submit_predictions
from submissions.systems.status_transitions import withdraw
from submissions.uploads.expected_splits import split_targets

logger = logging.getLogger(PROGRESS)
DEFINITIONS = Path(benchmarks.__file__).parent / "definitions"
DAY = dt.timedelta(days=1)
WEEK = 7 * DAY

# The one member of every team.
Members = Mapping[str, User]


# Something that somebody does at that instant, in a phase.
Deed = Callable[[Phase, dt.datetime], None]


class Stage:
    """One benchmark of the demo, its material and everybody who takes part."""

    def __init__(
        self,
        definition: str | dict[str, Any],
        members: Members,
        make: Callable[[BenchmarkSpec], SyntheticAnswers],
        *,
        now: dt.datetime,
        at_first: Callable[[dict[str, Any]], dict[str, Any]] = lambda document: document,
    ) -> None:
        """`definition` is the name of one that comes with the project, or one in itself.

        `at_first` makes of it the one that the benchmark begins with.
        """
        if isinstance(definition, str):
            file = DEFINITIONS / f"{definition}.yaml"
            definition = parse_yaml(file.read_text(encoding="utf-8"), file.name)
        self.document = definition
        self.sync(at_first(self.document), now=now)
        self.benchmark.is_synthetic = True
        self.benchmark.save(update_fields=["is_synthetic"])
        self.members, self.organiser = members, members[cast.ORGANISERS]
        give_role(benchmark=self.benchmark, user=self.organiser, role=Role.OWNER)
        self.material = make(self.spec)

    def sync(self, document: dict[str, Any], *, now: dt.datetime) -> None:
        self.spec = build_spec(document, str(document["id"]))
        sync_benchmark(spec=self.spec, document=document, position=0, now=now)
        self.benchmark = Benchmark.objects.get(pk=self.spec.id)

    def phase(self, slug: str) -> Phase:
        return Phase.objects.named(f"{self.spec.id}/{slug}")

    def load_gold(
        self,
        *,
        now: dt.datetime,
        files: Mapping[str, bytes] | None = None,
        with_class_counts: Collection[str] = (),
    ) -> None:
        """Load the gold labels of every task; `files` holds, by task, those of which the file is another."""
        for task in self.benchmark.tasks.all():
            load_gold(
                task=task,
                data=(files or {}).get(task.slug)
                or write_gold(task.spec, self.material.ids[task.slug], self.material.gold[task.slug]),
                file_name=task.spec.gold.path.rpartition("/")[2].replace("*", "s"),
                now=now,
                user=self.organiser,
                show_class_counts=task.slug in with_class_counts,
                note="Synthetic gold labels of the demo.",
                confirm_clues=True,
            )

    def play(
        self, slug: str, acts: Iterable[Iterable[Deed]], *, since: dt.datetime, now: dt.datetime
    ) -> None:
        """Let one act happen before each cut-off, the deeds of an act evenly over its time. The last goes on."""
        opened = since
        for week, act in enumerate(acts, start=1):
            logger.info("%s, week %d", self.spec.title, week)
            phase = self.phase(slug)  # of a series the edition that runs
            cut_off = phase.cut_off_after(opened)
            lasts = min(cut_off, now) - opened
            deeds = list(act)
            for place, deed in enumerate(deeds, start=1):
                deed(phase, opened + lasts * (place / (len(deeds) + 1)))
            if cut_off <= now:
                run_batch(cut_off)
            opened = cut_off

    def end(self, slug: str, *, after: int, since: dt.datetime) -> None:
        """Have a phase close at the cut-off after so many weeks, as organisers would who move its date."""
        phase = self.phase(slug)
        phase.closes_at = None
        for _ in range(after):
            since = phase.cut_off_after(since)
        phase.closes_at = since
        phase.save(update_fields=["closes_at"])

    def send(
        self,
        system: str,
        predictions: Sequence[CanonicalPredictions],
        phase: Phase,
        at: dt.datetime,
        *,
        track: str = "",
        is_cut_short: bool = False,
    ) -> None:
        """A system's upload: a zip, or the one file that there is. `is_cut_short`: it breaks off and is refused."""
        files = write_files(split_targets(phase), predictions, seeds=self.spec.seeds)
        first = next(iter(files))
        if is_cut_short:
            files[first] = files[first][:-40]
        is_single = len(files) == 1
        name = "-".join(filter(None, [system.lower(), track, f"{at:%Y-%m-%d}"]))
        with suppress(*[UploadRefused] if is_cut_short else ()):
            submit_predictions(
                PredictionUpload(
                    system=self._system(system, at),
                    phase=phase,
                    user=self.members[cast.SYSTEMS[system].team],
                    data=files[first] if is_single else zip_of(files),
                    file_name=f"{name}.{first.rpartition('.')[2] if is_single else 'zip'}",
                    received_at=at,
                    task=predictions[0].task if is_single else None,
                    split=predictions[0].split if is_single else None,
                    track=track,
                )
            )

    def train(self, name: str, phase: Phase, at: dt.datetime) -> None:
        """The organisers train a baseline on made-up labels, and on made-up texts where it reads any, and send it."""
        baseline, targets = BASELINES[name], split_targets(phase)
        material = [
            TrainingMaterial(
                task,
                self.material.training(task),
                tuple(target for target in targets if target.task.id == task.id),
            )
            for task in self.spec.tasks
        ]
        if baseline.reads_texts:  # of a folder of files, as `manage.py make_baselines` reads them
            with TemporaryDirectory() as folder:
                for file, data in lesson_files(self.material).items():
                    (Path(folder) / file).write_bytes(data)
                material, _ = read_material(phase, Path(folder))
        trained = train(baseline, spec=self.spec, material=material, seed=self.material.seed)
        upload(
            trained,
            phase=phase,
            team=organisers_team(cast.ORGANISERS, benchmark=self.benchmark, user=self.organiser, now=at),
            user=self.organiser,
            track="",
            now=at,
        )

    def trainings(self, *names: str) -> list[Deed]:
        """A deed for each of these baselines."""
        return [partial(self.train, name) for name in names]

    def state_facts(
        self, system: str, facts: Mapping[str, Collection[str]], phase: Phase, at: dt.datetime
    ) -> None:
        """A team fills in the fact sheet of a system; a list that it does not speak of is answered by nothing."""
        save_fact_sheet(
            system=self._system(system, at),
            benchmark=self.benchmark,
            answers={part.id: tuple(facts.get(part.id, ())) for part in self.spec.fact_lists},
            user=self.members[cast.SYSTEMS[system].team],
            now=at,
        )

    def withdraw(self, system: str, phase: Phase, at: dt.datetime) -> None:
        withdraw(
            submission=Submission.objects.live().get(system__name=system, phase=phase),
            user=self.members[cast.SYSTEMS[system].team],
            now=at,
        )

    def _system(self, name: str, at: dt.datetime) -> System:
        """A system of the cast; its team enters it when it first uses it."""
        played = cast.SYSTEMS[name]
        return System.objects.get_or_create(
            name=name,
            team=Team.objects.get(name=played.team),
            defaults={
                "description": played.description,
                "tags": list(played.tags),
                "facts": played.facts.as_dict(),
                "created_at": at,
            },
        )[0]


def run_batch(cut_off: dt.datetime) -> None:
    """What beat and workers do once a cut-off has come."""
    scoring = (
        score_all_due,
        finish_batches,
        tell_feedback,
    )  # twice: what was kept back is scored once the final answers are chosen
    for job in (close_due, do_what_is_due, *scoring, *scoring, do_what_is_due, publish_ready):
        job(cut_off)
