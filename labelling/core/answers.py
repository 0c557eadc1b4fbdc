"""What workers answer, as every rule reads it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Value = str | tuple[str, ...] | int | float | bool
"""One answer. It depends on the kind of question:

- one label: the label;
- several labels: those chosen, in the question's order; empty for none;
- ordered class: a whole number;
- number: a float;
- best and worst: the ids of both items, the best first;
- yes or no: a bool;
- writing: the text.
"""


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """The answer of a worker, known by a number, about a unit, known by its id."""

    unit: str
    worker: int
    value: Value


@dataclass(frozen=True, slots=True)
class Work:
    """All answers that count.

    options : the labels of the question, in its order; empty where it has none
    items_of : the items that each unit shows: one, or several in a tuple
    answers : in any order, which no result depends on
    """

    options: tuple[str, ...]
    items_of: Mapping[str, tuple[str, ...]]
    answers: Sequence[GivenAnswer]
