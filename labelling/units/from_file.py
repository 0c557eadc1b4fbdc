"""Units of a file: what an organiser uploads becomes the units of a draft."""

from collections.abc import Iterator, Sequence
from random import Random

from labelling.core.tuples import balanced_tuples
from labelling.core.unit_files import LEAST, MAIN, MOST, UnitRow, read_units, tuples_of
from labelling.models import Campaign
from labelling.units.new_units import NewUnit, store_units
from scoring.file_refusal import FileRefused


def units_from_file(*, campaign: Campaign, data: bytes, file_name: str) -> int:
    """Make the rows of a file the units of a draft; returns how many there are.

    For best and worst of four the rows are items, and twice as many tuples as items are drawn from the campaign's seed.

    Raises
    ------
    FileRefused
        If the file has problems.
    CannotChangeCampaign
        If the campaign was opened.
    """
    asked = campaign.asked
    rows = read_units(data, file_name=file_name, question=asked).content_or(FileRefused.because_of)
    size = campaign.kind.items_per_unit
    units = [_unit(row) for row in rows] if size == 1 else [*_tuples(rows, size, campaign.order_seed)]
    return store_units(campaign=campaign, units=units)


def _unit(row: UnitRow) -> NewUnit:
    return NewUnit(
        key=row.id,
        items=(row.id,),
        shown=[row.texts],
        part=row.part,
        group=row.group,
        answer=row.answer,
        reason=row.reason,
    )


def _tuples(rows: Sequence[UnitRow], size: int, seed: int) -> Iterator[NewUnit]:
    main = {row.id: row for row in rows if row.part == MAIN}
    drawn = balanced_tuples(sorted(main), Random(f"{seed}/tuples"), size)  # noqa: S311  # an order, not a secret
    for number, items in enumerate(drawn, start=1):
        yield NewUnit(key=f"tuple {number}", items=items, shown=[main[item].texts for item in items])
    for (part, group), members in tuples_of(rows).items():
        said = {row.answer: row.id for row in members}
        yield NewUnit(
            key=f"{part} {group}".strip(),
            items=tuple(row.id for row in members),
            shown=[row.texts for row in members],
            part=part,
            answer=[said[MOST], said[LEAST]],
            reason=next((row.reason for row in members if row.reason), ""),
        )
