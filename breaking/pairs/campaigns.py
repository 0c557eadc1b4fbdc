"""Campaigns about pairs and contested labels: begin one, and take in what came of it."""

import datetime as dt
import hashlib
import json
import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.functional import cached_property

from accounts.models import Team, User
from benchmarks.models import Benchmark, Task
from breaking.models import Pair, PairFile, TakenOutcome
from labelling.core.answers import Value
from labelling.models import Campaign, Outcome, Unit, Worker
from labelling.outcomes import PURPOSES
from labelling.outcomes.answers_read import newest_answers
from labelling.units.new_units import NewUnit, store_units
from labelling.work.drafts import begin_campaign

logger = logging.getLogger(__name__)
TEXT = "text"
"""The column of the sentence of a pair."""


class CannotAsk(Exception):
    """Why no campaign was begun, in a sentence for whoever asked for it."""


@transaction.atomic
def begin(
    *,
    task: Task,
    purpose: str,
    question: Mapping[str, Any],
    units: Sequence[NewUnit],
    user: User,
    now: dt.datetime,
    **values: Any,
) -> Campaign:
    """A draft about a task with the units that are asked about. One of the same purpose gets these units instead."""
    draft = Campaign.objects.filter(task=task, purpose=purpose, status=Campaign.Status.DRAFT).first()
    if draft is None:
        proposed = {"is_sealed": True, **PURPOSES[purpose].proposal(), **values}
        own = {"benchmark": task.benchmark, "task": task, "purpose": purpose, "question": dict(question)}
        draft = begin_campaign(values=own | proposed, user=user, now=now)
    else:
        Campaign.objects.filter(pk=draft.pk).update(**values)
    store_units(campaign=draft, units=units)
    draft.refresh_from_db()
    return draft


def one_task(tasks: Sequence[Task]) -> Task:
    """The task that all are of. CannotAsk where there are several, or none."""
    if len({task.pk for task in tasks}) != 1:
        raise CannotAsk("People are asked about one task at a time. Choose rows of one task.")
    return tasks[0]


def counting_pairs(files: Sequence[PairFile]) -> list[tuple[PairFile, Pair]]:
    """The pairs of these files that go into a set or may. CannotAsk where a file counts no longer, or there is none."""
    for file in files:
        if file.status != PairFile.Status.ACCEPTED:
            raise CannotAsk(
                f"The file of {file.breaker} is not counted any more: it was {file.get_status_display()}."
            )
    found = [
        (file, pair)
        for file in files
        for pair in file.pairs.exclude(decision=Pair.Decision.LEFT_OUT)
        if pair.changed_text
    ]
    if not found:
        raise CannotAsk("There is not one pair whose texts are known.")
    return found


def unit_key(texts: Sequence[tuple[str, str]]) -> str:
    """The id of a unit, which follows from what is shown alone and so tells nothing of whose it is."""
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:24]


def take_each(purpose: str, take: Callable[[Outcome, dt.datetime], bool], now: dt.datetime) -> int:
    """Take every outcome of a purpose that was not; returns how many were. One that fails is logged.

    `take` says whether it could be; it is called in a transaction that holds the outcome's row.
    """
    due = Outcome.objects.filter(campaign__purpose=purpose, campaign__status="closed", taken__isnull=True)
    done = 0
    for pk in due.order_by("made_at", "number").values_list("pk", flat=True):
        try:
            with transaction.atomic():
                outcome = (
                    Outcome.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=pk)
                )
                if not TakenOutcome.objects.filter(outcome=outcome).exists():
                    done += take(outcome, now)
        except Exception as error:  # noqa: BLE001  # its message or traceback could hold labels
            logger.error("outcome %s met an unforeseen %s", pk, type(error).__name__)  # noqa: TRY400  # no traceback
    return done


class CampaignAnswers:
    """The answers of a campaign that count, but for those of people whose own pairs are asked about."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign

    def __iter__(self) -> Iterator[tuple[Unit, list[tuple[Worker, Value]]]]:
        """Every main unit with what its workers say, by their numbers."""
        for unit in self._campaign.units.filter(part=Unit.Part.MAIN).order_by("draw"):
            yield unit, self._by_unit.get(unit.key, [])

    @cached_property
    def _by_unit(self) -> dict[str, list[tuple[Worker, Value]]]:
        workers = {worker.number: worker for worker in self._campaign.workers.all()}
        parties = parties_of(self._campaign.benchmark, [worker.user_id for worker in workers.values()])
        found: dict[str, list[tuple[Worker, Value]]] = {}
        for key, number, kept, _ in newest_answers(self._campaign):
            worker = workers[number]
            if worker.user_id not in parties:
                found.setdefault(key, []).append((worker, self._campaign.kind.loaded(kept)))
        return found


def parties_of(benchmark: Benchmark, users: Collection[int | None]) -> set[int]:
    """Those of these people who are in a team with pairs of the benchmark that count."""
    files = PairFile.objects.accepted().filter(task__benchmark=benchmark, team__isnull=False)
    teams = Team.objects.filter(
        pk__in=files.values("team"), memberships__user__in=[user for user in users if user]
    )
    return set(teams.values_list("memberships__user", flat=True))
