"""The cells that intervals are held to: coverage, and median width over that of a yardstick.

At least 93 of 100 test sets have to hold in every cell, and at most 97 where the numbers of right items allow it. Of
accuracy both follow exactly from the binomial distribution, and the yardstick is Clopper and Pearson's interval, of
which widths may be 1.15 times. Of macro F1 over two labels test sets are drawn, and the yardstick is the width of what
the score really does (2.5 to 97.5 percentile), of which they may be 1.3 times.

Run it from the project's folder: `python -m perf.statistics.bars [test sets per cell of F1]`.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta, binom

from perf.statistics.coverage import coverage, lines_of_few
from perf.timing import number_asked_for
from scoring.core.uncertainty.intervals import share_interval

LEAST, MOST = 0.93, 0.97
ACCURACIES, ITEMS = (0.97, 0.995), (30, 100, 516, 2_350)
WIDEST_SHARE, WIDEST_F1 = 1.15, 1.3
SETS = 1_000


class HeldCell(NamedTuple):
    """A cell's coverage and width over the yardstick's, NaN where that has none; whether 93 to 97 can be reached."""

    title: str
    coverage: float
    width: float
    widest: float
    can_be_between: bool

    @property
    def misses(self) -> list[str]:
        """What the cell is not held to."""
        faults = (
            (self.coverage < LEAST, "below 93"),
            (self.coverage > MOST and self.can_be_between, "above 97"),
            (self.width > self.widest, f"wider than {self.widest}"),
        )
        return [said for is_missed, said in faults if is_missed]


def of_accuracy(accuracy: float, item_count: int) -> HeldCell:
    """All numbers of right items, each as often as it comes."""
    right = np.arange(item_count + 1)
    often = binom.pmf(right, item_count, accuracy)
    ends = [share_interval(int(count), item_count) for count in right]
    held = sum(float(often[at]) for at, one in enumerate(ends) if one.low <= accuracy <= one.high)
    low = np.nan_to_num(beta.ppf(0.025, right, item_count - right + 1), nan=0.0)
    high = np.nan_to_num(beta.ppf(0.975, right + 1, item_count - right), nan=1.0)
    own = _median(np.array([one.high - one.low for one in ends]), often)
    below = binom.cdf(right, item_count, accuracy)
    sums = below[:, None] - np.concatenate([[0.0], below[:-1]])
    can = bool(((sums >= LEAST) & (sums <= MOST)).any())
    return HeldCell(
        f"accuracy {accuracy}, {item_count:,} items",
        held,
        own / _median(high - low, often),
        WIDEST_SHARE,
        can,
    )


def _median(values: NDArray[np.float64], often: NDArray[np.float64]) -> float:
    order = values.argsort()
    return float(values[order][np.searchsorted(often[order].cumsum(), 0.5)])


def cells(sets: int) -> Iterator[HeldCell]:
    """Those of accuracy, and those of two labels; where all is right or wrong, every interval holds."""
    for accuracy in ACCURACIES:
        for item_count in ITEMS:
            yield of_accuracy(accuracy, item_count)
    for line in lines_of_few():
        is_of_two = (
            line.metric.startswith("f1") and "labels" not in line.title and "of subsets" not in line.title
        )
        for item_count in line.sizes if is_of_two else ():
            drawn = coverage(line, item_count, sets)
            if drawn.true_width:
                title = f"{line.title}, {item_count:,} items"
                # How a score of so many different values may be spread is not worked out.
                yield HeldCell(
                    title, drawn.ours, drawn.width / drawn.true_width, WIDEST_F1, can_be_between=True
                )


def main(sets: int) -> None:
    print(
        f"Coverage of 100, width over the yardstick's, and what is missed; {sets:,} test sets per cell of F1"
    )
    counts: dict[str, int] = {}
    total = 0
    for cell in cells(sets):
        total += 1
        for said in cell.misses:
            counts[said] = counts.get(said, 0) + 1
        print(
            f"{cell.title:<55}{100 * cell.coverage:6.1f}  x{cell.width:.2f}  {', '.join(cell.misses)}",
            flush=True,
        )
    print(f"{total} cells" + "".join(f"; {count} {said}" for said, count in counts.items()))


if __name__ == "__main__":
    main(number_asked_for(SETS))
