"""DynaSent: three sets with five responses per item, on which the model they were made against is at chance."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from tests.cases.draws import Draws, write_lines

LABELS = ("positive", "negative", "neutral")
CATEGORIES = (*LABELS, "mixed")
WORKERS = 60


class Part(NamedTuple):
    """A set: the name of its gold file, the start of its ids, its size, and the model it was made against."""

    file: str
    prefix: str
    first: int
    size: int
    model: str


PARTS = {
    "round1_test": Part("dynasent-v1.1-round01-yelp-test", "r1", 98060, 3600, "model_0"),
    "round2_dev": Part("dynasent-v1.1-round02-dynabench-dev", "r2", 18536, 720, "model_1"),
    "round2_test": Part("dynasent-v1.1-round02-dynabench-test", "r2", 19256, 720, "model_1"),
}


def write_rounds(folder: Path) -> None:
    """Gold files of three sets and the answers of systems; development data have the model alone."""
    for number, (name, part) in enumerate(PARTS.items()):
        draws = Draws(500 + number)
        cells = [(gold, answer) for gold in LABELS for answer in LABELS] * (part.size // 9)
        order = draws.shuffled(cells)
        ids = [f"{part.prefix}-{part.first + at:07}" for at in range(part.size)]
        golds = [gold for gold, _ in order]
        lines = [item(draws, part, *row) for row in zip(ids, order, strict=True)]
        write_lines(folder / "gold" / f"{part.file}.jsonl", lines)
        systems = {part.model: [answer for _, answer in order]}
        if name != "round2_dev":
            model = draws.mostly(golds, LABELS, 0.4)
            systems |= {
                "majority_positive": ["positive"] * part.size,
                "never_neutral": draws.mostly(golds, LABELS[:2], 0.1),
                "model": model,
                "predicts_mixed_sometimes": [
                    "mixed",
                    *("mixed" if draws.share() < 0.1 else one for one in model[1:]),
                ],
            }
            systems["never_neutral"] = [
                "negative" if label == "neutral" else label for label in systems["never_neutral"]
            ]
        for system, labels in systems.items():
            rows = (f"{text},{label}" for text, label in zip(ids, labels, strict=True))
            write_lines(folder / "predictions" / f"{name}.{system}.csv", ["text_id,prediction", *rows])


def item(draws: Draws, part: Part, text_id: str, cell: tuple[str, str]) -> str:
    """One line of a gold file: four or five of five different workers say the gold label."""
    gold, answer = cell
    workers = draws.shuffled([f"w{at}" for at in range(WORKERS)])[:5]
    said: dict[str, list[str]] = {category: [] for category in CATEGORIES} | {gold: workers}
    if draws.share() < 0.45:
        said[gold], other = workers[:4], draws.pick([one for one in CATEGORIES if one != gold])
        said[other] = workers[4:]
    content: dict[str, Any] = {"sentence": f"Made-up sentence {text_id}."} | (
        {"has_prompt": True} if part.prefix == "r2" else {}
    )
    content |= {
        f"{part.model}_label": answer,
        "text_id": text_id,
        "label_distribution": said,
        "gold_label": gold,
    }
    return json.dumps(content)
