"""What holds for every rule of disclosure, and what becomes of one that is new."""

import datetime as dt
from collections.abc import Callable
from dataclasses import astuple
from typing import ClassVar

import pytest

from accounts.models import Mail, MailKind
from benchmarks.admin.phase_forms import explained
from benchmarks.models import Benchmark, Phase
from catalogue.disclosure import RULES, Rule
from catalogue.disclosure.noisy_display import NoisyDisplay
from catalogue.disclosure.rule import ALL, DISPLAYED, NOISED, REMAINDER, HiddenItems, RuleTexts
from leaderboard.models import Release
from tests.pages import browser_of, text_of
from tests.quiz import END, make_quiz, new_system, send
from tests.weeks import CUT_OFF, board, row_of, run_batch

EACH = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.key)
SIZES = (1, 2, 150, 1_999, 2_000, 5_000)


@EACH
@pytest.mark.parametrize("items", SIZES)
def test_everything_is_scored_at_the_end_at_the_latest(rule, items):
    assert rule.part(items, at_the_end=False) in {None, ALL, DISPLAYED, NOISED}
    assert rule.part(items, at_the_end=True) in {ALL, REMAINDER}


@EACH
@pytest.mark.parametrize("items", SIZES)
def test_what_ranks_at_the_end_was_part_of_nothing_before(rule, items):
    before, at_end = rule.part(items, at_the_end=False), rule.part(items, at_the_end=True)

    if rule.keeps_back or not rule.shows_before_end:
        assert (before is None) == (at_end == ALL)
    else:
        assert before == at_end == ALL


@EACH
def test_rule_does_what_it_says_of_itself(rule):
    before = {rule.part(items, at_the_end=False) for items in SIZES}
    at_end = {rule.part(items, at_the_end=True) for items in SIZES}

    assert rule.shows_before_end == (before != {None})
    assert rule.keeps_back == (REMAINDER in at_end)
    assert rule.shows_all == (NOISED not in before)
    assert (rule.display(2_500, 1 / 2_500) is not None) == (NOISED in before)
    assert rule.shows_everything() == (before == at_end == {ALL})


@EACH
def test_rule_says_what_it_is(rule):
    texts = rule.texts

    assert texts.title
    assert all(text.endswith(".") for text in astuple(texts)[1:] if text)
    assert texts.for_organisers
    assert texts.on_board
    # Where provisional numbers are shown, the page and the mail say that they are.
    assert bool(texts.on_page) == bool(texts.in_mail) == rule.keeps_back


@EACH
def test_rule_is_among_the_choices_of_a_phase_and_explained(rule):
    choices = dict(Phase._meta.get_field("disclosure").flatchoices)

    assert rule.texts.title.strip() == rule.texts.title != ""
    assert rule.texts.for_organisers.endswith(".")
    assert choices[rule.key] == rule.texts.title
    assert f"<b>{rule.texts.title}:</b>" in explained(RULES)


@pytest.mark.thorough
@EACH
def test_rule_goes_from_the_definition_to_a_final_release_over_its_items(rule, sync, gold_keys):
    phase = make_quiz(sync, rule.key)
    send(new_system("Larch"), phase, range(500), at=CUT_OFF - dt.timedelta(hours=1))
    run_batch(CUT_OFF)
    assert Release.objects.exists() == rule.shows_before_end
    if rule.shows_before_end:
        assert board("/benchmarks/quiz.json").get("part", "") == rule.part(2_000, at_the_end=False)

    run_batch(END)

    final = board("/benchmarks/quiz/tasks/quiz.json")
    assert final.get("part", "") == rule.part(2_000, at_the_end=True)
    assert "disclosure" not in final
    cell = row_of(final, "Larch")["cells"]["quiz"]
    assert cell["ci_low"] < cell["value"] < cell["ci_high"]
    assert cell["value"] == pytest.approx(0.75, abs=0.05)


# A rule that is new, from the definition to the page, the export and the mail.


class Murmur(Rule):
    """Half of the items through noise, whatever their number. Made up for this test."""

    key: ClassVar = "murmur"
    texts: ClassVar = RuleTexts(
        title="scores in a murmur",
        for_organisers="Scores of half of the items, through noise.",
        on_board="Scores are those of half of the items, through noise.",
        on_page="Provisional: scores in a murmur.",
        in_mail="These scores are told in a murmur.",
    )
    shows_all: ClassVar = False
    keeps_back: ClassVar = True
    keeps_best: ClassVar = True

    @classmethod
    def in_numbers(cls, items: HiddenItems) -> str:
        return f"Murmured are {items.item_count // 2} items."

    @classmethod
    def part(cls, item_count: int, *, at_the_end: bool) -> str | None:
        return REMAINDER if at_the_end else NOISED

    @classmethod
    def display(cls, item_count: int, label_effect: float | None) -> NoisyDisplay | None:
        return NoisyDisplay(item_count, label_effect or 1.0)


def test_new_rule_goes_from_the_definition_to_the_page_and_the_mail(
    sync: Callable[[str], Benchmark], gold_keys: object
):
    with RULES.extended(Murmur):
        phase = make_quiz(sync, "murmur")
        send(new_system("Larch"), phase, range(500), at=CUT_OFF - dt.timedelta(hours=1))
        run_batch(CUT_OFF)

        page, told = (text_of(browser_of(None).get(f"/benchmarks/quiz/{tab}")) for tab in ("", "rules/"))
        choices = dict(Phase._meta.get_field("disclosure").flatchoices)
        texts = [mail.text for mail in Mail.objects.filter(kind=MailKind.PUBLICATION)]
        published = board("/benchmarks/quiz/tasks/quiz.json")

    display = Murmur.display(1_000, 1 / 1_000)
    assert display is not None
    value = row_of(published, "Larch")["cells"]["quiz"]["value"]
    assert value == pytest.approx(0.75, abs=0.05 + 4 * display.deviation)
    assert published["disclosure"] == "murmur"
    assert Murmur.texts.on_page in page
    assert Murmur.texts.on_board in told
    assert choices["murmur"] == Murmur.texts.title
    assert texts
    assert all(Murmur.texts.in_mail in " ".join(text.split()) for text in texts)
