"""What holds for every rule of disclosure, and what becomes of one that is new."""

import datetime as dt
from collections.abc import Callable
from dataclasses import astuple, dataclass
from typing import ClassVar

import numpy as np
import pytest

from accounts.models import Mail, MailKind
from benchmarks.admin.phase_forms import explained
from benchmarks.models import Benchmark, Phase
from benchmarks.spec.disclosure import DisclosureSpec
from catalogue.disclosure import RULES, Rule, rule_of_code
from catalogue.disclosure.rule import Judgement, MissBudget, RowState, RuleSettings, RuleTexts, ScoredAnswer
from tests.pages import browser_of, text_of
from tests.quiz import make_quiz, new_system, send
from tests.weeks import CUT_OFF, board, row_of, run_batch

EACH = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.key)
SETTINGS = (RuleSettings(), RuleSettings(digits=3, scale=0.25))
SCORES = (0.7, 0.702, 0.65, 0.71, 0.8, 0.8)


def told(rule: Rule, seed: int) -> list[Judgement]:
    """One team's answers in turn."""
    random, state, budget = np.random.default_rng(seed), RowState(), MissBudget()
    judgements = []
    for score in SCORES:
        error = None if state.leader is None else 0.003
        judgements.append(rule.judge(ScoredAnswer(score, 5000, 0.007, error), state, budget, random))
        state, budget = judgements[-1].state, judgements[-1].budget
    return judgements


@EACH
@pytest.mark.parametrize("chosen", SETTINGS, ids=["defaults", "set"])
def test_code_and_settings_come_back(rule, chosen):
    spec = DisclosureSpec(rule, chosen, 0.3)

    assert rule_of_code(spec.code) == spec.in_force
    assert spec.code.split(" ")[0] == rule.key
    assert DisclosureSpec.from_stored(spec.stored()) == spec


@EACH
@pytest.mark.parametrize("chosen", SETTINGS, ids=["defaults", "set"])
def test_the_same_answers_and_seed_give_the_same_judgements(rule, chosen):
    assert told(rule.of(chosen), seed=3) == told(rule.of(chosen), seed=3)


@EACH
def test_rule_does_what_it_says_of_itself(rule):
    one, other = (told(rule.of(RuleSettings()), seed) for seed in (1, 2))

    assert (one != other) == rule.is_random
    assert ([found.shown for found in one] == list(SCORES)) == rule.shows_all
    assert all(found.leads for found in one) != rule.keeps_best


@EACH
def test_rule_has_four_texts_which_fill_in_its_settings(rule):
    in_force = rule.of(RuleSettings())
    texts = [in_force.worded(text) for text in astuple(rule.texts)[1:]]

    assert all(text.endswith(".") for text in texts[: 2 if rule.shows_all else 4])
    assert any(texts[2:]) != rule.shows_all
    assert not any(set(text) & set("{}") for text in texts)


@EACH
def test_rule_is_among_the_choices_of_a_phase_and_explained(rule):
    choices = dict(Phase._meta.get_field("disclosure").flatchoices)

    assert rule.texts.title.strip() == rule.texts.title != ""
    assert rule.texts.for_organisers.endswith(".")
    assert choices[rule.key] == rule.texts.title
    assert f"<b>{rule.texts.title}:</b>" in explained(RULES)


# A rule that is new, from the definition to the page, the export and the mail.


@dataclass(frozen=True, slots=True)
class Fifths(Rule):
    """Every answer's own score, to the nearest fifth. Made up for this test."""

    key: ClassVar = "fifths"
    texts: ClassVar = RuleTexts(
        title="scores in fifths",
        for_organisers="Scores in fifths.",
        on_board="scores are shown in fifths.",
        on_page="Scores are shown in fifths while the phase runs.",
        in_mail="Scores are shown in fifths. Exact ones follow.",
    )
    keeps_best: ClassVar = False

    def judge(
        self, answer: ScoredAnswer, state: RowState, budget: MissBudget, random: np.random.Generator
    ) -> Judgement:
        shown = round(5 * answer.score) / 5
        return Judgement(shown, True, RowState(shown, shown), budget)


def test_new_rule_goes_from_the_definition_to_the_page_and_the_mail(
    sync: Callable[[str], Benchmark], gold_keys: object
):
    with RULES.extended(Fifths):
        phase = make_quiz(sync, "fifths")
        send(new_system("Larch"), phase, range(250), at=CUT_OFF - dt.timedelta(hours=1))
        run_batch(CUT_OFF)

        page = text_of(browser_of(None).get("/benchmarks/quiz/"))
        choices = dict(Phase._meta.get_field("disclosure").flatchoices)
        texts = [mail.text for mail in Mail.objects.filter(kind=MailKind.PUBLICATION)]

    row = row_of(board("/benchmarks/quiz/tasks/quiz.json"), "Larch")
    assert (
        row["cells"]["quiz"]["value"] == pytest.approx(0.6, abs=1e-9) or row["cells"]["quiz"]["value"] == 0.8
    )
    assert Fifths.texts.on_page in page
    assert f"While the phase runs, {Fifths.texts.on_board}" in page
    assert choices["fifths"] == Fifths.texts.title
    assert texts
    assert all(Fifths.texts.in_mail in text for text in texts)
