"""What a team states of its system beside its labels: size, weights, training and cost. Nobody checks it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

WEIGHTS = {"open": "open weights", "closed": "closed weights"}
TRAINING_DATA = {"given": "given data only", "further": "further data"}
MOST_PARAMETERS = 10**15
MOST_COST = 10**9
MOST_EXAMPLES = 10**9

_MOST_WITH_CENTS = 100
_SIZE = re.compile(r"(\d+(?:\.\d+)?) ?([KMBT]?)", re.IGNORECASE)
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}


@dataclass(frozen=True, slots=True)
class DeclaredFacts:
    """Each field is None or empty where a team says nothing.

    Parameters
    ----------
    parameters
        How many the models have together, 1 to 10**15.
    weights
        A key of WEIGHTS: whether anybody can download them.
    training_data
        A key of TRAINING_DATA: whether it was trained or prompted with labelled items beyond those of the benchmark.
    cost
        US dollars for labelling the test set once, 0 to 10**9.
    examples
        How many labelled examples it was trained or prompted with, 0 to 10**9.
    """

    parameters: int | None = None
    weights: str = ""
    training_data: str = ""
    cost: float | None = None
    examples: int | None = None

    def __post_init__(self) -> None:
        """ValueError with a sentence for what is out of range."""
        if self.parameters is not None and not 1 <= self.parameters <= MOST_PARAMETERS:
            raise ValueError(f"Expected between 1 and 10^15 parameters, found {self.parameters}.")
        for name, value, known in (
            ("weights", self.weights, WEIGHTS),
            ("training_data", self.training_data, TRAINING_DATA),
        ):
            if value and value not in known:
                raise ValueError(f"Expected one of {', '.join(known)} as {name}, found {value!r}.")
        if self.cost is not None and not (isfinite(self.cost) and 0 <= self.cost <= MOST_COST):
            raise ValueError(f"Expected a cost of 0 to 10^9 US dollars, found {self.cost}.")
        if self.examples is not None and not 0 <= self.examples <= MOST_EXAMPLES:
            raise ValueError(f"Expected 0 to 10^9 examples, found {self.examples}.")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "DeclaredFacts":
        """What `as_dict` wrote down."""
        return cls(**data)

    def as_dict(self) -> dict[str, Any]:
        """The fields that say something."""
        fields = {
            "parameters": self.parameters,
            "weights": self.weights,
            "training_data": self.training_data,
            "cost": self.cost,
            "examples": self.examples,
        }
        return {name: value for name, value in fields.items() if value is not None and value != ""}

    @property
    def size(self) -> str:
        """As it is usually written, "7B"; empty where it is not stated."""
        return "" if self.parameters is None else size_in_words(self.parameters)

    @property
    def price(self) -> str:
        """The cost, as "$1.20" or "$2,600"; empty where it is not stated."""
        if self.cost is None:
            return ""
        return f"${self.cost:,.0f}" if self.cost >= _MOST_WITH_CENTS else f"${self.cost:,.2f}"

    @property
    def practice(self) -> str:
        """How many labelled examples it has seen, in words; empty where it is not stated."""
        return "" if self.examples is None else f"{self.examples:,} training examples"

    @property
    def labels(self) -> tuple[str, ...]:
        """What rows can be chosen by: "open weights", "further data"."""
        return tuple(
            known[value]
            for value, known in ((self.weights, WEIGHTS), (self.training_data, TRAINING_DATA))
            if value
        )


def read_size(text: str) -> int:
    """A number of parameters as people write it: "7B", "350M", "1.3 b", "125000000".

    Raises
    ------
    ValueError
        With a sentence.

    Examples
    --------
    >>> read_size("1.3B")
    1300000000
    """
    found = _SIZE.fullmatch(text.strip().replace(",", ""))
    if not found:
        raise ValueError(f"Expected a number of parameters such as 350M, 7B or 1.3T, found {text[:40]!r}.")
    return round(float(found[1]) * _UNITS[found[2].upper()])


def size_in_words(parameters: float) -> str:
    """With at most three digits, as 1.3B.

    >>> size_in_words(175_000_000_000), size_in_words(345_600_000), size_in_words(999)
    ('175B', '346M', '999')
    """
    rounded = float(f"{parameters:.3g}")
    unit = max((unit for unit in _UNITS if _UNITS[unit] <= max(rounded, 1)), key=_UNITS.__getitem__)
    return f"{rounded / _UNITS[unit]:g}{unit}"
