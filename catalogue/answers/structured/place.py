"""A place on earth: its latitude and its longitude."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import atan2, degrees, hypot
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import Answers, as_rows, as_table, check_shape, probabilities_of
from catalogue.answers.base import AlsoWritten, WithoutLabels
from catalogue.answers.reading import AnswerReader, JsonCell, JsonShape
from catalogue.answers.several_numbers import NumbersReader
from catalogue.gold_column import CellShape
from catalogue.problems import Finding, ProblemCode, visible
from catalogue.section import Section

EARTH_RADIUS = 6371.0088
"""Kilometres: the mean radius of the International Union of Geodesy and Geophysics."""
_COLUMNS = ("latitude", "longitude")
_HIGHEST_LATITUDE, _HIGHEST_LONGITUDE = 90.0, 180.0
_OUTCOMES = 18_001 * 36_001  # at two decimals
_EVERYWHERE = 40.0  # degrees that guesses without any knowledge lie apart at most


@dataclass(frozen=True, slots=True)
class PlaceOnEarth(WithoutLabels):
    """A latitude from -90 to 90 and a longitude from -180 to 180, in degrees, north and east being positive.

    Canonical array: a row of two float64 for each item, shape (n_items,). `columns_of_place` are the columns or keys of
    the latitude and of the longitude.
    """

    key = "place"
    stored_name = "PlaceOnEarth"
    phrase = "a place on earth"
    title = "A place on earth: its latitude and its longitude in degrees"
    instruction = "Give each item a latitude and a longitude in degrees."
    metric = "mean_distance_km"
    dtype = probabilities_of(2)
    is_right_or_wrong = False

    columns_of_place: tuple[str, str] = _COLUMNS

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        named = output.texts("columns", default=_COLUMNS)
        if len(set(named)) != len(_COLUMNS):
            output.wrong("columns", "expected two names, of the latitude and of the longitude")
            return cls()
        latitude, longitude = named
        return cls((latitude, longitude))

    def outcomes(self) -> int:
        """Places are counted at two decimals, about a kilometre: gold labels are not looked at."""
        return _OUTCOMES

    def describe(self) -> str:
        return "a place on earth, by its latitude and its longitude in degrees"

    def check(self, argument: str, answers: object) -> int:
        rows = check_shape(argument, answers, (self.dtype,), "a latitude and a longitude each")
        if not (np.abs(as_table(rows)) <= (_HIGHEST_LATITUDE, _HIGHEST_LONGITUDE)).all():
            raise ValueError(
                f"`{argument}` must hold latitudes from -90 to 90 and longitudes from -180 to 180."
            )
        return len(rows)

    def likeness(self, gold: NDArray[Any], answers: NDArray[Any]) -> NDArray[np.float64]:
        return -distances(gold, answers)

    def only_answer(self, answers: Answers) -> str | None:
        is_one = len(answers) > 1 and not (as_table(answers) != as_table(answers[:1])).any()
        return self.texts(answers[:1])[0] if is_one else None

    def array(self, values: Iterable[Any]) -> Answers:
        return as_rows(np.array(list(values), dtype=np.float64).reshape(-1, len(_COLUMNS)))

    @property
    def own_columns(self) -> tuple[str, ...]:
        return self.columns_of_place

    @property
    def json_shape(self) -> JsonShape:
        return JsonShape.OBJECT

    def json_cells(self) -> tuple[JsonCell, ...]:
        return tuple(
            JsonCell(is_number=True, expected="a number", name=name) for name in self.columns_of_place
        )

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return PlaceReader(self)

    def written(self, answers: Answers) -> list[Any]:
        return [dict(zip(self.columns_of_place, row, strict=True)) for row in answers.tolist()]

    def sample(self) -> tuple[float, float]:
        return 0.0, 0.0

    def shown_example(self) -> tuple[float, float]:
        return 51.48, 0.0

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        return self.array(random.uniform(-_EVERYWHERE, _EVERYWHERE, (count, 2)))

    def commonest(self, labels: NDArray[Any]) -> Any:
        """The middle of the gold labels: where the mean of their directions from the centre of the earth points."""
        latitude, longitude = np.radians(as_table(labels)).T
        first, second = np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude)
        x, y, z = (float(part.mean()) for part in (first, second, np.sin(latitude)))
        return self.array([(degrees(atan2(z, hypot(x, y))), degrees(atan2(y, x)))])[0]

    def guesses(self, labels: NDArray[Any], count: int, random: np.random.Generator) -> NDArray[Any]:
        """The places of gold labels, each item's alike."""
        return np.asarray(labels[random.integers(len(labels), size=count)])

    @classmethod
    def gold_shapes(cls) -> tuple[CellShape, ...]:
        """None: a place has two cells, and what is proposed of a file is one column, or one for each label."""
        return ()

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        return False  # a single column has no places


class PlaceReader(NumbersReader):
    code_together = ProblemCode.NUMBER_OUT_OF_RANGE
    column_together = 0

    def __init__(self, kind: PlaceOnEarth) -> None:
        names = kind.columns_of_place
        super().__init__(names, kind.dtype, names, "number", -_HIGHEST_LONGITUDE, _HIGHEST_LONGITUDE)

    def of_numbers(self, numbers: Sequence[float]) -> tuple[float, ...] | None:
        return tuple(numbers) if abs(numbers[0]) <= _HIGHEST_LATITUDE else None

    def of_table(self, table: NDArray[np.float64]) -> Answers | None:
        return as_rows(table) if np.abs(table[:, 0]).max(initial=0) <= _HIGHEST_LATITUDE else None

    def wrong_together(self, cells: Sequence[str]) -> Finding:
        shown = visible(cells[0])
        message = f"The latitude {shown} lies outside -90 to 90."
        if abs(float(cells[1])) <= _HIGHEST_LATITUDE:
            message += " It may be the longitude: the latitude comes first."
        return Finding(self.code_together, message, shown, "a number from -90 to 90")


def distances(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.float64]:
    """Kilometres between places along great circles, shape (n_items,), by the haversine formula."""
    (latitude, longitude), (other_latitude, other_longitude) = (
        np.radians(as_table(places)).T for places in (first, second)
    )
    chord = np.square(np.sin((latitude - other_latitude) / 2)) + np.cos(latitude) * np.cos(
        other_latitude
    ) * np.square(np.sin((longitude - other_longitude) / 2))
    return np.asarray(2 * EARTH_RADIUS * np.arcsin(np.sqrt(np.minimum(chord, 1.0))))
