"""DynaSent in the demo: a round that is solved after some weeks, and the next one, drawn against who solved it."""

import copy
import datetime as dt
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from benchmarks.item_order import in_public_order
from benchmarks.models import Phase
from benchmarks.spec import BenchmarkSpec
from demo.material.answers import SyntheticAnswers
from demo.material.reviews import LABELS, MIXED, Review, json_lines, reviews
from demo.stage import WEEK, Deed, Members, Sending, Stage, Training
from scoring.gold.responses import load_responses
from scoring.gold.versions import load_gold
from scoring.item_sets.attacks import load_texts_of
from scoring.item_sets.next_round import DrawnRound, open_round
from submissions.intake import CanonicalPredictions, ItemIds
from submissions.intake.predictions.file_writer import write_gold
from submissions.intake.tables.responses import SENTENCE
from submissions.intake.tables.texts import TextsFile, write_texts
from submissions.models import Submission

WEEKS = 6  # past cut-offs, each with its release; week number WEEKS is the one that is open now
CANDIDATES_FROM = 4  # the week in which the best system answers candidates
OPENED = 5  # the week in which the next round is drawn and opened
SOLVER = "Larch"

TEST, DEV, CANDIDATES = "test", "dev", "candidates"
ROUND_1, ROUND_2 = "round1", "round2"
EXTERNAL = ("sst3", "yelp", "amazon")
SIZES = {(ROUND_1, TEST): 180, (ROUND_1, DEV): 90}
EXTERNAL_SIZE = 90
SEED_OF = {TEST: 0, DEV: 2}  # added to that of the story, so that dev is not test over again
NEXT_SIZE = 90  # of dev and of test of the next round
CANDIDATES_PER_CELL = 36  # of a label that the best system answers with a label

# What skill 1 reaches. Nobody was trained on the external sets.
CEILINGS = {ROUND_1: 0.97, ROUND_2: 0.85, "sst3": 0.76, "yelp": 0.82, "amazon": 0.79}


@dataclass(frozen=True, slots=True)
class _Part:
    """What a system does: `first` and `second` map a week to what its upload for that round is worth, from 0 to 1."""

    system: str
    first: Mapping[int, float] = field(default_factory=dict)
    second: Mapping[int, float] = field(default_factory=dict)
    external: bool = True


PARTS = (
    _Part("Siskin", {0: 0.62, 2: 0.78}, {OPENED: 0.30}),
    _Part("Hornbeam", {0: 0.30}),
    _Part("Dunlin", {1: 0.62, 3: 0.72}, {OPENED: 0.46, WEEKS: 0.55}),
    _Part("Juniper", {1: 0.55}, external=False),
    _Part(SOLVER, {2: 0.80, 3: 1.0}),
    _Part("Wagtail", {3: 0.74}, {WEEKS: 0.62}),
)


def tell(members: Members, *, now: dt.datetime, seed: int) -> None:
    """Let the weeks up to `now` happen."""
    beginning = now - WEEKS * WEEK
    stage = Stage(
        "dynasent",
        members,
        lambda spec: _material(spec, seed, TEST),
        now=beginning,
        at_first=_without_round_2,
    )
    story = _Story(stage, {TEST: stage.material, DEV: _material(stage.spec, seed, DEV)})
    story.load_first_round(beginning)
    acts = (story.week(number) for number in range(WEEKS + 1))
    stage.play(stage.phase("main"), acts, since=beginning, now=now)


def _without_round_2(document: dict[str, Any]) -> dict[str, Any]:
    """The definition as it was before the second round was opened."""
    earlier = copy.deepcopy(document)
    earlier["tasks"] = [task for task in earlier["tasks"] if task.get("id") != ROUND_2]
    earlier["rounds"] = [one for one in earlier["rounds"] if one["task"] != ROUND_2]
    earlier["averages"][0]["of"] = [ROUND_1]
    overall, rounds, *_ = earlier["boards"]
    for group in overall["groups"]:
        group["columns"].pop(ROUND_2, None)
    rounds["for_each"] = rounds["for_each"][:1]
    for row in earlier["reported"]:
        row["values"] = {key: value for key, value in row["values"].items() if not key.startswith(ROUND_2)}
    return earlier


