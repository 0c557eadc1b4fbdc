"""What to say about an id that a split does not have."""

import re
from collections.abc import Sequence
from functools import cached_property

from catalogue.problems import FaultKind, Finding, ProblemCode, quoted, visible
from catalogue.suggestions import as_ranges, composed, loose_id
from submissions.intake.canonical import ItemIds

_ALIKE = " They look alike, and their accents are other characters (Unicode NFC and NFD)."

_EXPONENT = re.compile(r"[0-9](?:[.,][0-9]+)?[eE]\+?[0-9]{1,2}")
_SHORTENED_NUMBER = (
    " A spreadsheet has shortened a long number: give the column the format of text before you export it."
)


def is_shortened(found: str) -> bool:
    """Whether the id looks like a long number as spreadsheets show it, `1.2E+05`; nobody can tell which it was."""
    return bool(_EXPONENT.fullmatch(found))


_DIGITS_KEPT = 15  # of a number in a spreadsheet
_ROUNDED_NUMBER = (
    " A spreadsheet keeps 15 digits of a number and has made the rest of this one zeros: "
    "import the column as text."
)


class ForeignIds:
    """Explains ids that are not among `ids`. `split` names the split in the sentence."""

    def __init__(self, ids: ItemIds, split: str) -> None:
        self._ids = ids
        self._split = split

    def meant(self, found: str) -> int | None:
        """The position of the id that was probably meant: the same but for spaces, zeros, a `.0` or accents."""
        return self._loose.get(loose_id(found)) if found else None

    def kind(self, found: str, meant: int | None) -> FaultKind:
        """The kind of what `finding` says, without the sentence; `meant` is what `meant` answered."""
        if not found:
            return ProblemCode.EMPTY_ID, ""
        if meant is None:
            return ProblemCode.UNKNOWN_ID, ""
        return ProblemCode.ID_SPELLING, _difference(found, self._ids.ids[meant])

    def finding(self, found: str) -> Finding:
        """The fault of an id that is not one of the split's."""
        expected = self._all
        if not found:
            return Finding(ProblemCode.EMPTY_ID, "The id is empty. Give the id of the item.", "", expected)
        meant = self.meant(found)
        if meant is not None:
            exact = self._ids.ids[meant]
            difference = _difference(found, exact)
            alike = _ALIKE if difference == "accents" else ""
            return Finding(
                ProblemCode.ID_SPELLING,
                f"{quoted(found)} is not an id of this task, but {quoted(exact)} is. Write ids exactly so.{alike}",
                visible(found),
                exact,
                difference,
            )
        shortened = (
            _SHORTENED_NUMBER if is_shortened(found) else _ROUNDED_NUMBER if self._is_rounded(found) else ""
        )
        return Finding(
            ProblemCode.UNKNOWN_ID,
            f"{quoted(found)} is not an id of this task's {self._split} split, whose ids are {expected}.{shortened}",
            visible(found),
            expected,
        )

    def _is_rounded(self, found: str) -> bool:
        """Whether an id of the split begins with the digits that a spreadsheet keeps of it, and zeros stand behind."""
        start, rest = found[:_DIGITS_KEPT], found[_DIGITS_KEPT:]
        return (
            bool(rest) and found.isdecimal() and not rest.strip("0") and (start, len(found)) in self._starts
        )

    @cached_property
    def _starts(self) -> set[tuple[str, int]]:
        return {(item[:_DIGITS_KEPT], len(item)) for item in self._ids.ids if item.isdecimal()}

    @cached_property
    def _loose(self) -> dict[str, int]:
        return {loose_id(item): position for position, item in enumerate(self._ids.ids)}

    @cached_property
    def _all(self) -> str:
        return as_ranges(self._ids.ids, limit=3)


def _difference(found: str, exact: str) -> str:
    """What an id has that the exact one has not, in a word."""
    if found.strip() == exact:
        return "spaces"
    if composed(found) == composed(exact):
        return "accents"
    return "decimal" if found.strip().startswith(f"{exact}.") else "zeros"


def missing_ids(missing: Sequence[str], size: int, what: str) -> Finding:
    """The fault of a file that lacks ids; `size` counts all, `what` is what they have none of."""
    ranges = as_ranges(missing)
    have = "1 id has" if len(missing) == 1 else f"{len(missing):,} ids have"
    message = f"{have} no {what}: {ranges}. Add a row for each."
    found = f"{size - len(missing):,} of {size:,} ids"
    return Finding(ProblemCode.MISSING_IDS, message, found, ranges)
