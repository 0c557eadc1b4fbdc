"""Reads the case files just far enough to score them; what is acceptable is tested where files are taken in."""

import csv
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from catalogue.answers import LABEL_WITH_CONFIDENCE

Table = Mapping[Any, Any]
"""Answers by item id."""


def expected_numbers(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    return content


def read_table(path: Path, *, delimiter: str = "\t", encoding: str = "utf-8") -> list[list[str]]:
    """The rows below the header; tab-separated files know no quoting."""
    dialect: dict[str, Any] = {"quoting": csv.QUOTE_NONE} if delimiter == "\t" else {}
    with path.open(newline="", encoding=encoding) as file:
        _header, *rows = csv.reader(file, delimiter=delimiter, **dialect)
    return rows


def read_column(path: Path, column: int, **options: Any) -> dict[str, str]:
    """One column by id."""
    return {row[0]: row[column] for row in read_table(path, **options)}


def read_repeated_column(path: Path, column: int, **options: Any) -> dict[tuple[str, int], str]:
    """One column by id and by how often the id stood above: the n-th row of an id answers the n-th gold row."""
    seen: Counter[str] = Counter()
    cells = {}
    for row in read_table(path, **options):
        cells[row[0], seen[row[0]]] = row[column]
        seen[row[0]] += 1
    return cells


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def label_codes(gold: Table, predictions: Table, names: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Both sides as label codes, in the gold file's order."""
    return tuple(  # type: ignore[return-value]  # two tables, two arrays
        np.array([names.index(table[item]) for item in gold], dtype=np.uint8) for table in (gold, predictions)
    )


def numbers(gold: Table, predictions: Table, dtype: type) -> tuple[np.ndarray, np.ndarray]:
    """Both sides as numbers, in the gold file's order; of a class cell the integer before the colon."""
    return tuple(  # type: ignore[return-value]  # two tables, two arrays
        np.array([table[item].split(":")[0] for item in gold]).astype(np.float64).astype(dtype)
        for table in (gold, predictions)
    )


def masks(path: Path) -> dict[str, int]:
    """0/1 columns as bit masks."""
    return {row[0]: sum(int(cell) << place for place, cell in enumerate(row[2:])) for row in read_table(path)}


def label_confidences(
    gold: dict[str, str], predictions: dict[str, tuple[str, float]], names: tuple[str, ...]
) -> tuple[np.ndarray, np.ndarray]:
    y_true = [(names.index(label), 1.0) for label in gold.values()]
    y_pred = [(names.index(predictions[item][0]), predictions[item][1]) for item in gold]
    return np.array(y_true, dtype=LABEL_WITH_CONFIDENCE), np.array(y_pred, dtype=LABEL_WITH_CONFIDENCE)
