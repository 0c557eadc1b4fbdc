"""What systems say of themselves, and what organisers may change about the lists."""

import json
from typing import Any

import pytest

from benchmarks.models import Benchmark, FactList
from submissions.exceptions import NotYourTeam, UploadRefused
from submissions.fact_sheets.services import OptionInUse, save_fact_list, save_fact_sheet, upload_fact_sheet
from submissions.models import FactSheet
from tests.conftest import NOW
from tests.pages import all_rendered

pytestmark = pytest.mark.django_db


@pytest.fixture
def said(system, toy, fact_lists, owner) -> FactSheet:
    answers = {"algorithms": ["LSTM"], "lexicons": []}
    return save_fact_sheet(system=system, benchmark=toy, answers=answers, user=owner, now=NOW)


def upload(system: Any, toy: Any, user: Any, **lists: list[str]) -> FactSheet:
    return upload_fact_sheet(
        system=system,
        benchmark=toy,
        data=json.dumps(lists).encode(),
        file_name="sheet.json",
        user=user,
        now=NOW,
    )


def test_sheet_is_replaced_as_a_whole(said, system, toy, teammate):
    upload(system, toy, teammate, algorithms=[], lexicons=["NRC Hashtag", "AFINN"])
    (sheet,) = FactSheet.objects.all()
    assert sheet.answers == {"algorithms": [], "lexicons": ["AFINN", "NRC Hashtag"]}
    assert sheet.changed_by == teammate


def test_malformed_sheet_changes_nothing(said, system, toy, owner):
    with pytest.raises(UploadRefused) as refused:
        upload(system, toy, owner, algorithms=["GRU"], lexicons=[])
    assert [problem.code for problem in refused.value.result.problems] == ["unknown_fact"]
    assert FactSheet.objects.get().answers == said.answers


def test_stranger_cannot_speak_for_a_system(system, toy, fact_lists, outsider):
    with pytest.raises(NotYourTeam):
        upload(system, toy, outsider, algorithms=[], lexicons=[])
    assert not FactSheet.objects.exists()


def test_saving_has_the_published_pages_rendered_anew(system, toy, fact_lists, owner):
    all_rendered()
    upload(system, toy, owner, algorithms=[], lexicons=[])
    assert Benchmark.objects.stale().exists()


def test_option_taken_out_meanwhile_is_left_out(system, toy, fact_lists, owner):
    FactList.objects.filter(slug="algorithms").update(options=["SVM/SVR"])
    answers = {"algorithms": ["SVM/SVR", "LSTM"], "lexicons": []}
    sheet = save_fact_sheet(system=system, benchmark=toy, answers=answers, user=owner, now=NOW)
    assert sheet.answers["algorithms"] == ["SVM/SVR"]


def test_option_that_a_sheet_names_stays_in_its_list(said, fact_lists):
    with pytest.raises(OptionInUse, match="'LSTM' cannot be taken out or renamed: 1 fact sheet names it"):
        save_fact_list(fact_list=fact_lists[0], title="Algorithms", options=["SVM/SVR", "LSTM cells"])
    assert FactList.objects.get(slug="algorithms").options == ["SVM/SVR", "LSTM", "Bi-LSTM"]


def test_option_that_nobody_names_can_go(said, fact_lists):
    save_fact_list(fact_list=fact_lists[0], title="Learners", options=["LSTM", "GRU"])
    changed = FactList.objects.get(slug="algorithms")
    assert (changed.title, changed.options) == ("Learners", ["LSTM", "GRU"])


def test_new_list_stands_last(toy, fact_lists):
    new = FactList(benchmark=toy, slug="features")
    save_fact_list(fact_list=new, title="Features", options=["Word n-grams"])
    assert list(toy.fact_lists.values_list("slug", flat=True)) == ["algorithms", "lexicons", "features"]
