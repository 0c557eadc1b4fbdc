"""Affect in Tweets in the demo: an evaluation that is over, and the weeks since."""

import datetime as dt
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np

from benchmarks.models import Split
from benchmarks.spec import BenchmarkSpec, TaskSpec
from demo.material import equity_pairs as pairs
from demo.material.answers import SyntheticAnswers, tasks_like
from demo.material.equity_pairs import Leaning
from demo.stage import DAY, WEEK, Deed, Members, Stage
from scoring.item_sets.pair_sets import PairsUpload, load_pairs_everywhere
from submissions.intake import CanonicalPredictions
from submissions.intake.predictions.file_writer import write_gold

EVALUATION_LASTS = 4 * WEEK
WEEKS = 2  # past cut-offs since the evaluation, each with its release
SHARE = 8  # a test set holds one item for so many real ones
EQUITY = "equity"

ALL = ("-",)
ENGLISH, ARABIC, SPANISH = ("-en",), ("-ar",), ("-es",)
FAIR = Leaning()


class _Part(NamedTuple):
    """What a system does, and which tasks it answers, by parts of their ids.

    `evaluation` and `weeks` are what its uploads of the evaluation and of the weeks since are worth, from 0
    (guesses) to 1. `facts` is its fact sheet; None where its team has not filled it in.
    """

    system: str
    tasks: tuple[str, ...]
    evaluation: tuple[float, ...]
    weeks: Mapping[int, float]
    leaning: Leaning = FAIR
    facts: Mapping[str, Collection[str]] | None = None


PARTS = (
    _Part(
        "Siskin",
        ALL,
        (0.70, 0.86),
        {0: 0.90, 1: 0.94},
        Leaning(gender=0.03),
        {
            "algorithms": ["Transformer", "Stacking or voting"],
            "features": ["Sentence embeddings", "Affect lexicons"],
            "lexicons": ["NRC VAD", "NRC Affect Intensity"],
            "resources": ["Large language model", "Development data of the task"],
        },
    ),
    _Part(
        "Larch",
        ("V-reg", "V-oc"),
        (0.88, 0.91),
        {WEEKS: 0.93},
        Leaning(gender=0.02),
        {"algorithms": ["Transformer"], "features": ["Sentence embeddings"]},
    ),
    _Part(
        "Dunlin",
        (*ENGLISH, *ARABIC),
        (0.79,),
        {0: 0.83, WEEKS: 0.88},
        Leaning(race=0.03),
        {
            "algorithms": ["Bi-LSTM", "CNN", "Stacking or voting"],
            "features": ["Attention weights", "Word embeddings", "Affect-specific word embeddings"],
            "resources": ["AIT-2018 distant supervision corpus", "Machine translation"],
        },
    ),
    _Part(
        "Juniper",
        ENGLISH,
        (0.73,),
        {0: 0.75},
        Leaning(gender=-0.04, race=-0.02),
        {
            "algorithms": ["Transformer"],
            "features": ["Sentence embeddings"],
            "resources": ["Large language model"],
        },
    ),
    _Part(
        "Hornbeam",
        ALL,
        (0.52,),
        {1: 0.55},
        facts={
            "algorithms": ["Logistic regression", "Ridge regression"],
            "features": ["Word n-grams", "Character n-grams", "Emoji or emoticons"],
        },
    ),
    _Part(
        "Rowan",
        ("EI-reg-en", "EI-oc-en"),
        (0.40, 0.58),
        {0: 0.61},
        Leaning(race=0.02),
        {
            "algorithms": ["Gradient boosting"],
            "features": ["Character n-grams", "Affect lexicons"],
            "lexicons": ["AFINN", "Bing Liu", "NRC Emotion Lexicon"],
            "resources": ["AffectiveTweets package"],
        },
    ),
    _Part(
        "Plover",
        SPANISH,
        (0.77,),
        {},
        facts={
            "algorithms": ["SVM or SVR", "LSTM"],
            "features": ["Word embeddings", "Affect lexicons"],
            "lexicons": ["Spanish Emotion Lexicon", "ML-SentiCon", "Translated lexicon"],
            "resources": ["Machine translation", "Training data of another task of this benchmark"],
        },
    ),
    _Part("Curlew", ARABIC, (0.81,), {0: 0.85}),
    _Part(
        "Medlar",
        ("E-c",),
        (0.76,),
        {0: 0.80},
        facts={
            "algorithms": ["SVM or SVR", "Random forest"],
            "features": ["Word n-grams", "Affect lexicons"],
            "lexicons": ["NRC Emotion Lexicon", "NRC Hashtag Emotion"],
        },
    ),
    # Sadness is missing, so there is no bottom line for English.
    _Part(
        "Harrier",
        ("EI-reg-en-anger", "EI-reg-en-fear", "EI-reg-en-joy", "V-reg-en"),
        (0.66,),
        {0: 0.69},
        Leaning(gender=-0.03),
        {
            "algorithms": ["SVM or SVR"],
            "features": ["Affect lexicons", "Word n-grams"],
            "lexicons": ["AFINN", "MPQA", "NRC Hashtag Sentiment", "SentiStrength", "Sentiment140"],
            "resources": ["AffectiveTweets package"],
        },
    ),
    _Part(
        "Teal",
        ("V-reg", "V-oc"),
        (0.83,),
        {0: 0.87},
        facts={
            "algorithms": ["Transformer", "Linear regression"],
            "features": ["Sentence embeddings"],
            "resources": ["Another distant supervision corpus"],
        },
    ),
)


