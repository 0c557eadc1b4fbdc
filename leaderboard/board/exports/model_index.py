"""A system's scores as the `model-index` of a model card."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from leaderboard.board.exports.export import Export, SystemPlace


@dataclass(frozen=True, slots=True)
class ModelCard:
    """A system by its name, and all places that it has."""

    system: str
    places: tuple[SystemPlace, ...]


def to_model_index(card: ModelCard) -> bytes:
    """The `model-index` block of a model card: a system's score in every column that has one, each with its source.

    It is YAML 1.1 and 1.2, UTF-8: one model, with the results of all places.
    """
    results = [result for place in card.places for result in _results(place)]
    head = ["model-index:", f"- name: {_text(card.system)}", "  results:" if results else "  results: []"]
    return ("\n".join([*head, *results]) + "\n").encode()


def _results(place: SystemPlace) -> Iterator[str]:
    board = place.board
    dataset = (
        "    dataset:",
        f"      type: {_text(board.benchmark)}",
        f"      name: {_text(board.benchmark_title)}",
    )
    source = (
        "    source:",
        f"      name: {_text(f'Heldout, {board.benchmark_title}, release {board.release}')}",
        f"      url: {_text(place.url)}",
    )
    for column in board.columns:
        value = place.row.value(column.key)
        if value is not None:
            task = ("  - task:", "      type: other", f"      name: {_text(column.name)}")
            metric = (
                "    metrics:",
                f"    - type: {_text(column.metric)}",
                f"      name: {_text(column.metric_title)}",
                f"      value: {_number(value)}",
            )
            yield "\n".join([*task, *dataset, *metric, *source])


def _number(value: float) -> str:
    """All its digits without an exponent: to YAML 1.1, 1e-05 is text."""
    return f"{Decimal(repr(value)):f}"


@lru_cache(maxsize=1024)
def _text(text: str) -> str:
    """The text in the double quotes of YAML. Those of JSON differ: it writes what lies beyond U+FFFF as two halves."""
    return f'"{"".join(map(_letter, text))}"'


def _letter(letter: str) -> str:
    if letter in '"\\':
        return f"\\{letter}"
    return letter if letter.isprintable() else f"\\U{ord(letter):08x}"


MODEL_INDEX = Export("model-index", "yaml", "application/yaml; charset=utf-8", "Model card", to_model_index)
