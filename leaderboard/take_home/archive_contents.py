"""What stands in the archive that organisers take home, written table by table.

Gold labels go along where nobody can be asked for them any more, or they are public; they are opened here, so that the
archive with them is made where a worker runs. What each file holds stands in docs/take-home.md.
"""

import datetime as dt
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import IO, Any

from django.conf import settings

from benchmarks.models import Benchmark, GivenFile, Phase, Task, Texts
from leaderboard.models import Page, ReleaseCell
from leaderboard.take_home import item_difficulty, people_tables, score_tables
from leaderboard.take_home.aligned_answers import AlignedAnswers, AnswerColumn, ItemAnswers, agreement_rows
from leaderboard.take_home.crate import FolderFacts
from leaderboard.take_home.gold_to_take import gold_may_leave, gold_of
from leaderboard.take_home.paper_tables import paper_tables
from leaderboard.take_home.read_me import read_me
from leaderboard.take_home.zip_writer import ZipWriter
from scoring.definitions.editing import as_yaml
from submissions.models import System

_ROWS_OF_PARQUET = 2000
AGREEMENT_HEADS = ("split", "item_set", "first", "second", "items", "share_alike")
COLUMN_HEADS = ("task", "column", "submission", "system", "team", "kind", "seed", "predictions")


@dataclass(frozen=True, slots=True)
class TakenHome:
    """What an archive came to: the tasks whose sealed gold labels it opened, and how many files it has."""

    opened: tuple[str, ...]
    file_count: int


def write_archive(benchmark: Benchmark, target: IO[bytes], now: dt.datetime) -> TakenHome:
    """Write the whole archive of a benchmark to an open file, a table at a time.

    Without gold labels that are sealed while a phase can still be answered, whoever asks.
    """
    archive = ZipWriter(target, f"{benchmark.slug}-{now:%Y-%m-%d}", now)
    sealed_too = gold_may_leave(benchmark, now)
    archive.add("README.md", read_me(benchmark, now, with_gold=sealed_too).encode())
    archive.add("definition.yaml", as_yaml(benchmark).encode(), "The definition, as Heldout reads it.")
    _scores(archive, benchmark)
    _people(archive, benchmark)
    opened = tuple(
        task.slug
        for task in benchmark.tasks.order_by("position")
        if _task(archive, _with(task, benchmark), sealed_too=sealed_too)
    )
    _boards(archive, benchmark)
    for name, table in paper_tables(benchmark):
        archive.add(f"paper/{name}", table)
    _data(archive, benchmark, now)
    archive.finish(folder_facts(benchmark, now, f"{benchmark.title}: results and submissions"))
    return TakenHome(opened, len(archive.files))


def folder_facts(
    benchmark: Benchmark, now: dt.datetime, title: str, *, licence: str | None = None
) -> FolderFacts:
    """What is said of a folder about a benchmark, whatever it holds. Without a `licence`, that of its tasks."""
    spec = benchmark.spec
    licences = sorted({task.licence for task in spec.tasks if task.licence})
    return FolderFacts(
        name=title,
        description=spec.summary or benchmark.title,
        url=f"{settings.SITE_URL}/benchmarks/{benchmark.slug}/",
        made_at=now,
        creator=f"Organisers of {benchmark.title}",
        citation=spec.citation,
        licence=licence if licence is not None else licences[0] if len(licences) == 1 else "",
        keywords=("benchmark", "leaderboard", "shared task", benchmark.slug),
    )


def _with(task: Task, benchmark: Benchmark) -> Task:
    task.benchmark = benchmark
    return task


def _scores(archive: ZipWriter, benchmark: Benchmark) -> None:
    archive.table(
        score_tables.SCORES,
        score_tables.SCORE_HEADS,
        score_tables.score_rows(benchmark),
        "Every score with all digits.",
    )
    archive.table(
        score_tables.STANDINGS,
        score_tables.STANDING_HEADS,
        score_tables.standing_rows(benchmark),
        "Every board of every release with all digits.",
    )


def _people(archive: ZipWriter, benchmark: Benchmark) -> None:
    tables = people_tables
    archive.table(
        "submissions.csv", tables.SUBMISSION_HEADS, tables.submission_rows(benchmark), "Every submission."
    )
    archive.table("systems.csv", tables.SYSTEM_HEADS, tables.system_rows(benchmark), "Every system.")
    archive.table(
        "participants.csv",
        tables.PARTICIPANT_HEADS,
        tables.participant_rows(benchmark),
        "People of every team, with addresses: not to be published.",
    )
    archive.table("fact-sheets.csv", tables.FACT_HEADS, tables.fact_rows(benchmark), "Fact sheets.")


