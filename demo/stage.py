"""Lets the past weeks of one benchmark happen, through the services that everybody uses."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import benchmarks
from accounts.models import Team, User
from benchmarks.models import Benchmark, Phase
from benchmarks.services import sync_benchmark
from benchmarks.spec import BenchmarkSpec, TaskSpec
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


class Deed(Protocol):
    """Something that somebody does on the stage."""

    def happen(self, stage: Stage, phase: Phase, at: dt.datetime) -> None:
        """Do it, at that instant."""


# What is done between two cut-offs, in this order.
Act = Iterable[Deed]


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
        self.document = _shipped(definition) if isinstance(definition, str) else definition
        self.sync(at_first(self.document), now=now)
        self.benchmark.is_synthetic = True
        self.benchmark.save(update_fields=["is_synthetic"])
        self.benchmark.organisers.add(members[cast.ORGANISERS])
        self.members = members
        self.material = make(self.spec)

    def sync(self, document: dict[str, Any], *, now: dt.datetime) -> None:
        """Bring the benchmark in line with a definition."""
        self.spec = build_spec(document, str(document["id"]))
        sync_benchmark(spec=self.spec, document=document, position=0, now=now)
        self.benchmark = Benchmark.objects.get(pk=self.spec.id)

    @property
    def organiser(self) -> User:
        """Who organises the benchmark."""
        return self.members[cast.ORGANISERS]

    def phase(self, slug: str) -> Phase:
        """One of its phases."""
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
                data=(files or {}).get(task.slug) or self.gold_file(task.spec),
                file_name=task.spec.gold.path.rpartition("/")[2].replace("*", "s"),
                now=now,
                user=self.organiser,
                show_class_counts=task.slug in with_class_counts,
                note="Synthetic gold labels of the demo.",
            )

    def gold_file(self, task: TaskSpec) -> bytes:
        """The task's gold file, with its test items alone."""
        return write_gold(task, self.material.ids[task.id], self.material.gold[task.id])

    def play(self, phase: Phase, acts: Iterable[Act], *, since: dt.datetime, now: dt.datetime) -> None:
        """Let one act happen before each cut-off, the deeds of an act evenly over its time. The last goes on."""
        opened = since
        for week, act in enumerate(acts, start=1):
            logger.info("%s, week %d", self.spec.title, week)
            cut_off = phase.cut_off_after(opened)
            lasts = min(cut_off, now) - opened
            deeds = list(act)
            for place, deed in enumerate(deeds, start=1):
                deed.happen(self, phase, opened + lasts * (place / (len(deeds) + 1)))
            if cut_off <= now:
                run_batch(cut_off)
            opened = cut_off

    def system(self, name: str, at: dt.datetime) -> System:
        """A system of the cast; its team enters it when it first uses it."""
        one = cast.SYSTEMS[name]
        system, _ = System.objects.get_or_create(
            name=one.name,
            team=Team.objects.get(name=one.team),
            defaults={"description": one.description, "tags": list(one.tags), "created_at": at},
        )
        return system


def _shipped(name: str) -> dict[str, Any]:
    file = DEFINITIONS / f"{name}.yaml"
    return parse_yaml(file.read_text(encoding="utf-8"), file.name)


def run_batch(cut_off: dt.datetime) -> None:
    """What beat and workers do once a cut-off has come."""
    close_due(cut_off)
    do_what_is_due(cut_off)
    score_all_due(cut_off)
    finish_batches(cut_off)
    do_what_is_due(cut_off)
    publish_ready(cut_off)


@dataclass(frozen=True, slots=True)
class Sending:
    """A system's upload: a zip, or the one file that there is. `is_cut_short`: it breaks off and is refused."""

    system: str
    predictions: tuple[CanonicalPredictions, ...]
    track: str = ""
    is_cut_short: bool = False

    def happen(self, stage: Stage, phase: Phase, at: dt.datetime) -> None:
        """Write the files and send them."""
        targets = split_targets(phase)
        files = write_files(targets, self.predictions, seeds=stage.spec.seeds)
        if self.is_cut_short:
            first = next(iter(files))
            files[first] = files[first][:-40]
        is_single = len(files) == 1
        name = "-".join(filter(None, [self.system.lower(), self.track, f"{at:%Y-%m-%d}"]))
        with suppress(*[UploadRefused] if self.is_cut_short else ()):
            submit_predictions(
                PredictionUpload(
                    system=stage.system(self.system, at),
                    phase=phase,
                    user=stage.members[cast.SYSTEMS[self.system].team],
                    data=next(iter(files.values())) if is_single else zip_of(files),
                    file_name=f"{name}.{next(iter(files)).rpartition('.')[2] if is_single else 'zip'}",
                    received_at=at,
                    task=self.predictions[0].task if is_single else None,
                    split=self.predictions[0].split if is_single else None,
                    track=self.track,
                )
            )


@dataclass(frozen=True, slots=True)
class Training:
    """The organisers train a baseline and send it."""

    baseline: str

    def happen(self, stage: Stage, phase: Phase, at: dt.datetime) -> None:
        """Train it on made-up training labels, and on made-up texts where it reads any."""
        baseline = BASELINES[self.baseline]
        material = _read_lessons(stage, phase) if baseline.reads_texts else _labels_alone(stage, phase)
        trained = train(baseline, spec=stage.spec, material=material, seed=stage.material.seed)
        team = organisers_team(cast.ORGANISERS, benchmark=stage.benchmark, user=stage.organiser, now=at)
        upload(trained, phase=phase, team=team, user=stage.organiser, track="", now=at)


def _labels_alone(stage: Stage, phase: Phase) -> list[TrainingMaterial]:
    targets = split_targets(phase)
    return [
        TrainingMaterial(
            task,
            stage.material.training(task),
            tuple(target for target in targets if target.task.id == task.id),
        )
        for task in stage.spec.tasks
    ]


def _read_lessons(stage: Stage, phase: Phase) -> list[TrainingMaterial]:
    """Of a folder of files, as `manage.py make_baselines` reads them."""
    with TemporaryDirectory() as folder:
        for name, data in lesson_files(stage.material).items():
            (Path(folder) / name).write_bytes(data)
        material, _ = read_material(phase, Path(folder))
    return material


@dataclass(frozen=True, slots=True)
class Statement:
    """A team fills in the fact sheet of a system."""

    system: str
    answers: Mapping[str, Collection[str]]

    def happen(self, stage: Stage, phase: Phase, at: dt.datetime) -> None:
        """Save it; a list that it does not speak of is answered by nothing."""
        answers = {one.id: tuple(self.answers.get(one.id, ())) for one in stage.spec.fact_lists}
        save_fact_sheet(
            system=stage.system(self.system, at),
            benchmark=stage.benchmark,
            answers=answers,
            user=stage.members[cast.SYSTEMS[self.system].team],
            now=at,
        )


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A team takes its system's submission back."""

    system: str

    def happen(self, stage: Stage, phase: Phase, at: dt.datetime) -> None:
        """Withdraw what stands on the board of the phase."""
        submission = Submission.objects.live().get(system__name=self.system, phase=phase)
        withdraw(submission=submission, user=stage.members[cast.SYSTEMS[self.system].team], now=at)
