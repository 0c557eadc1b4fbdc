"""How often systems name an option, the figures of it, and what a system's page tells."""

import re
from typing import Any

import pytest
from django.template.loader import render_to_string

from benchmarks.spec import OVERALL
from leaderboard.models import Release
from leaderboard.publication.services import refresh_stale
from leaderboard.reports.fact_sheets import FactSheetCounts, FactSheetFigures, figures, usage
from leaderboard.reports.report import BoardPlace
from submissions.fact_sheets.services import save_fact_sheet
from submissions.models import System
from tests.conftest import NOW, TOY_DEFINITION
from tests.leaderboard.board.boards import board
from tests.published import published
from tests.weeks import CUT_OFF, run_batch, upload

pytestmark = pytest.mark.django_db
REPORT: FactSheetCounts = {
    "systems": 4,
    "answered": 3,
    "lists": [
        {
            "id": "algorithms",
            "title": "Algorithms",
            "options": [
                {"title": "LSTM", "count": 2},
                {"title": "Bi-LSTM", "count": 1},
                {"title": "SVM/SVR", "count": 1},
            ],
        },
        {
            "id": "lexicons",
            "title": "Lexicons",
            "options": [{"title": "NRC Hashtag", "count": 1}, {"title": "AFINN", "count": 0}],
        },
    ],
}


@pytest.fixture
def said(toy, fact_lists, owner):
    def _said(system: System, *algorithms: str, lexicons: tuple[str, ...] = ()) -> None:
        answers = {"algorithms": algorithms, "lexicons": lexicons}
        save_fact_sheet(system=system, benchmark=toy, answers=answers, user=owner, now=NOW)

    return _said


@pytest.fixture
def four(team, said) -> list[System]:
    """Three systems with a fact sheet and one without."""
    systems = [System.objects.create(team=team, name=name, created_at=NOW) for name in "ABCD"]
    said(systems[0], "LSTM", "SVM/SVR")
    said(systems[1], "LSTM", "Bi-LSTM", lexicons=("NRC Hashtag",))
    said(systems[2])
    return systems


def page(path: str) -> str:
    return published()[path].decode()


def drawn(report: Any) -> str:
    return render_to_string("public/reports/fact_sheets.html", {"view": figures(report, is_synthetic=False)})


def test_options_stand_by_count_then_by_name(four, toy):
    assert usage([system.pk for system in four], toy) == REPORT


def test_each_group_of_columns_has_counts_of_its_own(four, toy):
    """As Figures 2 to 4 of Affect in Tweets, which count by subtask."""
    counted = usage(
        [system.pk for system in four], toy, {"Feelings": [four[0].pk, four[3].pk], "Looks": [four[1].pk]}
    )
    assert counted is not None
    assert counted["groups"] == [{"title": "Feelings", "answered": 1}, {"title": "Looks", "answered": 1}]
    algorithms = {one["title"]: (one["count"], one["by_group"]) for one in counted["lists"][0]["options"]}
    assert algorithms == {"LSTM": (2, [1, 1]), "Bi-LSTM": (1, [0, 1]), "SVM/SVR": (1, [1, 0])}
    page = " ".join(drawn(counted).split())
    assert '<th scope="row">Bi-LSTM</th><td class="number">0</td><td class="number">1</td>' in page
    assert "Looks <small>of 1</small>" in page
    assert "AFINN" not in page.partition("by 2 groups of columns")[2]


def test_a_release_counts_by_the_heads_of_the_overall_boards_columns(system, phase, toy, said, sync):
    heads = (
        "boards:\n"
        "  - {id: overall, groups: [{title: Feelings, columns: {mood: M}}, {title: Looks, columns: {colour: C}}]}\n"
    )
    sync(TOY_DEFINITION.replace("reported:\n", f"{heads}reported:\n", 1))
    said(system, "LSTM")
    upload(system, phase)
    run_batch(CUT_OFF)
    assert Release.objects.get().reports["fact_sheets"]["groups"] == [
        {"title": "Feelings", "answered": 1},
        {"title": "Looks", "answered": 1},
    ]


