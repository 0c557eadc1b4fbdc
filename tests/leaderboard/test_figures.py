"""Charts on published pages, at their addresses, and which of them a benchmark has."""

import csv
import io
import re
from pathlib import Path

import pytest
from django.conf import settings

from benchmarks.models import Benchmark, Phase
from benchmarks.spec import BenchmarkSpec, RowKind
from benchmarks.spec.document import parse_yaml
from benchmarks.spec.loader import build_spec
from leaderboard.assembly.boards import OverallBoard
from leaderboard.assembly.breaking_boards import PairBoards
from leaderboard.board.charts.board_charts import overall_charts, rounds_chart, task_columns
from leaderboard.board.model.board import Board, BoardRow, Cell, Column
from leaderboard.board.model.ranking import rank
from leaderboard.board.tables.board_query import COLUMNS
from leaderboard.board.tables.board_table import table
from leaderboard.models import Page
from submissions.models import System
from tests.leaderboard.board.boards import board, row
from tests.leaderboard.board.tables.printed_rows import rows_of
from tests.weeks import CUT_OFF, HALF_WRONG, run_batch, upload


def defined(name: str) -> BenchmarkSpec:
    path = Path(settings.BASE_DIR) / "benchmarks" / "definitions" / f"{name}.yaml"
    return build_spec(parse_yaml(path.read_text("utf-8"), path.name), path.name)


def made(
    keys: tuple[str, ...], *lines: tuple[str, RowKind, tuple[float | None, ...]], release: int = 1
) -> Board:
    columns = tuple(Column(key, key, key.title(), "f1_macro", "F1 macro", True) for key in keys)
    rows = [
        BoardRow(
            name,
            None,
            "",
            kind,
            {k: Cell(v, None) for k, v in zip(keys, values, strict=True) if v is not None},
        )
        for name, kind, values in lines
    ]
    return board(*rank(rows, columns[0]), columns=columns, rank_by=keys[0], release=release)


SYSTEM, HUMAN = RowKind.SYSTEM, RowKind.HUMAN
ROUNDS = ("rounds", "round1", "round2")


@pytest.fixture
def released(system: System, phase: Phase) -> System:
    upload(system, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)
    return system


def page(path: str) -> str:
    return bytes(Page.objects.get(pk=path).body).decode()


@pytest.mark.django_db
def test_the_spread_of_each_task_stands_in_the_analysis_and_at_stable_addresses(released: System) -> None:
    for base in ("/benchmarks/toy", "/benchmarks/toy/releases/1"):
        shown = page(f"{base}/analysis/")
        assert page(f"{base}-spread.svg") in shown
        assert "Larch is first" in shown
        assert f'href="{base}-spread.svg"' in shown
        assert f'href="{base}-spread.csv"' in shown
        lines = list(csv.DictReader(io.StringIO(page(f"{base}-spread.csv"))))
        assert {line["Best system"] for line in lines} == {"Larch"}
    types = Page.objects.filter(pk__startswith="/benchmarks/toy-spread").values_list(
        "content_type", flat=True
    )
    assert sorted(types) == ["image/svg+xml; charset=utf-8", "text/csv; charset=utf-8"]


@pytest.mark.django_db
def test_charts_need_no_style_and_no_script_in_the_page(released: System) -> None:
    figures = re.findall(r"<figure.*?</figure>", page("/benchmarks/toy/analysis/"), re.DOTALL)
    assert figures
    assert not any(re.search(r"style=|<script|\bon\w+=", figure) for figure in figures)


@pytest.mark.django_db
def test_a_chart_calls_an_anonymous_system_by_its_number(
    system: System, phase: Phase, toy: Benchmark
) -> None:
    Benchmark.objects.filter(pk=toy.pk).update(is_anonymous=True)
    upload(system, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)
    for ending in ("svg", "csv"):
        drawn = page(f"/benchmarks/toy-spread.{ending}")
        assert "System 1" in drawn
        assert "Larch" not in drawn


def test_tasks_are_the_columns_of_the_test_split_without_the_mean_of_them() -> None:
    spec = defined("dynasent")
    shown = made(
        ("rounds", "round1", "round2", "round1@dev", "sst3"), ("A", SYSTEM, (0.5, 0.5, 0.5, 0.5, 0.5))
    )
    assert [one.key for one in task_columns(shown, spec)] == ["round1", "round2", "sst3"]


def test_a_mean_stands_for_tasks_that_have_no_columns() -> None:
    shown = made(("EI-reg-en", "V-reg-en"), ("A", SYSTEM, (0.5, 0.5)))
    assert [one.key for one in task_columns(shown, defined("ait2018"))] == ["EI-reg-en", "V-reg-en"]


def test_on_a_board_without_an_average_each_column_has_its_own_best() -> None:
    """Teal has not answered the task that ranks the board, and is the best in another."""
    shown = made(
        ("EI-reg-en", "V-reg-en", "E-c-en"),
        ("Siskin", SYSTEM, (0.7, 0.793, 0.5)),
        ("Wren", SYSTEM, (0.6, 0.7, 0.4)),
        ("Teal", SYSTEM, (None, 0.795, None)),
    )
    spread, heat = overall_charts(shown, defined("ait2018"))
    assert (spread.title, heat.title) == (
        "Siskin is first in 2 of 3 tasks",
        "Siskin is first in 2 of 3 tasks",
    )
    assert [line[1] for line in heat.rows] == ["Siskin", "Wren", "Teal"]
    best = {line.system: [cell.css for cell in line.cells] for line in rows_of(table(shown, view=COLUMNS))}
    assert best["Teal"][1] == "best"
    assert best["Siskin"] == ["best", "second", "best"]


def test_rounds_are_drawn_beside_the_human_estimate_and_guessing() -> None:
    shown = made(ROUNDS, ("A", SYSTEM, (0.7, 0.9, 0.5)), ("Human estimate", HUMAN, (None, 0.88, 0.9)))
    chart = rounds_chart(shown, defined("dynasent"))
    assert chart is not None
    assert chart.title == "The human estimate is reached in Round1, by A, and not in Round2"
    assert {line[0] for line in chart.rows} == {"A", "Human estimate", "Guessing"}
    assert ("Guessing", "1", 1 / 3) in chart.rows


def test_a_release_from_before_a_round_is_drawn_without_it() -> None:
    shown = made(ROUNDS[:2], ("A", SYSTEM, (0.7, 0.9)))
    assert rounds_chart(shown, defined("dynasent")) is None


def test_a_benchmark_without_rounds_has_no_chart_of_them() -> None:
    assert rounds_chart(made(("arc",), ("A", SYSTEM, (0.7,))), defined("stance")) is None


def test_before_the_first_release_and_below_other_boards_there_are_no_pictures() -> None:
    spec, lines = defined("dynasent"), ("A", SYSTEM, (0.7, 0.9, 0.5))
    assert OverallBoard().pictures("overall", made(ROUNDS, lines), spec)
    assert OverallBoard().pictures("overall", made(ROUNDS, lines, release=0), spec) == ()
    assert OverallBoard().pictures("round-1", made(ROUNDS, lines), spec) == ()


def test_a_board_of_breakers_against_builders_begins_with_its_figure() -> None:
    shown = made(("all", "delta", "echo"), ("A", SYSTEM, (0.2, 0.1, 0.3)))
    spec = defined("bibi")
    assert [one.key for one in PairBoards().charts("matrix-sentiment", shown, spec)] == ["broken"]
    assert PairBoards().charts("builders-sentiment", shown, spec) == ()
    assert PairBoards().charts("matrix-sentiment", board(row("A")), spec) == ()
