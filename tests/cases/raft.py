"""RAFT: eleven tasks with five systems, and a file in the form of the full-size template."""

import json
from collections import Counter
from pathlib import Path

from benchmarks.spec import BenchmarkSpec
from benchmarks.spec.document import parse_yaml
from benchmarks.spec.loader import build_spec
from catalogue.answers import Label
from tests.cases.draws import Draws, write_lines

DEFINITION = Path(__file__).resolve().parents[2] / "benchmarks" / "definitions" / "raft.yaml"
PUBLIC_ROWS = 50


def definition() -> BenchmarkSpec:
    return build_spec(parse_yaml(DEFINITION.read_text("utf-8"), DEFINITION.name), DEFINITION.name)


def label_sets() -> dict[str, tuple[str, ...]]:
    """Label names by task."""
    return {task.id: task.output.names for task in definition().tasks if isinstance(task.output, Label)}


def write_public_rows(folder: Path) -> None:
    """Gold labels of the items 0 to 49 of every task, and five systems' answers."""
    for number, (task, names) in enumerate(label_sets().items()):
        draws = Draws(100 + number)
        gold = draws.picks(names, PUBLIC_ROWS)
        model = draws.mostly(gold, names, 0.5)
        order = draws.shuffled(range(PUBLIC_ROWS))
        systems = {
            "model": model,
            "gold_as_pred": gold,
            "majority": [Counter(gold).most_common(1)[0][0]] * PUBLIC_ROWS,
            "random": draws.picks(names, PUBLIC_ROWS),
        }
        write_lines(folder / "gold" / f"{task}.csv", rows(gold, range(PUBLIC_ROWS)))
        for system, labels in systems.items():
            write_lines(predictions(folder, system, task), rows(labels, range(PUBLIC_ROWS)))
        write_lines(predictions(folder, "model_shuffled", task), rows(model, order))


def predictions(folder: Path, system: str, task: str) -> Path:
    return folder / "predictions" / system / "data" / task / "predictions.csv"


def rows(labels: list[str], order: range | list[int]) -> list[str]:
    return ["ID,Label", *(f"{item},{labels[item]}" for item in order)]


def write_template(folder: Path) -> None:
    """As many rows as the test sets have, with the labels in turn; lines end as on Windows."""
    for task in definition().tasks:
        names = label_sets()[task.id]
        lines = [
            "ID,Label",
            *(f"{PUBLIC_ROWS + at},{names[at % len(names)]}" for at in range(task.test_size or 0)),
        ]
        write_lines(folder / "data" / task.id / "predictions.csv", lines, end="\r\n")
        columns = {"name": task.id, "label_columns": {"Label": list(names)}}
        (folder / "data" / task.id / "task.json").write_text(json.dumps(columns), "utf-8")
