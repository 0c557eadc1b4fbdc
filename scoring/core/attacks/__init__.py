"""Attacks that are made here: from the texts of a test split to a perturbed copy of them.

`GENERATORS` has them by the id that a definition calls them by. Everything else, a paraphrase above all, is made
elsewhere and uploaded.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType

import numpy as np

from scoring.core.attacks.negation import negated
from scoring.core.attacks.spelling import misspelt

Generator = Callable[[str, np.random.Generator], str | None]
"""From a text to its perturbed form; None where it cannot be perturbed."""

GENERATORS: Mapping[str, Generator] = MappingProxyType(
    {"negation": lambda text, _generator: negated(text), "spelling": misspelt}
)


def generator_of(attack: str) -> Generator | None:
    """What makes the texts of an attack of that id; None where they are made elsewhere.

    What follows a hyphen tells attacks of one kind apart: `spelling-2` is made as `spelling` is.
    """
    return GENERATORS.get(attack.partition("-")[0])


@dataclass(frozen=True, slots=True)
class Perturbed:
    """`rows[i]` holds the perturbed texts of the item `ids[i]`; `untouched` counts texts that stayed as they were."""

    rows: tuple[tuple[str, ...], ...]
    text_count: int
    untouched: int


def perturb(
    attack: str, *, ids: Sequence[str], columns: Sequence[str], rows: Sequence[Sequence[str]], seed: int
) -> Perturbed:
    """Perturb every text of every item.

    Each text has a random generator of its own, seeded with `seed`, the id of its item and the name of its column:
    neither the order of the items nor what else is in the set makes a difference.

    Parameters
    ----------
    attack : str
        One that `generator_of` knows; ValueError otherwise.
    ids : sequence of str
    columns : sequence of str
        The names of the texts of an item.
    rows : sequence of sequence of str, shape (len(ids), len(columns))
    seed : int, at least 0

    Returns
    -------
    Perturbed
        With as many rows and texts as were given, in the same order. Empty texts stay empty and are not counted.
    """
    generator = generator_of(attack)
    if generator is None:
        raise ValueError(f"`attack` must be one of {', '.join(GENERATORS)}; found {attack!r}.")
    untouched = text_count = 0
    perturbed_rows = []
    for item, texts in zip(ids, rows, strict=True):
        row = list(texts)
        for place, (column, text) in enumerate(zip(columns, texts, strict=True)):
            if text.strip():
                digest = sha256(json.dumps([seed, item, column]).encode()).digest()
                perturbed = generator(text, np.random.default_rng(int.from_bytes(digest)))
                text_count += 1
                untouched += perturbed is None
                row[place] = text if perturbed is None else perturbed
        perturbed_rows.append(tuple(row))
    return Perturbed(tuple(perturbed_rows), text_count, untouched)
