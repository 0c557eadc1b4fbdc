"""A shared task in files, made from a seed: two subtasks in the shape of SemEval's, each with a window of its own.

Subtask b has only the items that are OFF in a. What must come out is computed here with scikit-learn, by rules written
for this event alone.
"""

import json
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sklearn.metrics import f1_score

LABELS = {"a": ("NOT", "OFF"), "b": ("TIN", "UNT")}
DEFINITION = """
id: event
title: A small event
summary: Made up.
url: https://example.org/
citation: Made up.
bundle: {files: any}
tasks:
  - {id: a, title: Offensive, code: A, summary: Yes or no., instructions: Say., licence: CC0, citation: Nobody,
     labels: ["NOT", "OFF"], metrics: [{name: f1_macro, title: Macro F1}],
     splits: &splits [{id: dev, title: Development}, {id: test, title: Test}],
     file: {path: a.csv, headerless: true, id_column: id, label_column: label}}
  - {id: b, title: Targeted, code: B, summary: Yes or no., instructions: Say., licence: CC0, citation: Nobody,
     labels: [TIN, UNT], metrics: [{name: f1_macro, title: Macro F1}], splits: *splits,
     file: {path: b.csv, headerless: true, id_column: id, label_column: label}}
phases:
  - id: development
    opens: 2026-01-01T00:00Z
    closes: 2026-01-10T00:00Z
    release: {when: at-close}
    counting: latest
    one_per_team: true
    targets:
      - {task: a, split: dev, quota: {per_day: 2}}
      - {task: b, split: dev, quota: {per_day: 2}}
  - id: evaluation-a
    title: Evaluation, subtask A
    opens: 2026-01-10T00:00Z
    closes: 2026-01-13T00:00Z
    release: {when: at-close, not_before: 2026-01-14T12:00Z}
    counting: latest
    one_per_team: true
    targets: [{task: a, split: test, quota: {total: 2}}]
  - id: evaluation-b
    title: Evaluation, subtask B
    opens: 2026-01-15T00:00Z
    closes: 2026-01-18T00:00Z
    release: {when: at-close}
    counting: latest
    one_per_team: true
    targets: [{task: b, split: test, quota: {total: 2}}]
"""

# Number, instant, team, task, what is sent (split, how much of it is right, and what is done to the file), the phase
# that takes it, and the code of a refusal.
Sent = tuple[int, str, str, str, str, float, str, str, str]
UPLOADS: tuple[Sent, ...] = (
    (1, "2026-01-02T10:00:00Z", "Larch", "a", "dev", 0.9, "", "development", ""),
    (2, "2026-01-02T11:00:00Z", "Larch", "a", "dev", 0.6, "", "development", ""),
    (3, "2026-01-02T12:00:00Z", "Larch", "a", "dev", 0.8, "", "", "quota_used_up"),
    (4, "2026-01-02T13:00:00Z", "Larch", "b", "dev", 0.7, "", "development", ""),
    (5, "2026-01-03T00:00:00Z", "Larch", "a", "dev", 0.8, "", "development", ""),
    (6, "2026-01-03T01:00:00Z", "Fir", "a", "test", 0.8, "", "", "other_phase"),
    (7, "2026-01-03T02:00:00Z", "Fir", "a", "dev", 0.7, "", "development", ""),
    (8, "2026-01-10T00:00:00Z", "Fir", "a", "dev", 0.7, "", "", "other_phase"),
    (9, "2026-01-11T00:00:00Z", "Fir", "b", "test", 0.7, "", "", "phase_closed"),
    (10, "2026-01-11T01:00:00Z", "Fir", "a", "test", 0.8, "half", "", "missing_ids"),
    (11, "2026-01-11T02:00:00Z", "Fir", "a", "test", 0.9, "", "evaluation-a", ""),
    (12, "2026-01-11T03:00:00Z", "Fir", "a", "test", 0.7, "crlf", "evaluation-a", ""),
    (13, "2026-01-11T04:00:00Z", "Fir", "a", "test", 1.0, "", "", "quota_used_up"),
    (14, "2026-01-12T23:59:59Z", "Larch", "a", "test", 0.7, "crlf shuffled", "evaluation-a", ""),
    (15, "2026-01-13T00:00:00Z", "Larch", "a", "test", 1.0, "", "", "phase_closed"),
    (16, "2026-01-15T00:00:00Z", "Larch", "b", "test", 0.8, "", "evaluation-b", ""),
    (17, "2026-01-16T00:00:00Z", "Fir", "b", "test", 0.6, "", "evaluation-b", ""),
)
LATEST = {
    "development/a": (5, 7),
    "development/b": (4,),
    "evaluation-a/a": (12, 14),
    "evaluation-b/b": (16, 17),
}
LEFT = {
    "Larch in evaluation-a": 1,
    "Fir in evaluation-a": 0,
    "Larch in evaluation-b": 1,
    "Fir in evaluation-b": 1,
}


