"""Trains baselines, and uploads their predictions as those of any system are."""

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from accounts.models import Team, User
from accounts.services import NameTaken, create_team
from benchmarks.models import Benchmark, Phase
from benchmarks.spec import BenchmarkSpec, BundleRule
from submissions.baselines.learners import Baseline, Questions
from submissions.baselines.material import TrainingMaterial
from submissions.exceptions import SubmissionError
from submissions.intake import CanonicalPredictions
from submissions.intake.predictions.file_writer import write_files, zip_of
from submissions.models import System
from submissions.services import PredictionUpload, Receipt, submit_predictions
from submissions.uploads.expected_splits import split_targets


class BaselineError(SubmissionError):
    """A baseline cannot be made; the message says why and what to do."""

    code = "baseline_not_made"


@dataclass(frozen=True, slots=True)
class Trained:
    """A baseline's answers, none where it can give none that would be taken; and why it leaves out tasks."""

    baseline: Baseline
    predictions: tuple[CanonicalPredictions, ...]
    left_out: tuple[str, ...]


def train(
    baseline: Baseline, *, spec: BenchmarkSpec, material: Sequence[TrainingMaterial], seed: int
) -> Trained:
    """Train a baseline for every task that it can answer, and let it answer all their splits.

    The same material and seed give the same answers. Where the benchmark asks for several seeds, each is trained and
    guesses by a generator of its own.
    """
    reasons = {one.task.id: _why_not(baseline, one) for one in material}
    left_out = tuple(filter(None, reasons.values()))
    if left_out and spec.bundle is BundleRule.COMPLETE:
        return Trained(baseline, (), left_out)
    answered = [one for one in material if not reasons[one.task.id]]
    return Trained(baseline, tuple(_predictions(baseline, answered, seed=seed, seeds=spec.seeds)), left_out)


def upload(
    trained: Trained, *, phase: Phase, team: Team, user: User, track: str, now: dt.datetime
) -> Receipt:
    """Send a baseline's answers as one submission of a system of kind baseline; the same answers are the same one.

    Raises
    ------
    BaselineError, NotYourTeam, PhaseClosed, UnknownTrack, WrongPhase, PhaseNotReady, UploadRefused, QuotaUsedUp
    """
    targets = split_targets(phase)
    files = write_files(targets, trained.predictions, seeds=phase.benchmark.spec.seeds)
    return submit_predictions(
        PredictionUpload(
            system=_system(trained.baseline, team, now),
            phase=phase,
            user=user,
            data=zip_of(files),
            file_name=f"{trained.baseline.id}.zip",
            received_at=now,
            track=track,
        )
    )


def organisers_team(name: str, *, benchmark: Benchmark, user: User, now: dt.datetime) -> Team:
    """The team that sends baselines, founded by `user` where there is none.

    Raises
    ------
    BaselineError
        If `user` does not organise the benchmark, or is no member of the team.
    """
    if not Benchmark.objects.organised_by(user).filter(pk=benchmark.pk).exists():
        raise BaselineError(
            f"{user.email} does not organise {benchmark}. Only its organisers make its baselines."
        )
    team: Team | None = Team.objects.filter(name=name).first()
    if team is None:
        try:
            return create_team(name=name, founder=user, now=now)
        except NameTaken:
            raise BaselineError(f"There is a team whose name looks like {name}. Name another one.") from None
    if not team.memberships.filter(user=user).exists():
        raise BaselineError(
            f"{user.email} is no member of the team {name}. Ask one of its members for an invitation link, "
            "or name another team with --team."
        )
    return team


def _system(baseline: Baseline, team: Team, now: dt.datetime) -> System:
    """The baseline's row. BaselineError where the team has entered a system of that name that is none."""
    system, _ = System.objects.get_or_create(
        team=team,
        name=baseline.name,
        defaults={"kind": System.Kind.BASELINE, "description": baseline.description, "created_at": now},
    )
    if system.kind != System.Kind.BASELINE:
        raise BaselineError(
            f"The team {team} has a system named {system} that is no baseline. Name another team with --team."
        )
    return system


def _why_not(baseline: Baseline, one: TrainingMaterial) -> str:
    if not baseline.can_answer(one.task.output):
        return f"{one.task.id} asks for answers of a kind that {baseline.name} does not give."
    if baseline.reads_texts and one.no_texts:
        return f"{one.task.id} cannot be learnt from texts: {one.no_texts}."
    return ""


def _predictions(
    baseline: Baseline, material: Sequence[TrainingMaterial], *, seed: int, seeds: int
) -> Iterator[CanonicalPredictions]:
    for one in material:
        for number in range(1, seeds + 1):
            place = (baseline.id, one.task.id, str(number))
            answer = baseline.learn(one.labelled, _generator(seed, *place))
            for target in one.targets:
                questions = Questions(len(target.ids), one.texts.get(target.split, ()))
                codes = answer(questions, _generator(seed, *place, target.split))
                yield CanonicalPredictions(one.task.id, target.split, codes, number)


def _generator(seed: int, *place: str) -> np.random.Generator:
    """One generator per place, so that a task more or less leaves the answers to all others as they were."""
    return np.random.default_rng([seed, *"/".join(place).encode()])
