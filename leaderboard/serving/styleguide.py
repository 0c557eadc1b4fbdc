"""The living style page: every part that pages are made of, from the very partials that make them."""

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from django import forms
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.page_content import PageContent
from benchmarks.spec import RowKind
from leaderboard.board.model.board import Board, BoardRow, Cell, Column
from leaderboard.board.tables.board_table import TableView, table
from submissions.intake import Problem, ProblemCode

# Custom properties as the stylesheet sets them: `--ink: light-dark(#1b1e22, #e9e7e2);`
TOKEN = re.compile(r"^ {2}--(?P<name>[\w-]+): (?P<value>[^;]+);$", re.MULTILINE)
STATES = (
    ("accepted", "accepted"),
    ("pending", "waits for the cut-off"),
    ("scored", "scored"),
    ("published", "published"),
    ("refused", "refused"),
    ("withdrawn", "withdrawn"),
)
PUBLISHED = dt.datetime(2026, 11, 16, tzinfo=dt.UTC)


@dataclass(frozen=True, kw_only=True)
class StyleGuidePage(PageContent):
    """A sample of every part; `tokens` are names and values of custom properties, `states` statuses and their words."""

    template = "styleguide.html"
    tokens: Sequence[tuple[str, str]]
    states: Sequence[tuple[str, str]]
    empty_form: forms.Form
    wrong_form: forms.Form
    problems: Sequence[Problem]
    board: Board
    table: TableView
    cut_off: dt.datetime


@never_cache
@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    """For everybody in the demo, for staff elsewhere."""
    if not settings.SYNTHETIC_DEMO:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not request.user.is_staff:
            raise Http404
    page = StyleGuidePage(
        tokens=tokens(),
        states=STATES,
        empty_form=_SampleForm(),
        wrong_form=_SampleForm({"name": "", "track": "main", "agreed": ""}),
        problems=PROBLEMS,
        board=BOARD,
        table=table(BOARD),
        cut_off=PUBLISHED,
    )
    return page.answer(request)


@lru_cache(maxsize=1)
def tokens() -> list[tuple[str, str]]:
    """Names and values of the custom properties, in the order of the stylesheet."""
    sheet = (settings.BASE_DIR / "static" / "heldout.css").read_text("utf-8")
    head = sheet[: sheet.index("\n}\n")]
    return [(match["name"], match["value"]) for match in TOKEN.finditer(head)]


class _SampleForm(forms.Form):
    name = forms.CharField(label="Name", help_text="As it stands on the board.")
    track = forms.ChoiceField(choices=[("main", "Main"), ("open", "Open")])
    about = forms.CharField(label="Description", widget=forms.Textarea, required=False)
    file = forms.FileField(label="File", required=False, help_text="A zip with one file per task.")
    agreed = forms.BooleanField(label="The system is finished")


def _problem(line: int | None, column: str | None, message: str, *lines: tuple[int, str]) -> Problem:
    code = ProblemCode.UNKNOWN_LABEL if line else ProblemCode.EMPTY_FILE
    return Problem(
        code, message, file="data/mood/predictions.csv", line=line, column=column, task="Mood", excerpt=lines
    )


PROBLEMS = (
    _problem(
        17,
        "Label",
        "“godo” is no label of this task. It takes: bad, good.",
        (16, "m15,bad"),
        (17, "m16,godo"),
        (18, "m17,good"),
    ),
    _problem(None, "ID", "The item m20 has no row. Add one for every item of the test set."),
)


def _row(
    system: str, *values: float | None, kind: RowKind = RowKind.SYSTEM, rank: int | None = None
) -> BoardRow:
    cells = {
        column.key: Cell(value, None if value is not None else "not_submitted")
        for column, value in zip(COLUMNS, values, strict=True)
    }
    return BoardRow(
        system=system, system_id=None, team="North" if rank else "", kind=kind, cells=cells, rank=rank
    )


COLUMNS = (
    Column("overall", "Overall", "Overall score", "f1_macro", "F1 (macro)", True),
    Column("mood", "MOO", "Mood", "f1_macro", "F1 (macro)", True),
    Column("colour", "COL", "Colour", "f1_macro", "F1 (macro)", True),
)
BOARD = Board(
    benchmark="sample",
    benchmark_title="Sample",
    title="Sample",
    phase="main",
    release=3,
    published_at=PUBLISHED,
    task=None,
    rank_by="overall",
    synthetic=True,
    note="",
    rows=(
        _row("Larch", 0.812, 0.790, 0.834, rank=1),
        _row("Human", 0.790, 0.800, 0.780, kind=RowKind.HUMAN),
        _row("Siskin", 0.744, 0.721, 0.767, rank=2),
        _row("Majority", 0.333, 0.333, None, kind=RowKind.BASELINE),
    ),
    columns=COLUMNS,
)
