"""What systems predicted for the development data: for breakers, once building is over, and never with gold labels.

It is a download, on the site and over the API.
"""

import csv
import datetime as dt
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import reader, signed_in
from accounts.api.authentication import sender
from accounts.formats.instants import day_in_utc, time_in_utc
from accounts.models import Team, User
from accounts.page_content import PageContent
from accounts.server.clock import database_now, received_at
from benchmarks.models import Benchmark, Phase, Split, Task, Texts
from benchmarks.spec import DEV
from catalogue.csv_text import as_answer, csv_bytes
from scoring.disclosure.standings import StandingAnswer, latest_scored, standings_by_row
from scoring.models import Batch
from submissions.exceptions import NotYourTeam, PhaseNotReady, SubmissionError
from submissions.models import Predictions
from submissions.systems.name_texts import PublicName
from submissions.systems.pseudonyms import public_names
from submissions.uploads.expected_splits import alignment_sha256, item_ids


class NothingBuilt(Exception):
    """There are no predictions for development data, and there will be none."""


@dataclass(frozen=True)
class BlindOffer:
    """The tasks whose predictions may be downloaded, and why they may not yet; empty where they may."""

    tasks: Sequence[Task]
    why_not: str


@dataclass(frozen=True)
class NoBlindPage(PageContent):
    """Why predictions for the development data are not given out, or not to this person."""

    template = "breaking/no_blind.html"
    section = "benchmarks"
    benchmark: Benchmark
    message: str


def blind_offer(benchmark: Benchmark, tasks: Iterable[Task], now: dt.datetime) -> BlindOffer | None:
    """What may be downloaded of the predictions for these tasks; None where no system is built before."""
    phases = _build_phases(benchmark)
    why_not = _why_not(phases, now)
    offered = [] if why_not else [task for task in tasks if _development(task)]
    return BlindOffer(offered, why_not) if phases else None


def blind_predictions(benchmark: Benchmark, task: Task, *, now: dt.datetime) -> bytes:
    """The development data of a task with a column for each system that has answered them, as a CSV file.

    The columns are `id`, those of the texts as far as they are loaded, and the public names of the systems. Each
    stands with the submission that counts for it, of several seeds with the first. An apostrophe stands before what a
    spreadsheet would run as a formula: people read this file, and others have written into it.

    Raises
    ------
    NothingBuilt
        If no systems are built for the task.
    PhaseNotReady
        Before the build phase is closed and what was handed in there is scored.
    """
    phases, split = _build_phases(benchmark), _development(task)
    if not phases or split is None:
        raise NothingBuilt(f"No systems are built for {task}.")
    if why_not := _why_not(phases, now):
        raise PhaseNotReady(why_not)
    ids, (heads, texts) = item_ids(split.pk, split.ids_sha256).ids, _texts(split)
    names = public_names(benchmark)
    systems = [
        (names[answer.submission.system_id], answer.submission.track, labels)
        for answer in _answers(phases, task)
        if (labels := _labels(answer, split)) is not None
    ]
    systems.sort(key=lambda system: (*_by_name(system[0]), system[1]))
    columns = ["id", *heads, *_columns([system[:2] for system in systems], ["id", *heads])]
    rows = (
        [item, *texts.get(item, [""] * len(heads)), *(labels[at] for _, _, labels in systems)]
        for at, item in enumerate(ids)
    )
    return csv_bytes(columns, rows, is_synthetic=False, escape=as_answer)


def _build_phases(benchmark: Benchmark) -> list[Phase]:
    return list(benchmark.phases.filter(kind=Phase.Kind.BUILD))


def _why_not(phases: Sequence[Phase], now: dt.datetime) -> str:
    """Why predictions are not given out yet, in a sentence; empty where they are."""
    for phase in phases:
        closes = phase.closes_at
        if closes is None or now < closes:
            when = f", on {day_in_utc(closes)}, {time_in_utc(closes)} UTC" if closes else ""
            return f"They are given out when the phase {phase.title} closes{when}."
        if phase.next_cut_off_at <= now or phase.batches.filter(status=Batch.Status.SCORING).exists():
            return f"What the phase {phase.title} took in is being scored. Please come back in a few minutes."
    return ""


def _development(task: Task) -> Split | None:
    return task.splits.filter(slug=DEV).first() if task.spec.pairs else None


def _answers(phases: Iterable[Phase], task: Task) -> Iterable[StandingAnswer]:
    for batch in filter(None, map(latest_scored, phases)):
        for row in standings_by_row(batch, under_any_gold=True).values():
            answers = row.answers.values()
            yield from (answer for answer in answers if (answer.task, answer.split.slug) == (task, DEV))


def _labels(answer: StandingAnswer, split: Split) -> list[str] | None:
    """The answers in the order of the split; None where its ids or labels were changed since."""
    kept = Predictions.objects.filter(submission=answer.submission, split=split, codes__isnull=False)
    stored = kept.order_by("seed").first()
    if stored is None or stored.alignment_sha256 != alignment_sha256(split):
        return None
    return split.task.spec.output.texts(stored.canonical().codes)


def _texts(split: Split) -> tuple[list[str], dict[str, list[str]]]:
    """The heads of the columns of text, and the cells by item; nothing where no texts are loaded."""
    loaded = Texts.objects.filter(split=split).first()
    if loaded is None:
        return [], {}
    head, *rows = csv.reader(io.StringIO(loaded.csv().decode(), newline=""), strict=True)
    return head[1:], {item: cells for item, *cells in rows}


def _by_name(name: PublicName) -> tuple[bool, int, str, str]:
    """Numbers in their order, which tells nothing of whom they stand for; then names."""
    return not name.is_pseudonym, len(name.name) if name.is_pseudonym else 0, name.name.casefold(), name.team


def _columns(systems: Sequence[tuple[PublicName, str]], taken: Iterable[str]) -> list[str]:
    """The head of each system's column: its name, with more behind it where that is not its own."""
    heads = [", ".join(filter(None, [name.name, track])) for name, track in systems]
    counts = Counter([*taken, *heads])
    named = zip(heads, systems, strict=True)
    return [f"{head} ({name.team})" if counts[head] > 1 else head for head, (name, _) in named]


@signed_in
@require_safe
def download(request: HttpRequest, benchmark: str, task: str) -> HttpResponse:
    try:
        return _answer(benchmark, task, reader(request), received_at(request))
    except SubmissionError as error:
        row = _task(benchmark, task)
        return NoBlindPage(row.benchmark, str(error)).answer(request, status=error.status)


class BlindPredictions(APIView):
    """What every system of the build phase predicted for a task's development data, as CSV: for members of any team.

    403 for whoever is in none; 503 before the build phase is closed and scored.
    """

    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.STR})
    def get(self, request: Request, benchmark: str, task: str) -> HttpResponse:
        return _answer(benchmark, task, sender(request), database_now())


def _answer(benchmark: str, task: str, user: User, now: dt.datetime) -> HttpResponse:
    row = _task(benchmark, task)
    if not Team.objects.of(user).exists():
        raise NotYourTeam(
            "What systems predicted is given to members of teams. Found a team, or ask for an "
            "invitation to one."
        )
    try:
        data = blind_predictions(row.benchmark, row, now=now)
    except NothingBuilt as error:
        raise Http404(str(error)) from None
    answer = HttpResponse(data, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{benchmark}-{task}-blind.csv"'
    answer["Cache-Control"] = "private, no-store"
    return answer


def _task(benchmark: str, task: str) -> Task:
    tasks = Task.objects.filter(benchmark=benchmark, is_retired=False).select_related("benchmark")
    return get_object_or_404(tasks, slug=task)
