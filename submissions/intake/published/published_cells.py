"""What a cell of a published figure must be, whatever the shape of the file that it stands in."""

import math
import re
from functools import partial

from benchmarks.spec import BenchmarkSpec
from benchmarks.spec.averages import ends_of
from benchmarks.spec.loader import is_day
from benchmarks.spec.protocol import ATTACK_MEASURES
from catalogue.problems import Finding, ProblemCode, quoted, visible
from catalogue.suggestions import nearest
from submissions.intake.tables.table_schema import FindFault

MAX_PUBLISHED_ROWS = 20_000
_LONGEST = 200
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?")


class PublishedColumns:
    """The columns that published figures of a benchmark can stand in, with the scale of each."""

    def __init__(self, spec: BenchmarkSpec) -> None:
        self._spec = spec
        self.keys = spec.reported_columns
        self._known = set(self.keys)

    def __contains__(self, column: str) -> bool:
        return column in self._known

    def value_fault(self, column: str, found: str) -> FindFault | None:
        """What is wrong with a value of a column, which need not be known."""
        if not _NUMBER.fullmatch(found):
            message = f"{quoted(found)} is no number. Write it as 0.735."
            return partial(Finding, ProblemCode.NOT_A_NUMBER, message, visible(found), "a number")
        low, high = self._ends(column)
        if not math.isfinite(float(found)) or not low <= float(found) <= high:
            range_ = f"a number from {low:g} to {high:g}" if math.isfinite(high) else "a finite number"
            message = f"{quoted(found)} is not on the scale of this column; expected {range_}."
            if high == 1:
                message += " A percentage is written as a share: 73.5 % is 0.735."
            return partial(Finding, ProblemCode.NUMBER_OUT_OF_RANGE, message, visible(found), range_)
        return None

    def no_such(self, column: str, also: tuple[str, ...] = ()) -> Finding:
        """That the benchmark has no such column; `also` are other names that could have been meant."""
        closest = nearest(column, [*self.keys, *also])
        message = (
            f"{quoted(column)} is no column of {self._spec.title}. Nearest: {quoted(closest)}. A column is the id of a "
            "task or an average, of another metric “id:metric”, of another split “id@split”."
        )
        return Finding(ProblemCode.PUBLISHED_COLUMN, message, visible(column), closest)

    def _ends(self, column: str) -> tuple[float, float]:
        """The range of a column; without bounds where it is none, or of a measure that has none."""
        if column not in self._known or column in ATTACK_MEASURES:
            return -math.inf, math.inf
        place, _, metric = column.partition(":")
        return ends_of(self._spec, place.partition("@")[0], metric)


def text_fault(column: str, found: str) -> FindFault | None:
    """What is wrong with a name or a source."""
    if found.strip() == found and found.isprintable() and 0 < len(found) <= _LONGEST:
        return None
    message = f"The {column} has {len(found)} characters; expected 1 to {_LONGEST} printable ones, no spaces around."
    return partial(Finding, ProblemCode.PUBLISHED_TEXT, message, visible(found), f"the {column}")


def date_fault(found: str, *, may_be_empty: bool = True) -> FindFault | None:
    """What is wrong with a day."""
    if is_day(found) and (found or may_be_empty):
        return None
    empty = ", or leave the cell empty" if may_be_empty else ""
    message = f"{quoted(found)} is no day. Write it as 2018-06-05{empty}."
    return partial(Finding, ProblemCode.PUBLISHED_DATE, message, visible(found), "YYYY-MM-DD")
