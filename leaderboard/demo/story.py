"""Plays the demo's past weeks through the real path: upload, cut-off, scoring, release."""

from __future__ import annotations

import datetime as dt
from contextlib import suppress
from pathlib import Path

from django.db import transaction

import benchmarks
from accounts.models import Team, User
from accounts.services import create_team
from benchmarks.models import Benchmark, Phase
from benchmarks.services import sync_benchmark
from benchmarks.spec.document import parse_yaml
from benchmarks.spec.loader import build_spec
from leaderboard.demo import cast
from leaderboard.demo.cast import DemoSystem, DemoTeam, Happening
from leaderboard.demo.uploads import DemoUploads
from leaderboard.services import publish_ready, refresh_stale
from scoring.batches import close_due, finish_batches
from scoring.gold import load_gold
from scoring.runs import score_all_due
from submissions.exceptions import UploadRefused
from submissions.models import Submission, System
from submissions.services import submit_predictions, withdraw

DEFINITION = Path(benchmarks.__file__).parent / "definitions" / "raft.yaml"
WEEK = dt.timedelta(days=7)


def is_told() -> bool:
    """Whether the demo's data are in the database."""
    return Benchmark.objects.filter(is_synthetic=True).exists()


@transaction.atomic
def tell(*, now: dt.datetime, password: str, seed: int = 1) -> None:
    """Make up gold labels, teams and systems, and let the weeks up to `now` happen.

    One transaction, so that a start that is broken off leaves nothing half told.

    Parameters
    ----------
    password
        Of every account that signs in.
    """
    beginning = now - cast.WEEKS * WEEK
    phase = _sync(beginning)
    uploads = DemoUploads(phase.benchmark.spec, seed)
    members = {team.name: _sign_up(team, password, beginning) for team in cast.TEAMS}
    _load_gold(phase.benchmark, uploads, organiser=members[cast.ORGANISERS], now=beginning)
    opened = beginning
    for week in range(cast.WEEKS):
        cut_off = phase.cut_off_after(opened)
        _Week(week, phase, uploads, members, opened, cut_off).happen()
        _run_batch(cut_off)
        opened = cut_off
    _Week(cast.WEEKS, phase, uploads, members, opened, now).happen()
    refresh_stale()


def _sync(now: dt.datetime) -> Phase:
    document = parse_yaml(DEFINITION.read_text(encoding="utf-8"), DEFINITION.name)
    spec = build_spec(document, DEFINITION.name)
    sync_benchmark(spec=spec, document=document, position=0, now=now)
    Benchmark.objects.filter(pk=spec.id).update(is_synthetic=True)
    return Phase.objects.named(f"{spec.id}/main")


def _sign_up(team: DemoTeam, password: str, now: dt.datetime) -> User:
    is_organiser = team.name == cast.ORGANISERS
    member = User.objects.create_user(
        team.email,
        password if team.signs_in else None,
        name="Demo organiser" if is_organiser else f"{team.name.removeprefix('Demo Team ')} member",
        timezone=team.timezone,
        is_staff=is_organiser,
        is_superuser=is_organiser,
    )
    create_team(name=team.name, founder=member, now=now)
    return member


def _load_gold(benchmark: Benchmark, uploads: DemoUploads, *, organiser: User, now: dt.datetime) -> None:
    benchmark.organisers.add(organiser)
    for task in benchmark.tasks.all():
        load_gold(
            task=task,
            data=uploads.gold_file(task.spec),
            file_name=f"{task.slug}.csv",
            now=now,
            user=organiser,
            show_class_counts=task.slug in cast.TASKS_WITH_CLASS_COUNTS,
            note="Synthetic gold labels of the demo.",
        )


def _run_batch(cut_off: dt.datetime) -> None:
    close_due(cut_off)
    score_all_due(cut_off)
    finish_batches(cut_off)
    publish_ready(cut_off)


class _Week:
    """One week of the phase, from `opened` to the cut-off or the present."""

    def __init__(
        self,
        number: int,
        phase: Phase,
        uploads: DemoUploads,
        members: dict[str, User],
        opened: dt.datetime,
        ended: dt.datetime,
    ) -> None:
        self.number = number
        self.phase = phase
        self.uploads = uploads
        self.members = members
        self.opened = opened
        self.ended = ended

    def happen(self) -> None:
        """The uploads of the week, then whatever else the cast has for it."""
        for place, one in enumerate(cast.SYSTEMS):
            if self.number in one.skills:
                self._submit(one, self.uploads.upload(one, self.number), self._moment(place))
        for event in cast.EVENTS:
            if event.week == self.number:
                self._go_wrong(event.happening, cast.system(event.system))

    def _moment(self, place: int) -> dt.datetime:
        """An instant of the week; the later the place, the later the instant."""
        return self.opened + (self.ended - self.opened) * ((place + 1) / (len(cast.SYSTEMS) + 2))

    def _go_wrong(self, happening: Happening, one: DemoSystem) -> None:
        moment = self._moment(len(cast.SYSTEMS))
        if happening == Happening.CUT_SHORT:
            with suppress(UploadRefused):
                self._submit(one, self.uploads.cut_short(one, self.number), moment)
        else:
            submission = Submission.objects.live().get(system__name=one.name)
            withdraw(submission=submission, user=self.members[one.team], now=moment)

    def _submit(self, one: DemoSystem, data: bytes, received_at: dt.datetime) -> None:
        submit_predictions(
            system=self._system(one, received_at),
            phase=self.phase,
            user=self.members[one.team],
            data=data,
            file_name=f"{one.name.lower().replace(' ', '-')}-{self.number + 1}.{'csv' if one.only_task else 'zip'}",
            received_at=received_at,
            task=one.only_task,
        )

    def _system(self, one: DemoSystem, now: dt.datetime) -> System:
        system, _ = System.objects.get_or_create(
            name=one.name,
            team=Team.objects.get(name=one.team),
            defaults={
                "kind": System.Kind.BASELINE if one.is_baseline else System.Kind.SYSTEM,
                "description": one.description,
                "tags": list(one.tags),
                "created_at": now,
            },
        )
        return system
