"""Shared tasks that are drawn by lot and written into the folder of a rehearsal, with what must come out of them.

What comes out is worked out by the rules of `tests.events.rules`, which share nothing with the server.
"""

import datetime as dt
import json
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.events.rules import Act, Phase, Sent, Target, Task, outcome_of

LABELS = ("no", "perhaps", "yes")
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata")
BEGIN = dt.datetime(2026, 3, 20, tzinfo=dt.UTC)  # clocks change in Europe on 29 March
HOUR, DAY, SECOND = dt.timedelta(hours=1), dt.timedelta(days=1), dt.timedelta(seconds=1)
PERIODS = ("total", "per_day", "per_week", "per_cut_off")
FAULTS = ("missing", "unknown id", "unknown answer", "twice", "other split")
MANNERS = ("", "", "shuffled", "dos", "quoted")

Answers = dict[str, Any]


class DrawnEvent:
    """An event of one or two tasks, three or four phases, four teams and about thirty uploads."""

    def __init__(self, seed: int) -> None:
        self.lot = random.Random(seed)
        self.tasks = [self._task(name) for name in "ab"[: self.lot.randint(1, 2)]]
        self.gold = {
            (task.id, split): self._gold(task, split) for task in self.tasks for split in ("dev", "test")
        }
        self.phases = self._phases()
        self.people = self._people()
        self.files: dict[str, bytes] = {}
        self.sent = set[bytes]()
        self.uploads = self._uploads()
        self.acts = self._acts()

    def write(self, folder: Path) -> dict[str, Any]:
        """Write the folder; returns what must come out, which stands in expected.json too."""
        for (task, split), answers in self.gold.items():
            self.files[f"gold/{split}/{task}.csv"] = _table(self._of(task), answers)
        for name, data in self.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        known = (self.tasks, self.phases, self.people, self.gold, self.uploads)
        moves = [act for act in self.acts if "upload" not in act.facts]
        refused = {
            one["number"] for one in outcome_of(*known, moves)["uploads"] if one["outcome"] == "refused"
        }
        acts = [act for act in self.acts if act.facts.get("upload") not in refused]
        expected = outcome_of(*known, acts)
        for name, content in {
            "benchmark.yaml": self._definition(),  # JSON is YAML
            "teams.json": self.people,
            "uploads.json": [one.as_row() for one in self.uploads],
            "acts.json": [act.as_row() for act in acts],
            "expected.json": expected,
        }.items():
            (folder / name).write_text(json.dumps(content, indent=1), "utf-8")
        return expected

    def _of(self, task: str) -> Task:
        return next(one for one in self.tasks if one.id == task)

    # What is asked

    def _task(self, name: str) -> Task:
        kind, metrics = self.lot.choice(
            [
                ("one_label", ("f1_macro", "accuracy")),
                ("one_label", ("accuracy", "f1_macro")),
                ("number", ("pearson", "spearman")),
                ("number", ("spearman", "pearson")),
                ("number", ("mae", "rmse")),
                ("number", ("rmse", "pearson")),
                ("label_subset", ("jaccard", "f1_micro")),
            ]
        )
        return Task(name, kind, metrics, LABELS)

    def _gold(self, task: Task, split: str) -> Answers:
        size = self.lot.randint(12, 40)
        first = {"dev": 100, "test": 500}[split]
        return {str(first + number): self._answer(task) for number in range(size)}

    def _answer(self, task: Task) -> Any:
        if task.kind == "number":
            return round(self.lot.random(), 3)
        if task.kind == "label_subset":
            return [int(self.lot.random() < 0.4) for _ in LABELS]
        return self.lot.choice(LABELS)

    # When, and how often

    def _phases(self) -> list[Phase]:
        begin, phases = BEGIN, []
        phases.append(self._phase("development", "dev", begin, begin + self.lot.randint(6, 12) * DAY))
        windows = [self.tasks] if self.lot.random() < 0.5 else [[task] for task in self.tasks]
        for number, tasks in enumerate(windows, start=1):
            begin = phases[-1].closes or begin
            begin += self.lot.choice([0 * DAY, DAY, 9 * HOUR])
            end = begin + self.lot.randint(3, 8) * DAY + self.lot.choice([0 * DAY, HOUR, 86399 * SECOND])
            phases.append(self._phase(f"evaluation-{number}", "test", begin, end, tasks))
        begin = phases[-1].closes or begin
        phases.append(self._phase("after", "test", begin, None))
        return phases

    def _phase(
        self,
        name: str,
        split: str,
        opens: dt.datetime,
        closes: dt.datetime | None,
        tasks: list[Task] | None = None,
    ) -> Phase:
        is_weekly = closes is None or self.lot.random() < 0.3
        wanted = [None, *PERIODS]
        targets = [Target(task.id, split, self._limits([None, *PERIODS[:3]])) for task in tasks or self.tasks]
        limits = self._limits(wanted)
        if not limits and not all(target.limits for target in targets):
            limits = {"total": self.lot.randint(4, 9)}
        return Phase(
            name,
            opens,
            closes,
            zone=self.lot.choice(ZONES),
            weekday=self.lot.randint(0, 6) if is_weekly else None,
            hour=self.lot.choice([0, 0, 3, 23]) if is_weekly else 0,
            counting=self.lot.choice(["latest", "best", "chosen"]),
            one_per_team=self.lot.random() < 0.6,
            limits=limits,
            targets=tuple(targets),
        )

    def _limits(self, periods: list[str | None]) -> dict[str, int]:
        named = {self.lot.choice(periods) for _ in range(self.lot.randint(1, 2))}
        most = {"total": (3, 7), "per_day": (1, 2), "per_week": (2, 4), "per_cut_off": (2, 4)}
        return {period: self.lot.randint(*most[period]) for period in PERIODS if period in named}

    # Who takes part, and what they do

    def _people(self) -> dict[str, list[str]]:
        teams = {
            name: [f"{name.lower()}{number}" for number in range(2)]
            for name in ("Alder", "Birch", "Cedar", "Larch")
        }
        if self.lot.random() < 0.5:
            teams["Cedar"].append("birch1")  # belongs to two teams, which share their quota therefore
        return teams

    def _uploads(self) -> list[Sent]:
        drawn = []
        for phase in self.phases:
            end = phase.closes or phase.opens + 16 * DAY
            edges = [phase.opens, phase.opens - SECOND, end - SECOND]
            edges += [phase.closes] if phase.closes else []
            for _ in range(self.lot.randint(6, 14)):
                at = phase.opens + self.lot.random() * (end - phase.opens)
                at = at.replace(microsecond=self.lot.choice([0, 0, 999999]))
                if self.lot.random() < 0.15:
                    at = self.lot.choice(edges)
                if self.lot.random() < 0.2:
                    at = phase.midnight(at)
                drawn.append((at, phase))
        instants = set[dt.datetime]()
        uploads: list[Sent] = []
        for at, phase in sorted(drawn, key=lambda one: one[0]):
            while at in instants:
                at += SECOND
            instants.add(at)
            uploads.append(self._upload(len(uploads) + 1, at, phase))
        return uploads

    def _upload(self, number: int, at: dt.datetime, phase: Phase) -> Sent:
        target = self.lot.choice(phase.targets)
        task, team = self._of(target.task), self.lot.choice(list(self.people))
        right = self.gold[target.task, target.split]
        share = self.lot.choice([0.3, 0.5, 0.7, 0.7, 0.9])
        answers: Answers = {}
        while (
            not answers or (file := _table(task, answers)) in self.sent
        ):  # a copy would be no new submission
            answers = {
                item: value if self.lot.random() < share else self._answer(task)
                for item, value in right.items()
            }
        self.sent.add(file)
        fault = self.lot.choice(FAULTS) if self.lot.random() < 0.2 else ""
        sent = Sent(
            number,
            at,
            team,
            self.lot.choice(self.people[team]),
            phase.id,
            target.task,
            target.split,
            system=self.lot.choice(["", "", "Second"]),
            file=f"uploads/{number:03}.csv",
            answers=answers,
            fault=fault,
        )
        self.files[sent.file] = self._file(task, sent)
        return sent

    def _file(self, task: Task, sent: Sent) -> bytes:
        answers = dict(sent.answers)
        ids = list(answers)
        if sent.fault == "missing":
            del answers[self.lot.choice(ids)]
        elif sent.fault == "unknown id":
            answers["9" + ids[0]] = answers[ids[0]]
        elif sent.fault == "unknown answer":
            answers[ids[0]] = {"one_label": "never", "number": "much", "label_subset": [2, 0, 0]}[task.kind]
        elif sent.fault == "other split":
            other = {"dev": "test", "test": "dev"}[sent.split]
            answers = {item: self._answer(task) for item in self.gold[task.id, other]}
        return _table(
            task, answers, self.lot, self.lot.choice(MANNERS), twice=ids[0] if sent.fault == "twice" else ""
        )

    def _acts(self) -> list[Act]:
        acts = [*self._extensions(), *self._disqualifications(), *self._corrections(), *self._choices()]
        if self.lot.random() < 0.4:
            at = self.lot.choice(self.phases[:-1]).opens + self.lot.randint(20, 100) * HOUR + 17 * SECOND
            acts.append(Act(at, "merge", {"team": "Larch", "into": "Alder"}))
        if self.lot.random() < 0.4:
            acts.append(
                Act(BEGIN + 15 * DAY + 31 * SECOND, "remove", {"team": "Birch", "reason": "It insults."})
            )
        return sorted(acts, key=lambda act: act.at)

    def _extensions(self) -> Iterator[Act]:
        for phase in self.phases[:-1]:
            if phase.closes and self.lot.random() < 0.3:
                at = phase.closes - self.lot.randint(2, 40) * HOUR + 7 * SECOND
                yield Act(at, "extend", {"phase": phase.id, "closes": (phase.closes + 6 * HOUR).isoformat()})

    def _disqualifications(self) -> Iterator[Act]:
        sound = [sent for sent in self.uploads if not sent.fault]
        for sent in self.lot.sample(sound, 2):
            phase = next(one for one in self.phases if one.id == sent.phase)
            if phase.is_open(sent.at + 90 * SECOND):
                yield Act(sent.at + 90 * SECOND, "disqualify", {"upload": sent.number, "reason": "A copy."})

    def _corrections(self) -> Iterator[Act]:
        if self.lot.random() < 0.6:
            task = self.lot.choice(self.tasks)
            split = self.lot.choice(["dev", "test"])
            phase = next(one for one in self.phases if (task.id, split) in one.places)
            at = (phase.closes or phase.opens) - self.lot.randint(5, 30) * HOUR + 3 * SECOND
            changed = dict(self.gold[task.id, split])
            for item in list(changed)[:4]:
                changed[item] = self._answer(task)
            file = f"corrected-{task.id}-{split}.csv"
            self.files[file] = _table(task, changed)
            yield Act(at, "correct_gold", {"task": task.id, "split": split, "file": file}, changed)

    def _choices(self) -> Iterator[Act]:
        for sent in self.uploads:
            phase = next(one for one in self.phases if one.id == sent.phase)
            if (
                phase.counting == "chosen"
                and not sent.fault
                and phase.is_open(sent.at)
                and self.lot.random() < 0.4
            ):
                yield Act(sent.at + 40 * SECOND, "choose", {"upload": sent.number})

    # The definition

    def _definition(self) -> Mapping[str, Any]:
        return {
            "id": "drawn",
            "title": "A drawn event",
            "summary": "Made up.",
            "url": "https://example.org/",
            "citation": "Made up.",
            "bundle": {"files": "any"},
            "tasks": [_defined(task) for task in self.tasks],
            "phases": [phase.as_row() for phase in self.phases],
        }


