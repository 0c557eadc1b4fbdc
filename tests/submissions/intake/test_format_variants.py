"""A task whose files may have either of two layouts."""

from dataclasses import replace

import pytest

from benchmarks.spec import FileFormat
from catalogue.answers import Label
from submissions.intake import GoldFile
from tests.submissions.intake.kinds import NEWS, gold, places, problems_in, read, task_of

PLAIN = FileFormat("arc.csv", "id", "label")
ARC = replace(task_of(Label(("agree", "disagree")), PLAIN), also_files=(replace(NEWS.file, path="arc.csv"),))
IDS = ("a1", "a2", "a3")
NEWS_GOLD = "Headline,Body ID,Stance\nRain,1,agree\nRain,2,disagree\nRain,1,disagree\n"


def news_ids() -> tuple[str, ...]:
    return gold(NEWS_GOLD, ARC).ids.ids


def answers(found: GoldFile) -> dict[str, int]:
    return dict(zip(found.ids.ids, found.codes.tolist(), strict=True))


def test_gold_labels_may_have_either_layout():
    assert answers(gold("id,label\na1,agree\na2,disagree\n", ARC)) == {"a1": 0, "a2": 1}
    assert answers(gold(NEWS_GOLD, ARC)) == answers(gold(NEWS_GOLD, NEWS))


def test_predictions_in_the_other_layout_are_read():
    data = "Headline,Body ID,Stance\nRain,2,agree\nRain,1,agree\nRain,1,disagree\n"
    assert read(data, ARC, news_ids()).codes.tolist() == [0, 0, 1]


def test_both_layouts_give_the_same_predictions():
    headline = "Headline,Body ID,Stance\nRain,1,agree\nRain,2,agree\nRain,1,disagree\n"
    quoted = ["," .join(['"' + item.replace('"', '""') + '"', label])
              for item, label in zip(news_ids(), ("agree", "agree", "disagree"), strict=True)]  # fmt: skip
    plain = "\n".join(["id,label", *quoted])
    assert read(plain, ARC, news_ids()).sha256 == read(headline, ARC, news_ids()).sha256


def test_the_tasks_own_layout_is_read_as_ever():
    data = "id,label\na3,agree\na1,disagree\na2,agree\n"
    assert read(data, ARC, IDS).sha256 == read(data, replace(ARC, also_files=()), IDS).sha256


def test_rows_of_the_other_layout_are_foreign_where_the_ids_are_plain():
    data = "Headline,Body ID,Stance\nRain,1,agree\n"
    assert {code for code, _, _ in places(data, ARC, IDS)} == {"unknown_id", "missing_ids"}


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("Headline,BodyID,Stance", "Headline,Body ID,Stance"),
        ("headline,body id,stance", "Headline,Body ID,Stance"),
        ("id,Stance", "id,label"),
        ("ID,Label", "id,label"),
        ("a,b", "id,label"),
    ],
)
def test_a_wrong_header_is_held_against_the_layout_that_is_meant(header: str, expected: str):
    (problem, *_) = problems_in(f"{header}\nx,y,agree\n", ARC, IDS)
    assert problem.code.startswith("header_")
    assert expected in f"{problem.expected} {problem.message}"
