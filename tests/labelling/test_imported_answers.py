"""Answers that were given elsewhere come into a campaign as if they had been given here."""

import pytest

from catalogue.problems import ProblemCode
from labelling.core.answer_files import read_answers
from labelling.core.questions.question import CampaignQuestion, Option
from labelling.exceptions import CannotChangeCampaign
from labelling.models import Assignment
from labelling.work.campaigns import close_campaign
from labelling.work.exclusions import exclude
from labelling.work.imports import import_answers
from scoring.file_refusal import FileRefused
from tests.crowds import MOOD, NOW, answers_of, broken_counts, opened

ITEMS = {"u1": ["u1"], "u2": ["u2"], "t1": ["a", "b", "c", "d"]}
OPTIONS = (Option("joy", "Joy"), Option("fear", "Fear"), Option("no", "None", alone=True))
EMOTIONS = CampaignQuestion("several_labels", "Which?", OPTIONS)


def read(text, question=MOOD):
    return read_answers(text.encode(), file_name="answers.csv", question=question, items_of=ITEMS)


def test_answers_of_every_kind_are_read():
    assert [each.value for each in read("unit,worker,label\nu1,ann,good\nu1,bea,bad\n").content] == [
        "good",
        "bad",
    ]
    several = read("unit,worker,labels,note\nu1,ann,fear|joy,both\n", EMOTIONS).content
    assert [(each.value, each.note) for each in several] == [(("joy", "fear"), "both")]
    tuples = read("unit,worker,best,worst\nt1,ann,c,a\n", CampaignQuestion("best_worst", "Most?")).content
    assert [each.value for each in tuples] == [("c", "a")]
    assert [
        each.value
        for each in read("unit,worker,number\nu1,ann,0.25\n", CampaignQuestion("number", "How?")).content
    ] == [0.25]


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("unit,worker,label\nu9,ann,good\n", ProblemCode.UNKNOWN_UNIT, 2, "unit"),
        ("unit,worker,label\nu1,ann,fine\n", ProblemCode.UNFIT_ANSWER, 2, "label"),
        ("unit,worker,label\nu1,,good\n", ProblemCode.VOTER_NAME, 2, "worker"),
        ("unit,worker,label\nu1,ann,good\nu1,ann,bad\n", ProblemCode.WORKER_TWICE, 3, "worker"),
        ("unit,worker\nu1,ann\n", ProblemCode.HEADER_NAMES, 1, None),
    ],
)
def test_a_fault_is_told_with_its_line_and_column(text, code, line, column):
    found = read(text)
    assert found.content is None
    (problem,) = found.problems
    assert (problem.code, problem.line, problem.column) == (code, line, column)


def test_best_and_worst_alike_are_refused():
    (problem,) = read(
        "unit,worker,best,worst\nt1,ann,c,c\n", CampaignQuestion("best_worst", "Most?")
    ).problems
    assert "cannot be both" in problem.message


FILE = "unit,worker,label\n" + "".join(
    f"u{unit},{said}\n" for unit in (1, 2) for said in ("ann,good", "bea,bad", "cy,good", "di,good")
)


def test_imported_answers_count_as_far_as_they_are_wanted(toy):
    campaign = opened(toy, 2)
    taken = import_answers(campaign=campaign, data=FILE.encode(), file_name="answers.csv", now=NOW)
    assert (taken.answers, taken.counted, taken.workers) == (8, 6, 4)
    assert {unit.taken for unit in campaign.units.all()} == {3}
    assert not broken_counts(campaign)
    assert Assignment.objects.filter(holds_place=False).count() == 2


def test_importing_again_adds_only_what_is_new(toy):
    campaign = opened(toy, 2, answers_wanted=9)
    first, rest = FILE.splitlines()[:5], FILE
    import_answers(campaign=campaign, data="\n".join([*first, ""]).encode(), file_name="a.csv", now=NOW)
    taken = import_answers(campaign=campaign, data=rest.encode(), file_name="a.csv", now=NOW)
    assert taken.answers == 4
    assert len(answers_of(campaign)) == 8
    assert campaign.workers.count() == 4
    assert not broken_counts(campaign)


def test_further_answers_of_an_excluded_worker_are_kept_and_do_not_count(toy):
    campaign = opened(toy, 2, answers_wanted=9)
    first, rest = FILE.splitlines()[:5], FILE
    import_answers(campaign=campaign, data="\n".join([*first, ""]).encode(), file_name="a.csv", now=NOW)
    ann = campaign.workers.get(outside_id__value="ann")
    exclude(worker=ann, rule="organiser", reason="Guesses.", now=NOW)
    taken = import_answers(campaign=campaign, data=rest.encode(), file_name="a.csv", now=NOW)
    assert (taken.answers, taken.counted) == (4, 3)
    assert ann.assignments.count() == 2
    assert not ann.assignments.counted().exists()
    assert not broken_counts(campaign)


def test_a_file_with_a_fault_changes_nothing(toy):
    campaign = opened(toy, 2)
    with pytest.raises(FileRefused, match="line 10"):
        import_answers(
            campaign=campaign, data=f"{FILE}u7,ann,good\n".encode(), file_name="answers.csv", now=NOW
        )
    assert not answers_of(campaign)


def test_sealed_answers_are_imported_sealed(toy):
    campaign = opened(toy, 2, is_sealed=True)
    import_answers(campaign=campaign, data=FILE.encode(), file_name="answers.csv", now=NOW)
    assert all(each.value is None and each.box for each in answers_of(campaign))


def test_nothing_is_imported_into_a_closed_campaign(toy):
    campaign = opened(toy, 2)
    close_campaign(campaign=campaign, now=NOW)
    with pytest.raises(CannotChangeCampaign):
        import_answers(campaign=campaign, data=FILE.encode(), file_name="answers.csv", now=NOW)
