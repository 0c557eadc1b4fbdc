"""What share of its samples an attack transforms correctly: three ways to say so."""

import datetime as dt

import pytest

from benchmarks.models import Attack, Benchmark, Task
from scoring.file_refusal import FileRefused
from scoring.item_sets.attacks import make_attack, upload_attack_texts
from scoring.item_sets.correct_shares import (
    set_correct_share,
    share_from_annotators,
    share_from_readability,
)
from scoring.item_sets.texts import load_texts
from tests.attacks import REWORDED, TEXTS, load_attacked
from tests.conftest import NOW
from tests.pages import all_rendered

HEADER = b"id,annotator_1,annotator_2\n"


@pytest.fixture
def task(sync, gold_keys) -> Task:
    return load_attacked(sync)


def attack(slug: str) -> Attack:
    return Attack.objects.get(slug=slug)


def reword(task: Task) -> None:
    upload_attack_texts(task=task, attack="paraphrase", data=REWORDED, file_name="r.csv", now=NOW)


def stored(slug: str) -> tuple[float | None, str, float | None, int | None]:
    row = attack(slug)
    return (row.correct_share, row.method, row.kappa, row.sample_count)


def test_an_entered_share_is_kept_with_its_note(task):
    set_correct_share(attack=attack("paraphrase"), share=0.484, now=NOW, note="As published.")
    assert stored("paraphrase") == (0.484, "entered", None, None)
    assert attack("paraphrase").note == "As published."


def test_a_share_can_be_taken_back(task):
    set_correct_share(attack=attack("negation"), share=None, now=NOW)
    assert attack("negation").correct_share is None


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan"), float("inf")])
def test_what_is_no_share_is_refused(task, share):
    with pytest.raises(FileRefused, match="a number from 0 to 1"):
        set_correct_share(attack=attack("negation"), share=share, now=NOW)
    assert attack("negation").correct_share == 1


def test_readability_looks_at_every_text_of_every_set(task):
    other = task.benchmark.tasks.get(slug="posts")
    plain = b"id,text\nd0,The cat sat.\nd1,The dog ran.\nd2,The cow ate.\nd3,The pig slept.\n"
    harder = plain.replace(b"cat", b"extraordinary")
    load_texts(split=other.splits.get(slug="test"), data=plain, file_name="t.csv", now=NOW)
    upload_attack_texts(task=other, attack="paraphrase", data=harder, file_name="r.csv", now=NOW)
    upload_attack_texts(task=task, attack="paraphrase", data=TEXTS, file_name="same.csv", now=NOW)
    measured = share_from_readability(attack=attack("paraphrase"), now=NOW)
    assert (measured.share, measured.sample_count) == (11 / 12, 12)  # one of 4 + 8 texts became harder
    assert stored("paraphrase") == (11 / 12, "readability", None, 12)


def test_readability_of_spelling_errors_lies_between_none_and_all(task):
    make_attack(task=task, attack="spelling", seed=7, now=NOW)
    assert 0 < share_from_readability(attack=attack("spelling"), now=NOW).share <= 1


def test_two_annotators_give_share_and_kappa(task):
    reword(task)
    data = HEADER + b"d0,y,y\nd1,y,n\nd2,n,n\nd3,n,n\n"
    share_from_annotators(attack=attack("paraphrase"), data=data, file_name="judged.csv", now=NOW)
    assert stored("paraphrase") == (3 / 8, "annotators", 0.5, 4)


def test_kappa_of_annotators_who_always_say_yes_is_none(task):
    reword(task)
    share_from_annotators(attack=attack("paraphrase"), data=HEADER + b"d0,y,y\n", file_name="j.csv", now=NOW)
    assert stored("paraphrase") == (1, "annotators", None, 1)


def test_annotators_problems_come_with_line_and_column(task):
    reword(task)
    data = HEADER + b"d0,y,y\nd9,y,maybe\n"
    with pytest.raises(FileRefused) as refused:
        share_from_annotators(attack=attack("paraphrase"), data=data, file_name="judged.csv", now=NOW)
    assert refused.value.sentences[0] == "judged.csv, line 3, column annotator_2: “maybe” is neither y nor n."
    assert refused.value.sentences[1].startswith("judged.csv, line 3, column id: “d9” is not an id")
    assert attack("paraphrase").correct_share is None


def test_there_is_nothing_to_measure_before_a_set_is_made(task):
    with pytest.raises(FileRefused, match="No paraphrase set of Debates has texts yet"):
        share_from_readability(attack=attack("paraphrase"), now=NOW)
    with pytest.raises(FileRefused, match="No paraphrase set of Debates has texts yet"):
        share_from_annotators(attack=attack("paraphrase"), data=HEADER, file_name="j.csv", now=NOW)


def test_pages_are_rendered_anew(task):
    all_rendered()
    set_correct_share(attack=attack("negation"), share=0.5, now=NOW)
    assert Benchmark.objects.stale().exists()


def test_new_texts_have_the_share_found_out_again(task):
    make_attack(task=task, attack="spelling", seed=7, now=NOW)
    share_from_readability(attack=attack("spelling"), now=NOW)
    later = NOW + dt.timedelta(hours=1)
    assert not any(
        "again" in one for one in make_attack(task=task, attack="spelling", seed=7, now=later).warnings
    )
    assert "find it out again" in make_attack(task=task, attack="spelling", seed=8, now=later).warnings[-1]
