"""Make published scores again from published predictions and public gold labels."""

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks.spec import BenchmarkSpec, TaskSpec
from benchmarks.spec.loader import build_spec
from catalogue.answers import from_texts
from catalogue.comparison import Comparison
from catalogue.item_groups import ItemGroups
from catalogue.metrics.choice import metric_for
from client.errors import ClientError

PREDICTIONS = "/benchmarks/{benchmark}/releases/{release}/predictions.zip"
MANIFEST = "predictions.json"

Pages = Callable[[str], bytes | None]
# Public gold labels by their version, and what the log says of their opening.
Gold = Callable[[str, str, str, int], tuple[bytes, Mapping[str, Any]] | None]


class ScoreCheck:
    """The predictions of one release.

    `score_count` says how many numbers were made again, `removed` of how many submissions the files are gone.
    """

    def __init__(self, benchmark: str, release: int, data: bytes, pages: Pages) -> None:
        self._base = f"/benchmarks/{benchmark}/releases/{release}"
        self._called = f"{benchmark}, release {release}"
        self._benchmark, self._pages = benchmark, pages
        self.score_count = 0
        self.removed = 0
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            self._manifest = json.loads(self._zip.read(MANIFEST))
        except (zipfile.BadZipFile, KeyError, ValueError) as error:
            raise ClientError(f"{self._called}: its predictions cannot be read ({error}).") from None

    def differences(self, gold: Gold) -> Iterator[str]:
        """The numbers that are not those that stand in the release; `gold` gives public labels by their version."""
        self.removed = len(self._manifest.get("removed", ()))
        spec = build_spec(self._manifest["definition"], self._benchmark)
        boards: dict[str, dict[str, Any]] = {}
        for file in self._manifest["files"]:
            opened = gold(self._benchmark, file["task"], file["split"], file["gold_version"])
            if opened is None or file["part"] or file["task"] not in {task.id for task in spec.tasks}:
                continue  # what is not public, or was scored on a part that the salt draws, cannot be made again here
            made = self._scores(spec, file, *opened)
            called = f"{self._called}: {file['system']}, {file['task']}/{file['split']}"
            for metric, value in made.items():
                self.score_count += 1
                if metric in file["scores"] and file["scores"][metric] != value:
                    yield f"{called}, {metric} is said to be {file['scores'][metric]!r}, and is {value!r}."
            if file["split"] == "test":
                if file["task"] not in boards:
                    page = self._pages(f"{self._base}/tasks/{file['task']}.json")
                    boards[file["task"]] = json.loads(page) if page else {}
                yield from _board_differences(boards[file["task"]], file, made, called)

    def _scores(
        self, spec: BenchmarkSpec, file: dict[str, Any], labels: bytes, opening: Mapping[str, Any]
    ) -> dict[str, float | None]:
        task: TaskSpec = spec.task(file["task"])
        gold, answers = _table(labels), _table(self._zip.read(file["file"]))
        if not (gold.keys() <= answers.keys() if task.gold.empty_labels else gold.keys() == answers.keys()):
            raise ClientError(f"{self._called}: {file['file']} answers other items than the gold labels.")
        groups, clusters = opening.get("groups", {}), opening.get("clusters")
        if clusters and task.gold.cluster_column:
            groups = groups | {task.gold.cluster_column: list(map(str, clusters))}
        return scores_of(task, gold, answers, groups)


def scores_of(
    task: TaskSpec, gold: Mapping[str, str], answers: Mapping[str, str], groups: Mapping[str, Sequence[str]]
) -> dict[str, float | None]:
    """Every metric of a task, of answers by id; `groups` are by column what it says of each item of `gold`."""
    output = task.output
    # In the order in which the server scored them.
    texts = [list(gold.values()), [answers[item] for item in gold]]
    comparison = Comparison(
        output,
        *(
            from_texts(column, kind.labels, kind.dtype)
            for kind, column in zip((output.gold, output), texts, strict=True)
        ),
        groups={column: ItemGroups.of_cells(cells) for column, cells in groups.items()},
    )
    values = {}
    for metric in task.metrics:
        value = metric_for(output, metric.name).value(comparison)
        values[metric.name] = float(value) + 0.0 if isinstance(value, int | float) else None
    return values


def _board_differences(
    board: dict[str, Any], file: dict[str, Any], made: dict[str, float | None], called: str
) -> Iterator[str]:
    """Cells of the task's board that show this very answer, and another number."""
    rows = [
        row for row in board.get("rows", ()) if row["system_id"] and row["system_id"] == file["system_id"]
    ]
    for row in rows:
        for column in board["columns"]:
            cell = row["cells"].get(column["key"])
            value = made.get(column["metric"])
            if cell is None or cell["submission"] != file["submission"] or cell.get("seeds"):
                continue
            decimals = board.get("decimals")
            shown = value if value is None or decimals is None else round(value, decimals)
            if column["metric"] in made and cell["value"] != shown:
                yield f"{called}: the board shows {column['metric']} {cell['value']!r}, and it is {shown!r}."


def _table(data: bytes) -> dict[str, str]:
    """The answers of a canonical table by id, in its order."""
    rows = csv.reader(io.StringIO(data.decode(), newline=""))
    next(rows)
    return dict(rows)
