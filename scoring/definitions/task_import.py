"""Open a task from a file of ids and labels: definition, gold labels and texts in one transaction."""

import csv
import datetime as dt
import io
from calendar import day_name
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction

from accounts.models import User
from benchmarks.models import Benchmark, Task
from benchmarks.querysets import BenchmarkQuerySet
from benchmarks.services import sync_benchmark
from benchmarks.spec import BenchmarkSpec, Counting, TaskSpec
from benchmarks.spec.document import DefinitionError
from catalogue.disclosure import Rule
from catalogue.layouts import FileFormat
from scoring.definitions.beginnings import CannotBegin, begin_row
from scoring.definitions.editing import spec_of
from scoring.file_refusal import FileRefused
from scoring.gold.versions import load_gold
from scoring.item_sets.texts import TEST, load_texts
from submissions.intake.tables.labelled import LabelledTable, scored_rows
from submissions.intake.tables.task_proposal import Draft, task_document

PLACE = "definition"
_AVERAGES = [{"id": "overall", "title": "Overall", "of": "all tasks", "missing": "unranked"}]


@dataclass(frozen=True, slots=True)
class NewBenchmark:
    """What a benchmark that begins with this task is called, when it is scored, and how much of a score it shows.

    Attributes
    ----------
    weekday : int or None
        Of a weekly cut-off, 0 for Monday; None for one cut-off, when the phase closes.
    lasts_days : int or None
        From the opening of the phase to its close; None for a phase without end.
    quota : int
        Accepted submissions of a team per cut-off.
    summary : str
        Of the benchmark; empty for that of the task.
    opens : datetime or None
        When its phase opens; None for at once.
    """

    id: str
    title: str
    url: str
    weekday: int | None
    lasts_days: int | None
    quota: int
    disclosure: type[Rule]
    summary: str = ""
    opens: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """A definition with the new task in it, and where it goes: None for a new benchmark."""

    document: dict[str, Any]
    spec: BenchmarkSpec
    task: TaskSpec
    draft: Draft
    benchmark: Benchmark | None


def open_to(user: User) -> BenchmarkQuerySet:
    """The benchmarks that this organiser may still add a task to: nothing has been submitted to them."""
    return Benchmark.objects.organised_by(user).exclude(phases__submissions__isnull=False)


def may_grow(benchmark: Benchmark) -> bool:
    """Whether a task may still be added to a benchmark."""
    return not benchmark.phases.filter(submissions__isnull=False).exists()


def plan(draft: Draft, *, into: Benchmark | None, new: NewBenchmark, size: int) -> Plan:
    """The definition that this draft gives. FileRefused with what is wrong with it, in words."""
    task = task_document(draft, root=into.spec.bundle_root if into else "", size=size)
    document = _with(into, task) if into else _new(new, draft, task)
    document, spec = _read(document)
    task_spec = spec.task(draft.task_id)
    if (
        (task_spec.gold_file and "gold_file" not in task)
        or task_spec.also_files
        or task_spec.pairs
        or [split.id for split in task_spec.splits] != [TEST]
    ):
        raise FileRefused(
            f"All tasks of {into} have files or sets of their own. Please add this one to its definition."
        )
    return Plan(document, spec, task_spec, draft, into)


def _read(document: dict[str, Any]) -> tuple[dict[str, Any], BenchmarkSpec]:
    """The document with its specification; without the average that was made here where no mean of its tasks is one.

    Tasks whose metrics have other directions or scales rank by themselves then.
    """
    try:
        return document, spec_of(document, PLACE)
    except DefinitionError as error:
        mistakes = [mistake.removeprefix(f"{PLACE}: ") for mistake in error.mistakes]
        if document.get("averages") != _AVERAGES or not all(one.startswith("averages[") for one in mistakes):
            raise FileRefused(*mistakes) from None
    return _read({key: value for key, value in document.items() if key != "averages"})


