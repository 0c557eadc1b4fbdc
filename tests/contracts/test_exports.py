"""What holds for every format in which boards, releases, items and systems are taken away."""

import csv
import datetime as dt
import io
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.models import Phase
from catalogue.csv_text import FORMULA_STARTS
from leaderboard.board.exports import EXPORTS, ITEM_EXPORTS, RELEASE_EXPORTS
from leaderboard.board.exports.atom_feed import FEED, Feed, Notice
from leaderboard.board.exports.badge import BADGE
from leaderboard.board.exports.export import CSV_TYPE, BoardExport, CitedRelease, Export, SystemPlace
from leaderboard.board.exports.model_index import MODEL_INDEX, ModelCard
from leaderboard.board.model.board import Board
from leaderboard.board.model.ranking import rank
from leaderboard.board.tables.item_table import (
    Answerer,
    ItemTable,
    PublishedItem,
    PublishedPair,
    PublishedSet,
)
from leaderboard.models import Page
from submissions.models import System
from tests.leaderboard.board.boards import ACCURACY, TASK, board, row
from tests.weeks import CUT_OFF, run_batch, upload

FORMULA, TAG = "=1+1", "<b>bold</b>"
DATA = {"application/json", "application/yaml; charset=utf-8", CSV_TYPE}
"""Formats whose readers take no text for markup."""


def hostile_board() -> Board:
    rows = [row(FORMULA, 0.75, None, team=TAG), row(TAG, 0.5, 0.25, team=FORMULA), row("@cmd", None)]
    ranked = rank(rows, ACCURACY)
    columns = (ACCURACY, replace(TASK, name=TAG, title=TAG, group=FORMULA))
    return board(*ranked, columns=columns, title=TAG, benchmark_title=FORMULA + TAG)


def hostile_items() -> ItemTable:
    def item(name: str) -> PublishedItem:
        return PublishedItem(name, FORMULA, TAG, (FORMULA, None), (True, None))

    pair = PublishedPair(FORMULA, item("a"), item("b"), ((FORMULA, TAG),), rationale="@cmd", category=FORMULA)
    systems = (Answerer(FORMULA, TAG, is_counted=True), Answerer(TAG, "", is_counted=False))
    sets = (PublishedSet("set-1", FORMULA, 1, (pair,)),)
    return ItemTable("toy", "mood", TAG, 1, synthetic=True, systems=systems, sets=sets)


def members() -> Iterable[tuple[str, Export[Any], Any]]:
    made = hostile_board()
    url = "https://heldout.example/benchmarks/toy/releases/1/"
    place = SystemPlace(made, made.rows[0], url)
    day = dt.datetime(2026, 11, 3, tzinfo=dt.UTC)
    feed = Feed(made, (made,), "https://heldout.example", (Notice(1, TAG, FORMULA, day, day),))
    yield from (("board", export, made) for export in EXPORTS)
    yield from (("release", export, CitedRelease(made, url)) for export in RELEASE_EXPORTS)
    yield from (("items", export, hostile_items()) for export in ITEM_EXPORTS)
    yield from (("benchmark", FEED, feed), ("system", BADGE, place))
    yield "system", MODEL_INDEX, ModelCard(FORMULA + TAG, (place,))


each = pytest.mark.parametrize(
    ("export", "subject"),
    [pytest.param(export, subject, id=f"{kind}-{export.key}") for kind, export, subject in members()],
)


@each
def test_the_same_subject_gives_the_same_bytes(export: Export[Any], subject: Any) -> None:
    assert export.write(subject) == export.write(subject) != b""


@each
def test_what_is_undefined_is_never_written_as_nan(export: Export[Any], subject: Any) -> None:
    assert "nan" not in export.write(subject).decode().casefold()


@each
def test_it_states_how_it_is_served_and_linked(export: Export[Any], subject: Any) -> None:
    assert export.ending.isalnum()
    assert "/" in export.media_type
    assert export.link.strip() == export.link != ""


@each
def test_no_name_is_run_as_a_formula_or_as_html(export: Export[Any], subject: Any) -> None:
    written = export.write(subject).decode()
    if export.media_type not in DATA:
        printed = [line for line in written.splitlines() if not line.startswith("%")]  # comments of LaTeX
        assert TAG not in "\n".join(printed)
    if export.media_type == CSV_TYPE:
        cells = [cell for line in csv.reader(io.StringIO(written)) for cell in line]
        assert any(FORMULA in cell for cell in cells)
        assert not [cell for cell in cells if cell.startswith(FORMULA_STARTS)]


@pytest.mark.parametrize("registry", [EXPORTS, RELEASE_EXPORTS, ITEM_EXPORTS], ids=lambda one: one.what)
def test_no_two_exports_of_one_thing_have_the_same_file(registry: Any) -> None:
    endings = [export.ending for export in registry]
    assert len(set(endings)) == len(endings)


@pytest.mark.django_db
def test_a_new_export_is_a_link_and_a_file_of_every_board(system: System, phase: Phase) -> None:
    made_up = BoardExport("names", "names", "text/plain; charset=utf-8", "Names", _names)
    upload(system, phase)
    with EXPORTS.extended(made_up):
        run_batch(CUT_OFF)

    for path in ("/benchmarks/toy", "/benchmarks/toy/tasks/mood", "/benchmarks/toy/releases/1"):
        link = f'<a href="{path}.names">Names</a>'
        assert link in bytes(Page.objects.get(pk=f"{path}/").body).decode()
        page = Page.objects.get(pk=f"{path}.names")
        assert (page.content_type, bytes(page.body)) == (made_up.media_type, b"Larch")


def _names(made: Board) -> bytes:
    return "\n".join(row.system for row in made.systems).encode()
