"""The lines of a system's page as HTML, by hand: a year of releases is fifty lines on every one of its pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from leaderboard.board.tables.release_summaries import HistoryView, StandingView


def standing_lines(standings: Iterable[StandingView]) -> str:
    """One `<tr>` and a line break for each column: what it is, score and rank; all text escaped."""
    return "".join(
        f'<tr><th scope="row">{_column(standing)}</th>{_score(standing)}{_rank(standing)}</tr>\n'
        for standing in standings
    )


def release_heads(benchmark: str, days: Mapping[int, str]) -> dict[int, str]:
    """How the line of each release begins, whoever it is about. `days` are their dates as HTML, by number."""
    return {
        number: f'<tr><th scope="row"><a href="/benchmarks/{benchmark}/releases/{number}/">Release {number}</a></th>'
        f"<td>{day}</td>"
        for number, day in days.items()
    }


def history_lines(history: Iterable[HistoryView], heads: Mapping[int, str]) -> str:
    """One `<tr>` and a line break for each release; `heads` are those of `release_heads`."""
    return "".join(
        f'{heads[line.number]}<td class="number">{line.standing.score}</td>{_rank(line.standing)}</tr>\n'
        for line in history
    )


def _column(standing: StandingView) -> str:
    title = f" <small>{escape(standing.title)}</small>" if standing.title != standing.name else ""
    submission = (
        f" <small>submission <code>{escape(standing.submission)}</code></small>"
        if standing.submission
        else ""
    )
    return escape(standing.name) + title + submission


def _score(standing: StandingView) -> str:
    hint = f' title="{escape(standing.hint)}"' if standing.hint else ""
    beside = f" {standing.beside}" if standing.beside else ""
    deviation = f'<small class="under">{standing.deviation}</small>' if standing.deviation else ""
    return f'<td class="number"{hint}>{standing.score}{beside}{deviation}</td>'


def _rank(standing: StandingView) -> str:
    if standing.rank:
        return f'<td class="number">{standing.rank} <small>of {standing.of}</small></td>'
    return f'<td class="number"><small>{escape(standing.hint) or "not ranked"}</small></td>'