@transaction.atomic
def open_task(plan: Plan, *, table: LabelledTable, user: User, now: dt.datetime, confirm_clues: bool) -> Task:
    """Sync the definition, seal the gold labels and keep the texts; all of it, or nothing.

    A new benchmark belongs to who made it. FileRefused where its id has been taken meanwhile, somebody has submitted
    meanwhile, the labels or texts are refused, or clues tell of the labels that are not confirmed.
    """
    benchmark = _locked(plan, user)
    sync_benchmark(spec=plan.spec, document=plan.document, position=benchmark.position, now=now)
    # Anew from the database: the row in hand still has the definition as it was before.
    task = Task.objects.select_related("benchmark").get(benchmark=benchmark.pk, slug=plan.task.id)
    draft, form = plan.draft, plan.task.gold
    columns = (draft.id_column, *draft.label_columns)
    scored = scored_rows(table, plan.task, draft.label_columns)
    loaded = load_gold(
        task=task,
        data=table.data or _written(form.header, table, columns, form),
        file_name="gold labels",
        now=now,
        user=user,
        confirm_clues=confirm_clues,
        texts={draft.called(name): scored.column(name) for name in draft.text_columns},
    )
    if draft.text_columns:
        names = ("id", *map(draft.called, draft.text_columns))
        texts = _written(
            names, table, (draft.id_column, *draft.text_columns), FileFormat("", names[0], names[1])
        )
        load_texts(split=loaded.version.split, data=texts, file_name="texts", now=now)
    return task


def _locked(plan: Plan, user: User) -> Benchmark:
    if plan.benchmark is None:
        try:
            return begin_row(plan.spec, plan.document, user)
        except CannotBegin as error:
            raise FileRefused(str(error)) from None
    locked: Benchmark = Benchmark.objects.select_for_update().get(pk=plan.benchmark.pk)
    is_old = locked.definition_sha256 != plan.benchmark.definition_sha256
    if is_old or not open_to(user).filter(pk=locked.pk).exists():
        raise FileRefused(
            f"{locked} has changed meanwhile, or somebody has submitted to it. Please start again."
        )
    return locked


def _new(new: NewBenchmark, draft: Draft, task: dict[str, Any]) -> dict[str, Any]:
    release = {"when": "at-close"}
    if new.weekday is not None:
        release = {"when": "weekly", "weekday": day_name[new.weekday].lower(), "time": "00:00"}
    return {
        "id": new.id,
        "title": new.title,
        "summary": new.summary or draft.summary,
        "url": new.url or f"{settings.SITE_URL}/benchmarks/{new.id}/",
        "citation": draft.citation,
        "bundle": {"files": "any"},
        "tasks": [task],
        "averages": _AVERAGES,
        "phases": [
            {
                "id": "main",
                "title": "Main",
                "release": release,
                **({"opens": f"{new.opens.astimezone(dt.UTC):%Y-%m-%dT%H:%MZ}"} if new.opens else {}),
                **({"lasts_days": new.lasts_days} if new.lasts_days else {}),
                "quota": {"per_cut_off": new.quota},
                # Under a rule that shows the best answer so far, no other can count.
                "counting": (Counting.BEST if new.disclosure.keeps_best else Counting.LATEST).value,
                "one_per_team": new.disclosure.keeps_back,
                "disclosure": new.disclosure.key,
            }
        ],
    }


def _with(benchmark: Benchmark, task: dict[str, Any]) -> dict[str, Any]:
    if any(known.id == task["id"] for known in benchmark.spec.tasks):
        raise FileRefused(f"{benchmark} has a task with the id {task['id']} already. Please choose another.")
    document = benchmark.definition.document
    return {**document, "tasks": [*document["tasks"], task]}


def _written(header: Sequence[str], table: LabelledTable, columns: Sequence[str], form: FileFormat) -> bytes:
    """Columns of a table under a header; cells that came between tabs hold none, and are not quoted there."""
    rows = [header, *zip(*(table.column(name) for name in columns), strict=True)]
    if not form.layout.has_quotes:
        return "".join(f"{form.delimiter.join(row)}\n" for row in rows).encode()
    out = io.StringIO()
    csv.writer(out, delimiter=form.delimiter, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()
