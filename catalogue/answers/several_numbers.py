"""Reading several numbers per item: a probability for each label, a score for each candidate."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import isfinite
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import Answers
from catalogue.answers.reading import (
    LONGEST_NUMBER,
    NUMBER_BYTES,
    AnswerReader,
    explain_number,
    number_fault,
    number_in,
)
from catalogue.problems import Fault, FaultKind, Finding, ProblemCode

_JSON_SIGNS = 8  # quotes, a colon, a comma and what is lost to escapes


class NumbersReader(AnswerReader):
    """Reads the numbers of an item, each finite and in `low`..`high`, and called `what` in messages.

    What their answer is, and what is wrong where each number is right and all together are not, readers say for
    themselves: that is told under the code `code_together`, at the column of that number or, without, at the whole row.
    """

    code_together: ClassVar[ProblemCode]
    column_together: ClassVar[int | None] = None

    def __init__(
        self,
        columns: tuple[str, ...],
        dtype: np.dtype[Any],
        names: Sequence[str],
        what: str,
        low: float,
        high: float,
    ) -> None:
        longest = sum(LONGEST_NUMBER + len(name.encode()) + _JSON_SIGNS for name in names)
        super().__init__(columns, dtype, longest)
        self._what, self._low, self._high = what, low, high

    @abstractmethod
    def of_numbers(self, numbers: Sequence[float]) -> Any:
        """The canonical value of these numbers; None if they are wrong together."""

    @abstractmethod
    def of_table(self, table: NDArray[np.float64]) -> Answers | None:
        """The canonical array of a row of numbers per item; None if any row is wrong."""

    @abstractmethod
    def wrong_together(self, cells: Sequence[str]) -> Finding:
        """What is wrong with numbers each of which is right."""

    def value(self, cells: Sequence[str]) -> Any:
        numbers = [number for cell in cells if (number := self._number(cell)) is not None]
        return self.of_numbers(numbers) if len(numbers) == len(cells) else None

    def finding(self, cell: str) -> Finding:
        return explain_number(cell, self._low, self._high, self._what)

    def explain(self, cells: Sequence[str]) -> Iterator[Fault]:
        wrong = [place for place, cell in enumerate(cells) if self._number(cell) is None]
        for place in wrong:
            yield place, self.columns[place], partial(self.finding, cells[place])
        if not wrong:
            at = self.column_together
            yield at or 0, None if at is None else self.columns[at], partial(self.wrong_together, cells)

    def count_faults(self, cells: Sequence[str]) -> Mapping[FaultKind, int]:
        counts: Counter[FaultKind] = Counter(
            (number_fault(cell), "") for cell in cells if self._number(cell) is None
        )
        return counts or {(self.code_together, ""): 1}

    def of_columns(self, columns: Sequence[Sequence[bytes]]) -> Answers | None:
        if not all(all(map(NUMBER_BYTES.fullmatch, cells)) for cells in columns):
            return None
        # Adding zero takes the sign off a negative zero, so that equal answers have equal bytes.
        table = (
            np.stack([np.fromiter(map(float, cells), "<f8", len(cells)) for cells in columns], axis=1) + 0.0
        )
        is_fine = np.isfinite(table).all() and self._low <= table.min() and table.max() <= self._high
        return self.of_table(table) if is_fine else None

    def _number(self, cell: str) -> float | None:
        number = number_in(cell, self._low, self._high)
        return number if number is not None and isfinite(number) else None
