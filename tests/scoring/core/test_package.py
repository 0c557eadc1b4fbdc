"""What holds for the whole package: its examples run, and it is light to import."""

import doctest
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[3]


MODULES = sorted(
    ".".join(path.relative_to(PROJECT).with_suffix("").parts)
    for folder in ("catalogue", "scoring/core", "labelling/core")
    for path in (PROJECT / folder).rglob("*.py")
    if re.search(r"^ *>>> ", path.read_text(encoding="utf-8"), re.MULTILINE) and path.name != "__init__.py"
)


@pytest.mark.parametrize("name", ["scoring.core", *MODULES])
def test_docstring_examples_give_what_they_say(name):
    result = doctest.testmod(import_module(name))

    assert result.attempted > 0
    assert result.failed == 0


def test_scoring_needs_neither_pandas_nor_scipy_nor_scikit_learn():
    program = """
import sys
import numpy as np
from catalogue.answers import Label, LabelSubset, Number, OrderedClass
from catalogue.metrics.choice import metrics_for
from scoring.core import score

stances = Label(names=("unrelated", "FAVOR", "AGAINST"))
for output, dtype in (
    (stances, np.uint8),
    (LabelSubset(names=("joy",)), np.uint64),
    (OrderedClass(-1, 1), np.int16),
    (Number(0, 1), np.float64),
):
    answers = np.array([0, 1], dtype=dtype)
    score(output, [metric.name for metric in metrics_for(type(output))], answers, answers)
print(sorted({"pandas", "scipy", "sklearn", "django"} & sys.modules.keys()))
"""
    finished = subprocess.run(
        [sys.executable, "-c", program], cwd=PROJECT, capture_output=True, text=True, check=True
    )

    assert finished.stdout.strip() == "[]"
