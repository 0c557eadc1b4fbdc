"""Which group each item of a test set is in, by what a column of its gold file says: a language, a year, a domain."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

GROUP_CODE = np.dtype("<u4")
"""How the group of an item is kept."""


@dataclass(frozen=True, slots=True, eq=False)
class ItemGroups:
    """The groups of one column: `codes[i]` is the place among `names` of the i-th item's group.

    An item whose cell is empty is in no group; its code is the number of names. ValueError on any other code.
    """

    names: tuple[str, ...]
    codes: NDArray[np.uint32]

    def __post_init__(self) -> None:
        if self.codes.ndim != 1 or (len(self.codes) and int(self.codes.max()) > len(self.names)):
            raise ValueError("`codes` must be one place among `names` per item, or their number.")

    @classmethod
    def of_cells(cls, cells: Sequence[str]) -> Self:
        """The groups that the cells of a column name, in the order of their names.

        >>> ItemGroups.of_cells(["fr", "", "de", "fr"]).codes.tolist()
        [1, 2, 0, 1]
        """
        names = sorted({*cells} - {""})
        places = {name: place for place, name in enumerate(names)} | {"": len(names)}
        return cls(tuple(names), np.array([places[cell] for cell in cells], dtype=GROUP_CODE))

    def only(self, name: str) -> "ItemGroups":
        """One of the groups alone, with every item of another in none."""
        place = self.names.index(name) if name in self.names else len(self.names) + 1  # which no item has
        return ItemGroups((name,), (self.codes != place).astype(GROUP_CODE))

    def at(self, items: NDArray[Any]) -> "ItemGroups":
        """The groups of some of the items, in their order; every name stays."""
        return ItemGroups(self.names, self.codes[items])

    def cells(self) -> list[str]:
        """What the column says of each item."""
        said = (*self.names, "")
        return [said[code] for code in self.codes.tolist()]

    def sizes(self) -> list[int]:
        """How many items each group has, in the order of the names."""
        return list(np.bincount(self.codes, minlength=len(self.names))[: len(self.names)].tolist())

    def members(self) -> Iterator[NDArray[np.intp]]:
        """The places of each group's items; a group without items is passed over."""
        found = (np.flatnonzero(self.codes == code) for code in range(len(self.names)))
        return (items for items in found if len(items))


_MOST_GROUPS = 2_000  # as many segments as a test set of machine translation has
OF_ONE = "="
"""Stands between a column and one of its groups, where that one is asked of alone."""
GroupColumns = Mapping[str, ItemGroups]
"""Groups by the name of their column."""


def unusable_groups(columns: GroupColumns) -> str:
    """Which column tells no groups apart, or too many, in a sentence; empty if none."""
    for column, groups in columns.items():
        if not 1 < len(groups.names) <= _MOST_GROUPS:
            found = f"tells {len(groups.names):,} groups apart" if groups.names else "is empty in every row"
            return (
                f"The column {column}, which the definition names in group_columns, {found}. Expected 2 to "
                f"{_MOST_GROUPS:,}, each with items enough to be scored by itself. Correct the column, or name another."
            )
    return ""


def with_clusters(columns: GroupColumns, column: str, clusters: NDArray[np.uint32] | None) -> GroupColumns:
    """The groups by column, and among them what belongs together, by the numbers of the items' clusters from 0."""
    if not column or clusters is None:
        return columns
    numbers = map(str, range(int(clusters.max()) + 1))
    return {**columns, column: ItemGroups(tuple(numbers), clusters)}


def groups_at(columns: GroupColumns, items: NDArray[Any]) -> dict[str, ItemGroups]:
    """The groups of some of the items, by column."""
    return {column: groups.at(items) for column, groups in columns.items()}