def _task(archive: ZipWriter, task: Task, *, sealed_too: bool) -> bool:
    """Everything about one task; whether gold labels were opened for it."""
    gold = gold_of(task, sealed_too=sealed_too)
    slugs = dict(task.splits.values_list("pk", "slug"))
    for (split, version), labels in gold.items():
        archive.table(
            f"gold/{task.slug}.{slugs[split]}.v{version}.csv", ("id", "label"), labels.items(), columns=()
        )
    with AlignedAnswers(task, gold) as table:
        if not table.columns:
            return bool(gold)
        archive.table(
            f"predictions/{task.slug}.columns.csv",
            COLUMN_HEADS,
            (_about(task, column) for column in table.columns),
            "Whose predictions each column holds.",
        )
        heads = ("split", "item_set", "id", "gold", *(column.key for column in table.columns))
        path = f"predictions/{task.slug}"
        rows = (
            (line.item_set.split.slug, line.item_set.number, line.id, line.gold, *line.answers)
            for line in table.lines()
        )
        archive.table(f"{path}.csv", heads, rows, "All predictions, item by item.", columns=heads[:4])
        with archive.open(f"{path}.jsonl") as file:
            for line in table.lines():
                file.write(_as_json(line, table.columns))
        if find_spec("pyarrow"):
            _parquet(archive, f"{path}.parquet", heads, table)
        counted = _counted(task)
        places = [at for at, column in enumerate(table.columns) if column.key in counted]
        items = item_difficulty.by_difficulty(table.lines(), places, task.spec.output)
        archive.table(
            f"items/{task.slug}.csv",
            item_difficulty.HEADS,
            (item.row for item in items),
            "Items by difficulty, the hardest first.",
        )
        if any(item.share_right is not None for item in items):
            archive.table(
                f"items/{task.slug}.likely-label-errors.csv",
                item_difficulty.HEADS,
                (item.row for item in item_difficulty.doubtful(items)),
                "Items whose gold label most systems contradict with one voice.",
            )
        archive.table(
            f"agreement/{task.slug}.csv",
            AGREEMENT_HEADS,
            agreement_rows(table, counted),
            "How often two systems answer alike.",
        )
    return bool(gold)


def _about(task: Task, column: AnswerColumn) -> tuple[Any, ...]:
    here = "here" if column.is_here else "removed"
    whose = (column.submission, column.system, column.team, column.kind)
    return (task.slug, column.key, *whose, column.seed, here)


def _counted(task: Task) -> frozenset[str]:
    """The columns of systems that stand on the newest release of each phase; of several seeds the first."""
    newest = ReleaseCell.objects.of_newest()
    cells = newest.filter(task=task, seed=1, system__kind=System.Kind.SYSTEM)
    return frozenset(map(str, cells.values_list("submission", flat=True)))


def _as_json(line: ItemAnswers, columns: Iterable[AnswerColumn]) -> bytes:
    answers = {
        column.key: answer for column, answer in zip(columns, line.answers, strict=True) if answer is not None
    }
    said = {
        "split": line.item_set.split.slug,
        "item_set": line.item_set.number,
        "id": line.id,
        "gold": line.gold,
        "answers": answers,
    }
    return json.dumps(said, ensure_ascii=False).encode() + b"\n"


def _parquet(archive: ZipWriter, path: str, heads: tuple[str, ...], table: AlignedAnswers) -> None:
    """The same table as Parquet; every column a text but `item_set`."""
    import pyarrow as pa  # may be missing
    from pyarrow import parquet

    schema = pa.schema([(head, pa.int32() if head == "item_set" else pa.string()) for head in heads])
    with archive.open(path) as file, parquet.ParquetWriter(file, schema) as writer:
        for some in _in_parts(table.lines()):
            rows = [
                (line.item_set.split.slug, line.item_set.number, line.id, line.gold, *line.answers)
                for line in some
            ]
            by_head = dict(zip(heads, map(list, zip(*rows, strict=True)), strict=True))
            writer.write_table(pa.table(by_head, schema=schema))


def _in_parts(lines: Iterator[ItemAnswers]) -> Iterator[list[ItemAnswers]]:
    some: list[ItemAnswers] = []
    for line in lines:
        some.append(line)
        if len(some) == _ROWS_OF_PARQUET:
            yield some
            some = []
    if some:
        yield some


def _boards(archive: ZipWriter, benchmark: Benchmark) -> None:
    """Every published file that is no page of HTML, byte for byte under its address on the site."""
    base = f"/benchmarks/{benchmark.slug}"
    files = Page.objects.filter(benchmark=benchmark, path__startswith=base)
    files = files.exclude(content_type__startswith="text/html").order_by("path")
    for path in list(files.values_list("pk", flat=True)):
        page = Page.objects.select_related("stored__base").get(pk=path)
        archive.add(f"boards{path.removeprefix(base).replace('/releases/', '/release-') or '/'}", page.body)


def _data(archive: ZipWriter, benchmark: Benchmark, now: dt.datetime) -> None:
    """Texts and the files that organisers give."""
    withheld = Phase.objects.withheld(benchmark.slug, now)
    texts = Texts.objects.filter(split__task__benchmark=benchmark).select_related("split__task")
    for row in texts.order_by("split__task__position", "split__slug").iterator(chunk_size=1):
        if (row.split.task.slug, row.split.slug) not in withheld:
            archive.add(f"texts/{row.split.task.slug}.{row.split.slug}.csv", row.csv())
    for given in GivenFile.objects.filter(benchmark=benchmark):
        newest = given.versions.select_related("bytes").first()
        if newest:
            archive.add(f"given/{given.name}", newest.bytes.unpacked(), given.description)
