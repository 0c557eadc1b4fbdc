"""The body of a board's table as HTML. Written by hand: a template takes ten times as long over thousands of cells."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from leaderboard.board.tables.table_views import BarView, CellView, RowView


def body(rows: Sequence[RowView], *, is_ranked: bool) -> str:
    """One `<tr>` and a line break for each row; all text escaped. The head is in `_board_table.html`."""
    return "".join(_row(row, is_ranked=is_ranked) for row in rows)


def _row(row: RowView, *, is_ranked: bool) -> str:
    name = escape(row.system)
    if row.system_id:
        name = f'<a href="/systems/{escape(row.system_id)}/">{name}</a>'
    if row.tag:
        name += f' <span class="tag">{escape(row.tag)}</span>'
    if row.under:
        name += f"<small>{escape(row.under)}</small>"
    rank = _rank(row) if is_ranked else ""
    cells = "".join(_cell(cell, is_first=index == 0) for index, cell in enumerate(row.cells))
    return f'<tr class="{row.css}">{rank}<th scope="row">{name}</th>{cells}</tr>\n'


def _rank(row: RowView) -> str:
    if not row.rank:
        return '<td class="rank"><span class="vh">not ranked</span></td>'
    interval = f"<small>{row.rank_interval}</small>" if row.rank_interval else ""
    hint = f' title="{escape(row.leads)}"' if row.leads else ""
    return f'<td class="rank"{hint}><b>{row.rank}</b>{interval}</td>'


def _cell(cell: CellView, *, is_first: bool) -> str:
    hint = escape(cell.hint)
    marks = {
        "lead": is_first,
        cell.css: bool(cell.css),
        "divide": cell.divides,
        "partial": bool(cell.seeds),
        "folded": cell.is_folded,
    }
    css = " ".join(name for name, is_so in marks.items() if is_so)
    parts = [
        f'<td class="{css}"' if css else "<td",
        f' title="{hint}"' if hint else "",
        f' data-submission="{escape(cell.submission)}">' if cell.submission else ">",
        # Out of the way of the tab key, which would have to pass hundreds: static/cells.js leads there with Enter.
        f'<span><a href="{escape(cell.card)}" tabindex="-1">{cell.text}</a></span>'
        if cell.card
        else f"<span>{cell.text}</span>",
        f' <span class="beside">{cell.beside}</span>' if cell.beside or cell.pads else "",
        f" <small>{cell.deviation}</small>" if cell.deviation else "",
        f' <small class="seeds">{cell.seeds}</small>' if cell.seeds else "",
        f'<span class="vh"> {hint}</span>' if cell.css == "none" else "",
        _bar(cell.bar) if cell.bar else "",
        "</td>",
    ]
    return "".join(parts)


def _bar(bar: BarView) -> str:
    spread = (
        f'<path class="spread" d="M{bar.low} 4h{bar.spread}m0-4v8m-{bar.spread}-8v8"/>' if bar.low else ""
    )
    return (
        '<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<path d="M0 4H100"/><rect y="2" width="{bar.length}" height="4"/>{spread}</svg>'
    )
