"""Training files and texts of made-up words. Pure: the demo's material in, files as `make_baselines` reads them out."""

from collections.abc import Mapping
from itertools import product

import numpy as np

from benchmarks.spec import TaskSpec
from catalogue.answers import Answers
from demo.material.answers import SyntheticAnswers
from demo.material.csv_files import csv_file

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
        lessons, heads = material.training(task).labels, (task.gold.id_column, task.gold.label_column, "Text")
        named = [task.output.labels[code] for code in lessons.tolist()]
        rows = zip(
            map(str, range(len(lessons))), named, _texts(material, task, lessons, "training"), strict=True
        )
        files[f"{task.id}.train.csv"] = csv_file([heads, *rows])
        texts = _texts(material, task, material.gold[task.id], "test")
        files[f"{task.id}.test.csv"] = csv_file(
            [(task.gold.id_column, "Text"), *zip(material.ids[task.id], texts, strict=True)]
        )
    return files


def _texts(material: SyntheticAnswers, task: TaskSpec, codes: Answers, part: str) -> list[str]:
    """A text for each item: words that say nothing, and in most a word that only texts of its label have."""
    generator = material.generator("texts", task.id, part)
    words = generator.integers(_EVERYBODYS, size=(len(codes), _LENGTH))
    of_label = _EVERYBODYS + _OF_A_LABEL * codes.astype(np.int64)
    own = of_label + generator.integers(_OF_A_LABEL, size=len(codes))
    words[:, 0] = np.where(generator.random(len(codes)) < _TELLING, own, words[:, 0])
    return [" ".join(_WORDS[word] for word in row) for row in words.tolist()]
