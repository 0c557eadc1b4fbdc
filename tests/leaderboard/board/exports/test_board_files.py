import csv
import io
import json
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.spec import RowKind
from leaderboard.board.exports.board_csv import to_csv
from leaderboard.board.exports.board_json import to_json
from leaderboard.board.model.board import Board, Cell
from leaderboard.board.model.ranking import rank
from leaderboard.board.model.serialization import from_dict, to_dict
from tests.leaderboard.board.boards import ACCURACY, TASK, board, cell, row


def small_board(**more: Any) -> Board:
    rows = rank(
        [
            row("Larch", 2 / 3, 0.1, system_id="s1", tags=("few-shot",)),
            row("Tern", None, 0.2, system_id="s2"),
            row("GPT-3", 0.627, 0.299, kind=RowKind.REPORTED, source="Table 2"),
        ],
        ACCURACY,
    )
    return board(*rows, columns=(ACCURACY, TASK), **more)


def lines(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode(), newline="")))


def test_from_dict_reads_back_what_to_dict_wrote() -> None:
    original = small_board(note="First release.", synthetic=True, task="banking_77")
    assert from_dict(to_dict(original)) == original


def test_from_dict_reads_back_json_with_intervals_and_submissions() -> None:
    measured = row("Larch", 0.775, rank=1, rank_low=1, rank_high=2)._replace(
        cells={"overall": Cell(0.775, None, ci_low=0.764, ci_high=0.786, submission="sub-1")},
    )
    original = board(measured)
    assert from_dict(json.loads(to_json(original))) == original


def test_from_dict_reads_back_seeds_deviations_and_second_measures() -> None:
    column = replace(ACCURACY, group="Monolingual", beside_title="accuracy")
    measured = cell(0.5, beside=0.6, deviation=0.0, seeds=3, seeds_wanted=5)
    original = board(row("Larch")._replace(cells={"overall": measured}), columns=(column,))
    assert from_dict(json.loads(to_json(original))) == original


def test_json_has_the_published_shape() -> None:
    data = json.loads(to_json(small_board()))
    assert {"benchmark", "release", "published_at", "columns", "rows"} <= data.keys()
    assert data["published_at"] == "2026-11-16T00:00:00Z"
    assert data["columns"][1] == {
        "key": "banking_77",
        "title": "Banking 77",
        "code": "B77",
        "metric": "f1_macro",
        "metric_title": "F1 (macro)",
        "higher_is_better": True,
    }
    assert data["rows"][0] == {
        "system": "Larch",
        "system_id": "s1",
        "team": "Team Larch",
        "kind": "system",
        "rank": 1,
        "rank_low": None,
        "rank_high": None,
        "tags": ["few-shot"],
        "source": "",
        "cells": {
            key: {"value": value, "undefined": None, "ci_low": None, "ci_high": None, "submission": None}
            for key, value in (("overall", 2 / 3), ("banking_77", 0.1))
        },
    }


def test_json_says_why_a_value_is_null() -> None:
    tern = json.loads(to_json(small_board()))["rows"][2]
    assert tern["rank"] is None
    assert tern["cells"]["overall"]["value"] is None
    assert tern["cells"]["overall"]["undefined"] == "not_submitted"


def test_json_fills_in_a_cell_that_a_row_lacks() -> None:
    data = json.loads(to_json(board(row("GPT-3", kind=RowKind.REPORTED))))
    assert data["rows"][0]["cells"]["overall"]["undefined"] == "not_reported"


def test_json_keeps_numbers_at_full_precision() -> None:
    assert b'"value":0.6666666666666666,' in to_json(small_board())


def test_json_says_whether_the_data_are_synthetic() -> None:
    assert json.loads(to_json(small_board(synthetic=True)))["synthetic"] is True


def test_csv_has_a_line_per_row_in_the_order_of_the_board() -> None:
    assert lines(to_csv(small_board())) == [
        ["rank", "system", "team", "kind", "overall", "banking_77"],
        ["1", "Larch", "Team Larch", "system", "0.6666666666666666", "0.1"],
        ["", "GPT-3", "Team GPT-3", "reported", "0.627", "0.299"],
        ["", "Tern", "Team Tern", "system", "", "0.2"],
    ]


def test_csv_adds_what_the_cells_of_a_column_have_besides_their_value() -> None:
    measured = cell(0.5, beside=0.6, deviation=0.01, seeds=3, seeds_wanted=5)
    made = board(
        row("A", None, 0.25)._replace(cells={"overall": measured}), row("B", 0.4), columns=(ACCURACY, TASK)
    )
    header, first, second = lines(to_csv(made))
    assert header[4:] == ["overall", "overall:deviation", "overall:beside", "overall:seeds", "banking_77"]
    assert first[4:] == ["0.5", "0.01", "0.6", "3", ""]
    assert second[4:] == ["0.4", "", "", "", ""]


def test_csv_of_synthetic_data_says_so_on_every_line() -> None:
    header, *body = lines(to_csv(small_board(synthetic=True)))
    assert header[-1] == "note"
    assert {line[-1] for line in body} == {"synthetic demo data"}


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_csv_defuses_text_that_a_spreadsheet_would_run(start: str) -> None:
    evil = row(f"{start}1+1", 0.5, team=f"{start}cmd")
    assert lines(to_csv(board(evil)))[1][1:3] == [f"'{start}1+1", f"'{start}cmd"]


def test_csv_leaves_negative_numbers_alone() -> None:
    assert lines(to_csv(board(row("A", -0.25))))[1][-1] == "-0.25"


def test_csv_quotes_commas_quotes_and_line_breaks() -> None:
    assert lines(to_csv(board(row('A, "the\nfirst"', 0.5))))[1][1] == 'A, "the\nfirst"'


def test_csv_is_utf_8() -> None:
    assert "Müller 日本".encode() in to_csv(board(row("A", 0.5, team="Müller 日本")))
