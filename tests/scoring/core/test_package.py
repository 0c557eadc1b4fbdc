"""What holds for the whole package: its examples run, and it is light to import."""

from __future__ import annotations

import doctest
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    "name",
    ["scoring.core", "scoring.core.confusion", "scoring.core.engine", "scoring.core.metrics.one_label"],
)
def test_docstring_examples_give_what_they_say(name):
    result = doctest.testmod(import_module(name))

    assert result.attempted > 0
    assert result.failed == 0


def test_scoring_needs_neither_pandas_nor_scipy_nor_scikit_learn():
    program = """
import sys
import numpy as np
from benchmarks.spec import LabelSet
from scoring.core import all_metrics, score

codes = np.array([0, 1], dtype=np.uint8)
score(LabelSet(names=("no", "yes")), [metric.name for metric in all_metrics()], codes, codes)
print(sorted({"pandas", "scipy", "sklearn", "django"} & sys.modules.keys()))
"""
    finished = subprocess.run(
        [sys.executable, "-c", program], cwd=PROJECT, capture_output=True, text=True, check=True
    )

    assert finished.stdout.strip() == "[]"
