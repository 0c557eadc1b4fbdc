"""The rows of a printed table, read back from their HTML."""

from dataclasses import dataclass
from xml.etree import ElementTree as ET

from leaderboard.board.tables.board_table import TableView

PLACES = {"lead", "divide", "partial", "folded"}
"""Classes that say where a cell stands, and nothing of its value."""


@dataclass(frozen=True)
class PrintedCell:
    """One cell; `bar` are the length and both ends of the interval as they are drawn, None where there is no bar."""

    text: str
    css: str
    hint: str
    beside: str
    deviation: str
    seeds: str
    divides: bool
    pads: bool
    is_folded: bool
    bar: tuple[str, str] | None


@dataclass(frozen=True)
class PrintedRow:
    """One row."""

    system: str
    under: str
    tag: str
    css: str
    rank: str
    rank_interval: str
    cells: list[PrintedCell]


def rows_of(view: TableView) -> list[PrintedRow]:
    """Every row that is shown."""
    body = ET.fromstring(f"<tbody>{view.body}</tbody>")  # noqa: S314  # our own HTML
    return [_row(row) for row in body]


def _row(row: ET.Element) -> PrintedRow:
    head, cells = row.find("th"), row.findall("td")
    assert head is not None
    ranks = [cell for cell in cells if cell.get("class") == "rank"]
    link = head.find("a")
    return PrintedRow(
        system=((head if link is None else link).text or "").strip(),
        under=head.findtext("small") or "",
        tag=head.findtext("span[@class='tag']") or "",
        css=row.get("class") or "",
        rank=ranks[0].findtext("b") or "" if ranks else "",
        rank_interval=ranks[0].findtext("small") or "" if ranks else "",
        cells=[_cell(cell) for cell in cells if cell not in ranks],
    )


def _cell(cell: ET.Element) -> PrintedCell:
    classes = (cell.get("class") or "").split()
    value, beside, bar = cell.find("span"), cell.find("span[@class='beside']"), cell.find("svg")
    smalls = {small.get("class"): small.text or "" for small in cell.findall("small")}
    assert value is not None
    return PrintedCell(
        text="".join(value.itertext()),
        css=" ".join(name for name in classes if name not in PLACES),
        hint=cell.get("title") or "",
        beside=(beside.text or "") if beside is not None else "",
        deviation=smalls.get(None, ""),
        seeds=smalls.get("seeds", ""),
        divides="divide" in classes,
        pads=beside is not None,
        is_folded="folded" in classes,
        bar=None if bar is None else _bar(bar),
    )


def _bar(bar: ET.Element) -> tuple[str, str]:
    spread, length = bar.find("path[@class='spread']"), bar.find("rect")
    assert length is not None
    return length.get("width") or "", "" if spread is None else spread.get("d") or ""