def _material(spec: BenchmarkSpec, seed: int, split: str) -> SyntheticAnswers:
    """The items of every task's test or dev split. Those of the round are balanced."""
    sizes = {task.id: SIZES.get((task.id, split), EXTERNAL_SIZE) for task in spec.tasks}
    ids = {task: [f"{task}-{split}-{number:04}" for number in range(size)] for task, size in sizes.items()}
    balanced = np.arange(sizes[ROUND_1]) % len(LABELS)
    given = {ROUND_1: balanced.astype(np.uint16)}
    return SyntheticAnswers(spec, seed + SEED_OF[split], ids, ceilings=CEILINGS, given=given)


class _Story:
    """What the weeks are about: the items of test and dev, which grow by a round, and the candidates for it."""

    def __init__(self, stage: Stage, sets: dict[str, SyntheticAnswers]) -> None:
        self.stage = stage
        self.sets = sets
        self.candidates, answers = _candidates(stage.material)
        self.answers: dict[str, str] = answers

    def load_first_round(self, at: dt.datetime) -> None:
        """Responses of the round, and gold labels of the external sets."""
        for split, material in self.sets.items():
            labels = [LABELS[code] for code in material.gold[ROUND_1]]
            items = reviews(material.ids[ROUND_1], labels, material.generator("reviews", split))
            self.load_responses(ROUND_1, split, json_lines(items), at)
            self.load_texts(ROUND_1, split, _texts(items), at)
            for task in (self.stage.spec.task(name) for name in EXTERNAL):
                load_gold(
                    task=self.stage.benchmark.tasks.get(slug=task.id),
                    data=write_gold(task, material.ids[task.id], material.gold[task.id]),
                    file_name=f"{task.id}_{split}_gold.csv",
                    now=at,
                    user=self.stage.organiser,
                    note="Synthetic gold labels of the demo.",
                    split_slug=split,
                )

    def load_responses(self, task: str, split: str, data: bytes, at: dt.datetime) -> None:
        """As the organisers do in the admin."""
        load_responses(
            task=self.stage.benchmark.tasks.get(slug=task),
            split_slug=split,
            data=data,
            file_name=f"{task}-{split}.jsonl",
            now=at,
            user=self.stage.organiser,
        )

    def load_texts(self, task: str, split: str, data: bytes, at: dt.datetime) -> None:
        """As the organisers do in the admin."""
        row = self.stage.benchmark.tasks.get(slug=task)
        load_texts_of(task=row, split_slug=split, data=data, file_name=f"{split}-texts.csv", now=at)

    def week(self, number: int) -> Iterator[Deed]:
        """What is done between two cut-offs."""
        if number == CANDIDATES_FROM:
            yield _Candidates(self)
        if number == OPENED:
            yield _NextRound(self)
        if number in (0, OPENED):
            yield Training("majority")
            yield Training("random")
        for part in PARTS:
            if number in part.first or number in part.second:
                yield _Uploads(self, part, number)
        if number == OPENED:
            yield _SameAnswers(self)


def _candidates(material: SyntheticAnswers) -> tuple[list[Review], dict[str, str]]:
    """Reviews that the best system gets wrong as often as guesses would be, and its answers.

    A few have no majority, or one on mixed feelings, and a few share a prompt with another.
    """
    cells = [(label, answer) for label in LABELS for answer in LABELS] * CANDIDATES_PER_CELL
    labels = [*(label for label, _ in cells), *[MIXED] * 12, *[None] * 18]
    ids = [f"r2-{number:05}" for number in range(1, len(labels) + 1)]
    made = reviews(ids, labels, material.generator("candidates"), prompt="Notes of a visitor, page")
    shared = [replace(one, prompt=other.prompt) for one, other in zip(made[:6], made[6:12], strict=True)]
    return [*shared, *made[6:]], {item: answer for item, (_, answer) in zip(ids, cells, strict=False)}


def _texts(items: list[Review]) -> bytes:
    """The sentences of those items that have one of the labels, as a file that all may read."""
    kept = [one for one in items if one.label in LABELS]
    rows = tuple((one.sentence,) for one in kept)
    return write_texts(TextsFile((SENTENCE,), rows), ItemIds([one.id for one in kept]))


