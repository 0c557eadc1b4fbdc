"""DynaSent in the demo: a round that is solved after some weeks, and the next one, drawn against who solved it."""

import copy
import datetime as dt
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from benchmarks.models import Phase
from benchmarks.spec import BenchmarkSpec
from benchmarks.spec.item_order import in_public_order
from catalogue.answers import Answers
from demo.material.answers import SyntheticAnswers
from demo.material.reviews import LABELS, MIXED, Review, json_lines, reviews
from demo.stage import WEEK, Deed, Members, Stage
from scoring.gold.responses import load_responses
from scoring.gold.versions import load_gold
from scoring.item_sets.attacks import load_texts_of
from scoring.item_sets.next_round import open_round
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


# What each upload for a round is worth, from 0 to 1, by system, round and week.
SKILLS: dict[str, dict[str, dict[int, float]]] = {
    "Siskin": {ROUND_1: {0: 0.62, 2: 0.78}, ROUND_2: {OPENED: 0.30}},
    "Hornbeam": {ROUND_1: {0: 0.30}},
    "Dunlin": {ROUND_1: {1: 0.62, 3: 0.72}, ROUND_2: {OPENED: 0.46, WEEKS: 0.55}},
    "Juniper": {ROUND_1: {1: 0.55}},
    SOLVER: {ROUND_1: {2: 0.80, 3: 1.0}},
    "Wagtail": {ROUND_1: {3: 0.74}, ROUND_2: {WEEKS: 0.62}},
}
WITHOUT_EXTERNAL = ("Juniper",)


def tell(members: Members, *, now: dt.datetime, seed: int) -> None:
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
    stage.play("main", (story.week(number) for number in range(WEEKS + 1)), since=beginning, now=now)


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
    for reproduction in earlier["reproductions"]:
        figures = reproduction["figures"]
        reproduction["figures"] = [figure for figure in figures if not figure["column"].startswith(ROUND_2)]
    return earlier


def _material(spec: BenchmarkSpec, seed: int, split: str) -> SyntheticAnswers:
    """The items of every task's test or dev split. Those of the round are balanced."""
    sizes = {task.id: SIZES.get((task.id, split), EXTERNAL_SIZE) for task in spec.tasks}
    ids = {task: [f"{task}-{split}-{number:04}" for number in range(size)] for task, size in sizes.items()}
    balanced = np.arange(sizes[ROUND_1]) % len(LABELS)
    return SyntheticAnswers(
        spec, seed + SEED_OF[split], ids, ceilings=CEILINGS, given={ROUND_1: balanced.astype(np.uint16)}
    )


