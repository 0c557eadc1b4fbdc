"""Training files and texts of made-up words. Pure: the demo's material in, files as `make_baselines` reads them out."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from itertools import product

import numpy as np

from benchmarks.spec import TaskSpec
from catalogue.answers import Answers
from demo.material.answers import SyntheticAnswers

_SYLLABLES = ["".join(pair) for pair in product("bdfgklmnprst", "aeiou")]
_WORDS = ["".join(pair) for pair in product(_SYLLABLES, _SYLLABLES)]
_EVERYBODYS = 400  # words; those after them are a label's own
_OF_A_LABEL = 3
_TELLING = 0.6  # of the texts hold a word of their label
_LENGTH = 4


def lesson_files(material: SyntheticAnswers) -> Mapping[str, bytes]:
    """By name in a folder, for each task of labels the labelled examples and the texts of the test items."""
    files = {}
    for task in material.spec.tasks:
        lessons, gold = material.training(task), material.gold[task.id]
        ids = [str(number) for number in range(len(lessons.labels))]
        columns = _named(task, lessons.labels), _texts(material, task, lessons.labels, "training")
        id_column, label_column = task.gold.id_column, task.gold.label_column
        files[f"{task.id}.train.csv"] = _table((id_column, label_column, "Text"), ids, *columns)
        files[f"{task.id}.test.csv"] = _table(
            (id_column, "Text"), material.ids[task.id], _texts(material, task, gold, "test")
        )
    return files


def _named(task: TaskSpec, codes: Answers) -> list[str]:
    return [task.output.labels[code] for code in codes.tolist()]


def _texts(material: SyntheticAnswers, task: TaskSpec, codes: Answers, part: str) -> list[str]:
    """A text for each item: words that say nothing, and in most a word that only texts of its label have."""
    generator = material.generator("texts", task.id, part)
    words = generator.integers(_EVERYBODYS, size=(len(codes), _LENGTH))
    own = (
        _EVERYBODYS + _OF_A_LABEL * codes.astype(np.int64) + generator.integers(_OF_A_LABEL, size=len(codes))
    )
    is_telling = generator.random(len(codes)) < _TELLING
    words[:, 0] = np.where(is_telling, own, words[:, 0])
    return [" ".join(_WORDS[word] for word in row) for row in words.tolist()]


def _table(heads: Sequence[str], *columns: Iterable[str]) -> bytes:
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(heads)
    writer.writerows(zip(*columns, strict=True))
    return stream.getvalue().encode()
