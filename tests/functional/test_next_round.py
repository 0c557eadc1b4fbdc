"""The next round of DynaSent as `docs/adding-a-benchmark.md` says it is opened, up to a board that shows it."""

import csv
import io
import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from scoring.management.commands.evaluate import DEFINITIONS
from tests.official import accepted, close, published, row_of

LABELS = ("positive", "negative", "neutral")
CELLS = {f"r3-{number:02}": cell for number, cell in enumerate([*product(LABELS, LABELS)] * 4)}
"""Gold label and the chosen system's prediction by id: enough for 18 items of dev and 18 of test."""
DOCS = Path(__file__).resolve().parents[2] / "docs" / "adding-a-benchmark.md"


def definition() -> str:
    """That of DynaSent, with the lines of the documentation where they belong."""
    section = DOCS.read_text(encoding="utf-8").partition("## Opening a round\n")[2].partition("\n## ")[0]
    yaml = section.partition("```yaml\n")[2].partition("```")[0].replace("test_size: 720", "test_size: 18")
    task, round_line = yaml.removeprefix("tasks:\n").split("rounds:\n")
    text = (DEFINITIONS / "dynasent.yaml").read_text(encoding="utf-8")
    for before, added in (("  # Assessment sets from elsewhere", task), ("\naverages:", round_line)):
        assert text.count(before) == 1
        text = text.replace(before, added + before)
    return text


def manage(*arguments: object, **options: Any) -> None:
    call_command(*map(str, arguments), **options, stdout=io.StringIO())


@pytest.fixture
def drawn(db, gold_keys, sync, tmp_path):
    """The folder that `draw_round` has made."""
    sync(definition())
    items = [
        {
            "text_id": name,
            "sentence": f"Sentence {name}.",
            "prompt": f"Prompt {name}.",
            "label_distribution": {label: ["w1", "w2", "w3", "w4"], "mixed": ["w5"]},
        }
        for name, (label, _) in CELLS.items()
    ]
    (tmp_path / "candidates.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
    (tmp_path / "system.csv").write_bytes(predictions(CELLS))
    manage(
        "draw_round",
        "dynasent",
        "round2",
        responses=tmp_path / "candidates.jsonl",
        system=tmp_path / "system.csv",
        dev=18,
        test=18,
        out=tmp_path / "round3",
    )
    return tmp_path / "round3"


@pytest.fixture
def opened(drawn):
    for part in ("test", "dev"):
        manage("load_responses", "dynasent", "round3", part, drawn / f"{part}.jsonl")
        manage("load_texts", "dynasent", "round3", drawn / f"{part}-texts.csv", split=part)
    return drawn


def predictions(ids) -> bytes:
    return ("text_id,prediction\n" + "".join(f"{name},{CELLS[name][1]}\n" for name in ids)).encode()


def ids_of(folder: Path, part: str) -> list[str]:
    with (folder / f"{part}-texts.csv").open(encoding="utf-8", newline="") as file:
        return [row["id"] for row in csv.DictReader(file)]


def test_the_system_that_the_round_was_drawn_against_is_at_chance_on_its_board(opened, system):
    for part in ("test", "dev"):
        data = predictions(ids_of(opened, part))
        accepted(system, "dynasent/main", data, f"round3_{part}.csv", task="round3", split=part)
    close("dynasent/main")

    cells = row_of(published("/benchmarks/dynasent/tasks/round3.json"), system.name)["cells"]
    assert cells["round3"]["value"] == pytest.approx(1 / 3, abs=1e-9)
    for label in LABELS:
        assert cells[f"f1_{label}"]["value"] == pytest.approx(1 / 3, abs=1e-9)


def test_the_texts_of_the_new_round_are_there_for_everybody(opened):
    for part in ("test", "dev"):
        answer: Any = Client().get(f"/benchmarks/dynasent/texts/round3/{part}.csv")
        assert b"".join(answer.streaming_content) == (opened / f"{part}-texts.csv").read_bytes()