def test_systems_outside_of_the_release_are_not_counted(four, toy):
    counted = usage([four[1].pk], toy)
    assert counted is not None
    assert (counted["systems"], counted["answered"]) == (1, 1)
    assert {option["title"]: option["count"] for option in counted["lists"][0]["options"]} == {
        "LSTM": 1,
        "Bi-LSTM": 1,
        "SVM/SVR": 0,
    }


def test_benchmark_that_asks_for_none_has_no_report(system, toy):
    assert usage([system.pk], toy) is None


def test_the_longest_bar_is_the_share_of_the_systems_that_answered():
    algorithms = figures(REPORT, is_synthetic=False)["charts"][0]
    assert algorithms.title == "LSTM is named most, by 2 of 3 systems"
    assert algorithms.rows == (("LSTM", 2), ("Bi-LSTM", 1), ("SVM/SVR", 1))
    lengths = [float(one) for one in re.findall(r"h([\d.]+)v11h", algorithms.inline)]
    start, end = (float(one) for one in re.findall(r"M([\d.]+) [\d.]+V", algorithms.inline))
    assert [length / (end - start) for length in lengths] == pytest.approx([2 / 3, 1 / 3, 1 / 3], abs=0.001)


def test_nothing_is_drawn_where_nobody_answered(toy):
    place = BoardPlace(OVERALL, board(), toy.spec, "/benchmarks/toy", is_archived=False)
    report: FactSheetCounts = {"systems": 3, "answered": 0, "lists": []}
    assert not list(FactSheetFigures().parts(report, place))
    assert not list(FactSheetFigures().files(report, place))


def test_figure_says_its_numbers_in_words():
    html = drawn(REPORT)
    assert "3 of 4 systems have one" in html
    assert "<tr><td>LSTM</td><td>2</td></tr>" in html
    assert "Named by no system: AFINN." in html


def test_option_is_text_and_never_markup():
    option = {"title": "<b>GRU</b>", "count": 1}
    report = {"systems": 1, "answered": 1, "lists": [{"id": "a", "title": "A", "options": [option]}]}
    assert "<b>GRU" not in drawn(report)
    assert "&lt;b&gt;GRU" in drawn(report)


def test_page_of_a_system_shows_its_sheet_with_the_first_release(system, phase, said):
    said(system, "LSTM", "SVM/SVR")
    upload(system, phase)
    run_batch(CUT_OFF)
    shown = page(f"/systems/{system.pk}/")
    assert "<dt>Algorithms</dt><dd>SVM/SVR, LSTM</dd>" in shown
    assert "<dt>Lexicons</dt><dd>none of these</dd>" in shown


def test_release_freezes_the_counts_and_draws_them(system, phase, said):
    said(system, "LSTM")
    upload(system, phase)
    run_batch(CUT_OFF)
    said(system, "Bi-LSTM")
    refresh_stale()
    for path in ("/benchmarks/toy/", "/benchmarks/toy/releases/1/"):
        assert "<tr><td>LSTM</td><td>1</td></tr>" in page(f"{path}analysis/")
        assert "LSTM,1" in page(f"{path[:-1]}-used-algorithms.csv")
        assert page(f"{path[:-1]}-used-algorithms.svg") in page(f"{path}analysis/")
        assert "no system names any of these: AFINN, NRC Hashtag." in page(f"{path}analysis/")


def test_page_of_a_system_follows_its_sheet(system, phase, said):
    upload(system, phase)
    run_batch(CUT_OFF)
    assert "Fact sheet" not in page(f"/systems/{system.pk}/")
    said(system, "Bi-LSTM")
    refresh_stale()
    assert "<dt>Algorithms</dt><dd>Bi-LSTM</dd>" in page(f"/systems/{system.pk}/")


def test_advisors_stand_with_the_sheet_and_are_counted_nowhere(system, phase, toy, fact_lists, owner):
    answers = {"algorithms": ["LSTM"], "lexicons": [], "advisors": ["Ada <b>Lovelace</b>", "Alan Turing"]}
    save_fact_sheet(system=system, benchmark=toy, answers=answers, user=owner, now=NOW)
    upload(system, phase)
    run_batch(CUT_OFF)

    assert "<dt>Advisors</dt><dd>Ada &lt;b&gt;Lovelace&lt;/b&gt;, Alan Turing</dd>" in page(
        f"/systems/{system.pk}/"
    )
    assert "Lovelace" not in page("/benchmarks/toy/analysis/")