def write_event(folder: Path) -> dict[str, Any]:
    """Write the event into a folder; returns what must come out, which stands in expected.json too."""
    gold = _gold()
    for (task, split), labels in gold.items():
        _write(folder / "gold" / split / f"{task}.csv", labels)
    (folder / "benchmark.yaml").write_text(DEFINITION, "utf-8")
    uploads, scores = [], {}
    for number, at, team, task, split, share, done, _, code in UPLOADS:
        answers = _answers(gold[task, split], LABELS[task], share, seed=share)
        file = f"uploads/{number:02}.csv"
        _write(folder / file, answers, _DONE.get(done))
        uploads.append({"number": number, "sent_at": at, "team": team, "task": task, "file": file})
        if not code:
            ids = list(gold[task, split])
            truth, said = ([one[item] for item in ids] for one in (gold[task, split], answers))
            scores[number] = f1_score(truth, said, labels=LABELS[task], average="macro", zero_division=0)
    (folder / "uploads.json").write_text(json.dumps(uploads), "utf-8")
    expected = _expected(scores)
    (folder / "expected.json").write_text(json.dumps(expected), "utf-8")
    return expected


def _expected(scores: Mapping[int, float]) -> dict[str, Any]:
    teams = {number: team for number, _, team, *_ in UPLOADS}
    counting = {number for numbers in LATEST.values() for number in numbers}
    boards = {
        name: [
            {
                "rank": 1 + sum(scores[other] > scores[number] for other in numbers),
                "team": teams[number],
                "f1_macro": scores[number],
                "upload": number,
            }
            for number in sorted(numbers, key=lambda one: -scores[one])
        ]
        for name, numbers in LATEST.items()
    }
    uploads = [
        {"number": number, "outcome": "refused", "why": {"code": code}}
        if code
        else {
            "number": number,
            "outcome": "scored",
            "phase": phase,
            "f1_macro": scores[number],
            "counts": number in counting,
        }
        for number, *_, phase, code in UPLOADS
    ]
    return {"uploads": uploads, "boards": boards, "quota_left_at_the_close": LEFT}


def _gold() -> dict[tuple[str, str], dict[str, str]]:
    lot, gold = random.Random(2026), {}
    for split, size, first in (("dev", 24, 100), ("test", 40, 500)):
        labels = {str(first + number): lot.choice(LABELS["a"]) for number in range(size)}
        gold["a", split] = labels
        gold["b", split] = {item: lot.choice(LABELS["b"]) for item, label in labels.items() if label == "OFF"}
    return gold


def _answers(
    gold: Mapping[str, str], labels: tuple[str, str], share: float, *, seed: float
) -> dict[str, str]:
    """Answers of which about a share is right; the same ones for the same share."""
    lot = random.Random(seed)
    first, second = labels
    other = {first: second, second: first}
    return {item: label if lot.random() < share else other[label] for item, label in gold.items()}


def _shuffled(lines: list[str]) -> list[str]:
    return random.Random(7).sample(lines, len(lines))


_DONE: Mapping[str, Callable[[list[str]], bytes]] = {
    "half": lambda lines: "\n".join(lines[::2]).encode() + b"\n",
    "crlf": lambda lines: "\r\n".join(lines).encode() + b"\r\n",
    "crlf shuffled": lambda lines: "\r\n".join(_shuffled(lines)).encode() + b"\r\n",
}


def _write(path: Path, answers: Mapping[str, str], do: Callable[[list[str]], bytes] | None = None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{item},{label}" for item, label in answers.items()]
    path.write_bytes(do(lines) if do else "".join(f"{line}\n" for line in lines).encode())
