"""A kind of answer that nobody has written yet, from the definition to the published page."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.models import Benchmark
from catalogue.answers import KINDS, Answers
from catalogue.answers.arrays import check_range, check_shape
from catalogue.answers.base import AlsoWritten, WithoutLabels
from catalogue.answers.reading import AnswerReader
from catalogue.metrics import METRICS
from catalogue.metrics.metric import Metric
from catalogue.metrics.statistics import ARRAYS, MeanOfItems
from catalogue.problems import Finding, ProblemCode, quoted, visible
from catalogue.section import Section
from scoring.gold.versions import load_gold
from submissions.models import Submission, System
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW
from tests.pages import browser_of, text_of
from tests.weeks import CUT_OFF, board, row_of, run_batch

_MOMENT = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")
_DAY = 24 * 60
DEFINITION = """
id: clock
title: Clock
summary: When was it?
url: https://example.org/clock
citation: Nobody, 2026.
bundle: {files: any}
tasks:
  - id: when
    code: WHE
    title: When
    summary: When was it?
    instructions: Say when.
    licence: CC0
    citation: Nobody, 2026.
    output: {kind: moment}
    file: {path: when.csv, id_column: id, label_column: moment}
    metrics: [{name: closeness, title: Closeness}]
averages: [{id: overall, title: Overall, of: all tasks, missing: unranked}]
phases:
  - id: main
    title: Main
    cut_off: {weekday: monday, time: "00:00", timezone: UTC}
    quota: {per_cut_off: 2}
    counting: best
"""
GOLD = b"id,moment\na,00:00\nb,12:00\nc,06:30\nd,23:59\n"
NEAR = b"id,moment\nd,23:59\na,18:00\nb,12:00\nc,06:30\n"


@dataclass(frozen=True, slots=True)
class Moment(WithoutLabels):
    """A moment of the day as hh:mm. Canonical array: minutes since midnight, int32, shape (n_items,)."""

    key: ClassVar = "moment"
    stored_name: ClassVar = "Moment"
    phrase: ClassVar = "a moment of the day"
    title: ClassVar = "A moment of the day"
    instruction: ClassVar = "Give each item a moment as hh:mm."
    metric: ClassVar = "closeness"

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        return cls()

    def outcomes(self) -> int:
        return _DAY

    def describe(self) -> str:
        return "a moment of the day such as 09:30"

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype("<i4")

    def check(self, argument: str, answers: object) -> int:
        minutes = check_shape(argument, answers, (self.dtype,), "int32 minutes")
        check_range(argument, minutes, 0, _DAY - 1, "minutes of a day")
        return len(minutes)

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return MomentReader((label_column,), self.dtype, longest=5)

    def written(self, answers: Answers) -> list[Any]:
        return [f"{minutes // 60:02}:{minutes % 60:02}" for minutes in answers.tolist()]

    def sample(self) -> int:
        return 0

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        return random.integers(_DAY, size=count, dtype=np.int32)

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        return all(map(_MOMENT.fullmatch, cells))


class MomentReader(AnswerReader):
    def value(self, cells: Sequence[str]) -> int | None:
        found = _MOMENT.fullmatch(cells[0])
        return int(found[1]) * 60 + int(found[2]) if found else None

    def finding(self, cell: str) -> Finding:
        code = ProblemCode.UNKNOWN_LABEL if cell else ProblemCode.EMPTY_LABEL
        return Finding(code, f"{quoted(cell)} is no moment of the day.", visible(cell), "such as 09:30")


def closeness_of_items(y_true: NDArray[Any], y_pred: NDArray[Any]) -> NDArray[np.float64]:
    apart = np.abs(y_true - y_pred)
    return np.asarray(1 - np.minimum(apart, _DAY - apart) / (_DAY / 2))


CLOSENESS = Metric(
    name="closeness",
    title="Closeness",
    kinds=(Moment,),
    statistic=ARRAYS,
    formula=lambda y_true, y_pred: float(closeness_of_items(y_true, y_pred).mean()),
    resampled=MeanOfItems(closeness_of_items),
    reference="Made up for this test.",
)


@pytest.fixture
def clock(sync: Callable[[str], Benchmark], gold_keys: object) -> Iterator[Benchmark]:
    """A benchmark of that kind with its gold labels loaded."""
    with KINDS.extended(Moment), METRICS.extended(CLOSENESS):
        benchmark = sync(DEFINITION)
        load_gold(task=benchmark.tasks.get(), data=GOLD, file_name="when.csv", now=NOW)
        yield benchmark


def send(system: System, benchmark: Benchmark, data: bytes) -> Submission:
    user = system.team.members.order_by("pk").first()
    assert user is not None
    phase = benchmark.phases.get()
    upload = PredictionUpload(
        system=system, phase=phase, user=user, data=data, file_name="when.csv", received_at=NOW
    )
    return submit_predictions(upload).submission


def test_a_new_kind_goes_from_the_definition_to_the_published_page(clock: Benchmark, system: System):
    send(system, clock, NEAR)
    run_batch(CUT_OFF)
    assert row_of(board("/benchmarks/clock.json"), system.name)["cells"]["when"]["value"] == pytest.approx(
        7 / 8
    )
    browser = browser_of(None)
    assert "Closeness" in text_of(browser.get("/benchmarks/clock/"))
    assert "a moment of the day such as 09:30" in text_of(browser.get("/benchmarks/clock/tasks/when/"))