class _Story:
    """What the weeks are about: the items of test and dev, which grow by a round, and the candidates for it."""

    def __init__(self, stage: Stage, sets: dict[str, SyntheticAnswers]) -> None:
        self.stage, self.sets = stage, sets
        self.candidates, self.answers = _candidates(stage.material)

    def load_first_round(self, at: dt.datetime) -> None:
        """Responses of the round, and gold labels of the external sets."""
        for split, material in self.sets.items():
            items = reviews(
                material.ids[ROUND_1],
                [LABELS[code] for code in material.gold[ROUND_1]],
                material.generator("reviews", split),
            )
            self._load(ROUND_1, split, json_lines(items), _texts(items), at)
            for task in (self.stage.spec.task(name) for name in EXTERNAL):
                load_gold(
                    task=self.stage.benchmark.tasks.get(slug=task.id),
                    data=write_gold(task, material.ids[task.id], material.gold[task.id]),
                    file_name=f"{task.id}_{split}_gold.csv",
                    now=at,
                    user=self.stage.organiser,
                    note="Synthetic gold labels of the demo.",
                    split_slug=split,
                    confirm_clues=True,
                )

    def _load(self, slug: str, split: str, responses: bytes, texts: bytes, at: dt.datetime) -> None:
        task = self.stage.benchmark.tasks.get(slug=slug)
        load_responses(
            task=task,
            split_slug=split,
            data=responses,
            file_name=f"{slug}-{split}.jsonl",
            now=at,
            user=self.stage.organiser,
            confirm_clues=True,
        )
        load_texts_of(task=task, split_slug=split, data=texts, file_name=f"{split}-texts.csv", now=at)

    def week(self, number: int) -> Iterator[Deed]:
        if number == CANDIDATES_FROM:
            yield self._answer_candidates
        if number == OPENED:
            yield self._open_next_round
        if number in (0, OPENED):
            yield from self.stage.trainings("majority", "random")
        for system, skills in SKILLS.items():
            if any(number in weeks for weeks in skills.values()):
                yield partial(self._upload, system, number)
        if number == OPENED:
            yield self._answer_next_round

    def _answer_candidates(self, phase: Phase, at: dt.datetime) -> None:
        self._load(ROUND_1, CANDIDATES, json_lines(self.candidates), _texts(self.candidates), at)
        ids = [review.id for review in self.candidates if review.label in LABELS]
        self.stage.send(SOLVER, [self._as_told(ROUND_1, CANDIDATES, ids)], phase, at)

    def _open_next_round(self, phase: Phase, at: dt.datetime) -> None:
        """The organisers draw the next round against what the best system answered, and open it.

        They take in the definition that has it, and load its responses and texts.
        """
        stage = self.stage
        drawn = open_round(
            task=stage.spec.task(ROUND_1),
            responses=("candidates.jsonl", json_lines(self.candidates)),
            predictions=Submission.objects.get(phase=phase, predictions__split__slug=CANDIDATES),
            size_dev=NEXT_SIZE,
            size_test=NEXT_SIZE,
            seed=stage.material.seed,
        )
        stage.sync(stage.document, now=at)
        phase.benchmark = stage.benchmark  # which has one task more than the one that the phase was read with
        for split, material in self.sets.items():
            responses = drawn.files[f"{split}.jsonl"]
            self._load(ROUND_2, split, responses, drawn.files[f"{split}-texts.csv"], at)
            labels = {item["text_id"]: item["gold_label"] for item in map(json.loads, responses.splitlines())}
            ids = {**material.ids, ROUND_2: in_public_order(labels)}
            self.sets[split] = replace(
                material,
                spec=stage.spec,
                ids=ids,
                given={**material.gold, ROUND_2: _codes(labels, ids[ROUND_2])},
            )
        stage.material = self.sets[TEST]

    def _upload(self, system: str, week: int, phase: Phase, at: dt.datetime) -> None:
        for slug, skills in SKILLS[system].items():
            if week in skills:
                external = EXTERNAL if slug == ROUND_1 and system not in WITHOUT_EXTERNAL else ()
                self.stage.send(
                    system,
                    [
                        material.answers(
                            self.stage.spec.task(task), skills[week], system, str(week), split=split
                        )
                        for split, material in self.sets.items()
                        for task in (slug, *external)
                    ],
                    phase,
                    at,
                )

    def _answer_next_round(self, phase: Phase, at: dt.datetime) -> None:
        sets = self.sets.items()
        self.stage.send(
            SOLVER,
            [self._as_told(ROUND_2, split, material.ids[ROUND_2]) for split, material in sets],
            phase,
            at,
        )

    def _as_told(self, task: str, split: str, ids: Sequence[str]) -> CanonicalPredictions:
        return CanonicalPredictions(task, split, _codes(self.answers, ids))


def _candidates(material: SyntheticAnswers) -> tuple[list[Review], dict[str, str]]:
    """Reviews that the best system gets wrong as often as guesses would be, and its answers.

    A few have no majority, or one on mixed feelings, and a few share a prompt with another.
    """
    cells = list(product(LABELS, LABELS)) * CANDIDATES_PER_CELL
    labels = [*(label for label, _ in cells), *[MIXED] * 12, *[None] * 18]
    ids = [f"r2-{number:05}" for number in range(1, len(labels) + 1)]
    made = reviews(ids, labels, material.generator("candidates"), prompt="Notes of a visitor, page")
    shared = [replace(one, prompt=other.prompt) for one, other in zip(made[:6], made[6:12], strict=True)]
    return [*shared, *made[6:]], {item: answer for item, (_, answer) in zip(ids, cells, strict=False)}


def _texts(items: list[Review]) -> bytes:
    """The sentences of those items that have one of the labels, as a file that all may read."""
    kept = [review for review in items if review.label in LABELS]
    return write_texts(
        TextsFile((SENTENCE,), tuple((review.sentence,) for review in kept)),
        ItemIds([review.id for review in kept]),
    )


def _codes(labels: Mapping[str, str], ids: Sequence[str]) -> Answers:
    return np.array([LABELS.index(labels[item]) for item in ids], dtype=np.uint16)