def tell(members: Members, *, now: dt.datetime, seed: int) -> None:
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    beginning = today - WEEKS * WEEK - EVALUATION_LASTS
    stage = Stage("ait2018", members, lambda spec: _material(spec, seed), now=beginning)
    files = {task.id: _gold_with_sentences(stage, task) for task in stage.spec.tasks if _has_sentences(task)}
    stage.load_gold(now=beginning, files=files)
    splits = list(Split.objects.filter(task__benchmark=stage.benchmark, slug=EQUITY))
    for comparison, title, groups in (("gender", "Gender", pairs.GENDERS), ("race", "Race", pairs.RACES)):
        load_pairs_everywhere(
            splits=splits,
            upload=PairsUpload(comparison, pairs.pairs_file(comparison), f"{comparison}.csv", title, *groups),
            now=beginning + DAY,
            user=stage.organiser,
        )
    stage.play("evaluation", [_evaluation(stage)], since=beginning, now=now)
    stage.play(
        "post-evaluation",
        (_week(stage, number) for number in range(WEEKS + 1)),
        since=beginning + EVALUATION_LASTS,
        now=now,
    )


def _material(spec: BenchmarkSpec, seed: int) -> SyntheticAnswers:
    ids = {
        task.id: [f"2018-{number:05}" for number in range(1, task.test_size // SHARE + 1)]
        for task in spec.tasks
    }
    ceilings = {task.id: 0.64 for task in tasks_like(spec, ["E-c"])}  # to name every emotion is hard
    return SyntheticAnswers(spec, seed, ids, ceilings=ceilings)


def _has_sentences(task: TaskSpec) -> bool:
    """Whether the organisers ask for answers to the sentence pairs in the task's file."""
    return task.output.is_continuous and "-en" in task.id


def _gold_with_sentences(stage: Stage, task: TaskSpec) -> bytes:
    """The gold file with the sentences below the tweets; they have no gold label, so theirs is 0."""
    ids = [*stage.material.ids[task.id], *(sentence.id for sentence in pairs.SENTENCES)]
    return write_gold(task, ids, np.append(stage.material.gold[task.id], np.zeros(len(pairs.SENTENCES))))


def _evaluation(stage: Stage) -> Iterator[Deed]:
    """Everybody's fact sheets and uploads, those of a system one after the other."""
    yield from stage.trainings("majority", "random")
    for round_ in range(max(len(part.evaluation) for part in PARTS)):
        for part in PARTS:
            if round_ == 0 and part.facts is not None:
                yield partial(stage.state_facts, part.system, part.facts)
            if round_ < len(part.evaluation):
                yield _sending(stage, part, part.evaluation[round_], f"evaluation {round_}")


def _week(stage: Stage, week: int) -> Iterator[Deed]:
    if week == 0:
        yield from stage.trainings("majority", "random")
    for part in PARTS:
        if week in part.weeks:
            yield _sending(stage, part, part.weeks[week], f"week {week}")


def _sending(stage: Stage, part: _Part, skill: float, occasion: str) -> Deed:
    answers = []
    for task in tasks_like(stage.spec, part.tasks):
        answers.append(stage.material.answers(task, skill, part.system, occasion))
        if _has_sentences(task):
            emotion = task.id.rpartition("-")[2] if task.id.startswith("EI") else "valence"
            generator = stage.material.generator(part.system, occasion, task.id, EQUITY)
            answers.append(
                CanonicalPredictions(task.id, EQUITY, pairs.scores(emotion, part.leaning, generator))
            )
    return partial(stage.send, part.system, answers)
