"""How the answers of an upload are spread, beside the team's last ones."""

import datetime as dt
import html

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from catalogue.answers import LABEL_WITH_CONFIDENCE, Label, LabelSubset, Number, OrderedClass, Span
from submissions.services import PredictionUpload, submit_predictions
from submissions.uploads.answer_distributions import spreads_of
from tests.conftest import NOW
from tests.pages import text_of
from tests.submissions.intake import kinds
from tests.uploads import toy_zip

LATER = NOW + dt.timedelta(hours=1)
ALL_BAD = toy_zip(mood="bad bad bad bad bad bad")


def test_classes_are_counted_with_those_that_nobody_gave():
    assert OrderedClass(-1, 1).distribution(np.array([1, 1, -1], dtype="i2")) == [
        ("-1", 1),
        ("0", 0),
        ("1", 2),
    ]


def test_a_subset_counts_for_each_of_its_labels():
    assert LabelSubset(("joy", "fear")).distribution(np.array([3, 1, 0], dtype="u8")) == [
        ("joy", 2),
        ("fear", 1),
    ]


def test_numbers_are_counted_by_tenths_of_the_range():
    counts = Number(0, 1).distribution(np.array([0.0, 0.05, 1.0]))

    assert counts[0] == ("0 to 0.1", 2)
    assert counts[-1] == ("0.9 to 1", 1)


def test_spans_of_text_are_not_counted():
    assert Span().distribution(np.array(["a", "a"], dtype=np.dtypes.StringDType())) == []


def test_one_class_with_many_confidences_is_one_answer():
    codes = np.array([(1, 0.5), (1, 0.25)], dtype=LABEL_WITH_CONFIDENCE)

    assert kinds.RUMOUR.output.only_answer(codes) == kinds.RUMOUR.output.labels[1]


def test_answers_are_set_beside_the_last_of_the_team(submission, owner):
    receipt = submit_predictions(
        PredictionUpload(
            system=submission.system,
            phase=submission.phase,
            user=owner,
            data=ALL_BAD,
            file_name="bad.zip",
            received_at=LATER,
        )
    )

    mood, colour = spreads_of(receipt.submission)

    assert [(bar.label, bar.share, bar.before) for bar in mood.bars] == [
        ("bad", 100.0, 50.0),
        ("good", 0.0, 50.0),
    ]
    assert (mood.only, colour.only) == ("bad", None)


def test_first_submission_has_nothing_beside_it(submission):
    assert not [one for one in spreads_of(submission) if one.has_before]


@pytest.mark.parametrize("check_only", [True, False], ids=["checked", "submitted"])
def test_page_warns_where_every_answer_is_the_same(browser, system, phase, check_only):
    form = {"phase": "toy/main", "system": str(system.pk), "file": SimpleUploadedFile("a.zip", ALL_BAD)}

    answer = browser.post("/submit/", form | ({"check_only": "1"} if check_only else {}), follow=True)

    page = html.unescape(text_of(answer))
    assert "Mood: every answer is <code>bad</code>." in page
    assert "Colour: every answer is" not in page


def test_answers_of_which_no_spread_can_be_told_have_no_heading(submission, monkeypatch):
    monkeypatch.setattr(Label, "distribution", lambda kind, answers: [])
    monkeypatch.setattr(Label, "only_answer", lambda kind, answers: None)
    assert spreads_of(submission) == []