def _defined(task: Task) -> dict[str, Any]:
    file: dict[str, Any] = {"path": f"{task.id}.csv", "id_column": "id"}
    output: dict[str, Any] = {"labels": list(LABELS)}
    if task.kind == "number":
        output = {"output": {"kind": "number", "low": 0, "high": 1}}
    if task.kind == "label_subset":
        output |= {"output": {"kind": "label_subset"}}
        file["columns"] = ["id", *LABELS]
    else:
        file["label_column"] = "answer"
    return {
        "id": task.id,
        "code": task.id.upper(),
        "title": f"Task {task.id}",
        "summary": "Made up.",
        "instructions": "Answer.",
        "licence": "CC0",
        "citation": "Nobody",
        **output,
        "metrics": [{"name": name, "title": name} for name in task.metrics],
        "splits": [{"id": "dev", "title": "Development"}, {"id": "test", "title": "Test"}],
        "file": file,
    }


def _table(
    task: Task, answers: Answers, lot: random.Random | None = None, manner: str = "", *, twice: str = ""
) -> bytes:
    rows = [(item, *(answer if isinstance(answer, list) else [answer])) for item, answer in answers.items()]
    if twice:
        rows.append(next(row for row in rows if row[0] == twice))
    if manner == "shuffled" and lot:
        lot.shuffle(rows)
    head = ("id", *LABELS) if task.kind == "label_subset" else ("id", "answer")
    quote = '"' if manner == "quoted" else ""
    lines = [",".join(f"{quote}{cell}{quote}" for cell in row) for row in [head, *rows]]
    end = "\r\n" if manner == "dos" else "\n"
    return "".join(line + end for line in lines).encode()