@dataclass(frozen=True, slots=True)
class _Candidates:
    """The organisers load candidates for the next round, and the best system answers them."""

    story: _Story

    def happen(self, stage: Stage, phase: Phase, at: dt.datetime) -> None:
        """Load responses and texts, and let the system send its answers."""
        story = self.story
        story.load_responses(ROUND_1, CANDIDATES, json_lines(story.candidates), at)
        story.load_texts(ROUND_1, CANDIDATES, _texts(story.candidates), at)
        ids = [one.id for one in story.candidates if one.label in LABELS]
        Sending(SOLVER, (_as_told(ROUND_1, CANDIDATES, ids, story.answers),)).happen(stage, phase, at)


@dataclass(frozen=True, slots=True)
class _NextRound:
    """The organisers draw the next round against what the best system answered, and open it."""

    story: _Story

    def happen(self, stage: Stage, phase: Phase, at: dt.datetime) -> None:
        """Draw it, take in the definition that has it, and load its responses and texts."""
        answered = Submission.objects.get(phase=phase, predictions__split__slug=CANDIDATES)
        drawn = open_round(
            task=stage.spec.task(ROUND_1),
            responses=("candidates.jsonl", json_lines(self.story.candidates)),
            predictions=answered,
            size_dev=NEXT_SIZE,
            size_test=NEXT_SIZE,
            seed=stage.material.seed,
        )
        stage.sync(stage.document, now=at)
        phase.benchmark = stage.benchmark  # which has one task more than the one that the phase was read with
        for split, material in self.story.sets.items():
            self.story.load_responses(ROUND_2, split, drawn.files[f"{split}.jsonl"], at)
            self.story.load_texts(ROUND_2, split, drawn.files[f"{split}-texts.csv"], at)
            self.story.sets[split] = _with_round_2(material, stage.spec, drawn, split)
        stage.material = self.story.sets[TEST]


def _with_round_2(
    material: SyntheticAnswers, spec: BenchmarkSpec, drawn: DrawnRound, split: str
) -> SyntheticAnswers:
    items = [json.loads(line) for line in drawn.files[f"{split}.jsonl"].splitlines()]
    labels = {item["text_id"]: item["gold_label"] for item in items}
    ids = {**material.ids, ROUND_2: in_public_order(labels)}
    gold = np.array([LABELS.index(labels[item]) for item in ids[ROUND_2]], dtype=np.uint16)
    return replace(material, spec=spec, ids=ids, given={**material.gold, ROUND_2: gold})


@dataclass(frozen=True, slots=True)
class _Uploads:
    """A system's uploads of a week: the first round with the external sets, and the second round."""

    story: _Story
    part: _Part
    week: int

    def happen(self, stage: Stage, phase: Phase, at: dt.datetime) -> None:
        """Send what the part says."""
        part, week = self.part, self.week
        external = EXTERNAL if part.external else ()
        for skills, tasks in ((part.first, (ROUND_1, *external)), (part.second, (ROUND_2,))):
            if week in skills:
                answers = tuple(
                    material.answers(stage.spec.task(task), skills[week], part.system, str(week), split=split)
                    for split, material in self.story.sets.items()
                    for task in tasks
                )
                Sending(part.system, answers).happen(stage, phase, at)


@dataclass(frozen=True, slots=True)
class _SameAnswers:
    """The system that the next round was drawn against answers it as it has answered the candidates."""

    story: _Story

    def happen(self, stage: Stage, phase: Phase, at: dt.datetime) -> None:
        """Send them for dev and test."""
        answers = tuple(
            _as_told(ROUND_2, split, material.ids[ROUND_2], self.story.answers)
            for split, material in self.story.sets.items()
        )
        Sending(SOLVER, answers).happen(stage, phase, at)


def _as_told(task: str, split: str, ids: Sequence[str], answers: Mapping[str, str]) -> CanonicalPredictions:
    codes = np.array([LABELS.index(answers[item]) for item in ids], dtype=np.uint16)
    return CanonicalPredictions(task, split, codes)
