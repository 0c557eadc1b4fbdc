"""Organisers choose how much of a score a phase shows; what a rule cannot keep is refused with what to do."""

import datetime as dt
from html import unescape

import pytest
import time_machine
from django.db import IntegrityError, transaction

from benchmarks.models import Benchmark, Phase
from catalogue.disclosure import RULES
from scoring.admin.phase_disclosure import saved_together
from scoring.queue.date_shift import CannotShift, dates_to_shift
from tests.admin.test_phases import save
from tests.conftest import NOW, TOY_DEFINITION
from tests.people import appoint
from tests.quiz import end_now, make_quiz, new_system, send
from tests.weeks import CUT_OFF, WEEK, run_batch

pytestmark = pytest.mark.thorough

ENDS = {"closes_at_0": "2026-12-28", "closes_at_1": "00:00"}
OPEN = {"disclosure": "open", "one_per_team": "on", **ENDS}
PROTECTED = {**OPEN, "disclosure": "protected", "counting": "best"}
SEALED = {"disclosure": "sealed", "weekday": "", **ENDS}


@pytest.fixture
def client(client, organiser):
    client.force_login(organiser)
    return client


def told(client, answer) -> str:
    """The page that follows, as it is read."""
    assert answer.status_code == 302
    return unescape(client.get(answer.url).content.decode())


def refused(answer) -> str:
    assert answer.status_code == 200
    return unescape(answer.content.decode())


EACH = pytest.mark.parametrize(
    "changes", [OPEN, PROTECTED, SEALED], ids=lambda changes: changes["disclosure"]
)


@EACH
def test_a_rule_is_kept(client, phase, changes):
    assert save(client, phase, **changes).status_code == 302
    assert Phase.objects.get().rule is RULES[changes["disclosure"]]


def test_the_page_says_of_each_rule_in_numbers_what_it_gives_and_costs(client, phase):
    page = refused(save(client, phase, quota_limit="0"))
    assert "What is shown before the end" in page
    assert "6 items, sealed is proposed." in page
    assert "Then all 6 items rank" in page
    assert "With 6 items, fewer than 2,000, nothing is shown before the end" in page
    assert "An honest gain of one point shows in" in page
    for rule in RULES:
        assert f"<b>{rule.texts.title}:</b>" in page


def test_the_page_says_which_metric_would_do_where_noise_has_no_bound(client, organiser, sync):
    large = sync(TOY_DEFINITION.replace("id: toy", "id: large").replace("test_size: 6", "test_size: 5000"))
    appoint(large, organiser)
    page = refused(save(client, large.phases.get(), quota_limit="0"))
    assert "5,000 items, sealed is proposed. Noise cannot protect labels with" in page
    assert "What would do: Accuracy" in page


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({**PROTECTED, "counting": "latest"}, "Please let the best submission count."),
        ({**PROTECTED, "counting": "chosen"}, "Please let the best submission count."),
        ({**OPEN, "one_per_team": ""}, "a team has one row: one answer of each team ranks at the end."),
        ({**OPEN, "closes_at_0": "", "closes_at_1": ""}, "needs weekly cut-offs and an end"),
        ({**OPEN, "weekday": ""}, "needs weekly cut-offs and an end"),
        (
            {**SEALED, "weekday": "0"},
            "there is one cut-off, when the phase closes. Please leave out the weekday.",
        ),
        ({"disclosure": "generous"}, "Select a valid choice."),
        ({"disclosure": ""}, "This field is required."),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_do(client, phase, changes, sentence):
    page = refused(save(client, phase, **changes))
    assert sentence in page
    assert "is violated" not in page


def test_a_metric_without_a_bound_is_not_protected_where_noise_would_be_shown(client, organiser, sync):
    large = sync(TOY_DEFINITION.replace("id: toy", "id: large").replace("test_size: 6", "test_size: 5000"))
    appoint(large, organiser)
    page = refused(save(client, large.phases.get(), **PROTECTED))
    assert "needs to know what one label can change at most." in page
    assert "accuracy has. Please choose another rule or metric." in page


@pytest.mark.parametrize("counting", ["latest", "chosen"])
def test_exact_scores_of_one_half_need_no_counting_of_the_best(client, phase, counting):
    assert save(client, phase, **{**OPEN, "counting": counting}).status_code == 302


@pytest.mark.parametrize("kind", ["build", "break", "score"])
@EACH
def test_phases_of_breakers_are_exact(client, phase, kind, changes):
    Phase.objects.update(kind=kind)
    page = refused(save(client, phase, **changes))
    assert "What teams hand in here becomes public. Please choose exact scores." in page


@pytest.mark.parametrize("changes", [OPEN, PROTECTED], ids=lambda changes: changes["disclosure"])
def test_means_over_seeds_are_exact_or_sealed(client, organiser, sync, changes):
    of_seeds = sync(TOY_DEFINITION.replace("id: toy", "id: seeds\nseeds: 3"))
    appoint(of_seeds, organiser)
    page = refused(save(client, of_seeds.phases.get(), **changes))
    assert "asks for several seeds of each system, and means over seeds are exact." in page
    assert save(client, of_seeds.phases.get(), **SEALED).status_code == 302


def test_items_in_pairs_are_not_kept_back(client, games, organiser):
    appoint(games, organiser)
    phase = games.phases.get(slug="build")
    Phase.objects.filter(pk=phase.pk).update(kind="predictions")
    games.phases.exclude(pk=phase.pk).delete()
    page = refused(save(client, phase, **OPEN))
    assert "Items that come in pairs are not kept back." in page


def test_saving_says_from_when_on_the_rule_holds(client, phase):
    page = told(client, save(client, phase, **OPEN))
    assert "The rule holds from the next cut-off on." in page


@EACH
def test_a_rule_is_not_changed_once_a_batch_was_scored_under_it(client, world, changes):
    page = refused(save(client, world.phase, **changes))
    assert "A batch of this phase was scored under the rule, so it holds until the phase closes." in page
    assert Phase.objects.get().rule.shows_everything()


def test_other_settings_may_be_changed_once_a_batch_was_scored(client, world):
    assert save(client, world.phase, quota_limit="7").status_code == 302


@pytest.mark.parametrize("changes", [OPEN, PROTECTED], ids=lambda changes: changes["disclosure"])
def test_one_phase_does_not_show_what_another_keeps_back(client, phase, changes):
    other = Phase.objects.get(pk=phase.pk)
    other.pk, other.slug = None, "later"
    other.save(force_insert=True)
    page = refused(save(client, phase, **changes))
    assert (
        "what one keeps back another would show. Please choose rules that agree, or targets that are apart."
        in page
    )


@EACH
def test_phases_on_the_same_items_follow_one_another_where_one_hides_something(client, phase, changes):
    other = Phase.objects.get(pk=phase.pk)
    other.pk, other.slug, other.title = None, "later", "Later"
    other.disclosure = "exact" if changes is SEALED else changes["disclosure"]
    other.one_per_team, other.counting, other.closes_at = True, "best", NOW + dt.timedelta(days=300)
    other.save(force_insert=True)

    page = refused(save(client, phase, **changes))

    assert "Main and Later take submissions at the same time" in page
    assert "Please let one open when the other closes." in page
    Phase.objects.filter(pk=other.pk).update(opens_at=dt.datetime(2026, 12, 28, tzinfo=dt.UTC))
    assert save(client, phase, **changes).status_code == 302


def test_before_anything_is_scored_a_rule_may_be_taken_back(client, phase):
    save(client, phase, **OPEN)
    client.get("/admin/")
    page = told(client, save(client, phase))
    assert "The rule holds from the next cut-off on." in page
    assert Phase.objects.get().rule.shows_everything()


def test_other_changes_say_nothing_of_rules(client, phase):
    page = told(client, save(client, phase, quota_limit="7"))
    assert "The rule holds" not in page


def test_a_phase_that_is_over_shows_exact_scores_whatever_the_rule(client, phase):
    closed = {"closes_at_0": "2026-11-20", "closes_at_1": "12:00"}
    page = told(client, save(client, phase, **{**OPEN, **closed}))
    assert "The phase is over, so its releases show exact scores whatever the rule." in page


@pytest.mark.parametrize("rule", ["sealed", "open"])
def test_a_phase_whose_final_is_out_cannot_open_again_and_rank_once_more(
    client, organiser, sync, gold_keys, rule
):
    phase = make_quiz(sync, rule)
    appoint(phase.benchmark, organiser)
    send(new_system("Larch"), phase, range(600), at=CUT_OFF - WEEK)
    end_now(CUT_OFF)
    run_batch(CUT_OFF)
    later, weekly = (
        CUT_OFF + WEEK,
        {"weekday": "0", "one_per_team": "on"} if rule == "open" else {"weekday": ""},
    )
    moved = {
        "closes_at_0": f"{later:%Y-%m-%d}",
        "closes_at_1": "00:00",
        "disclosure": rule,
        "counting": "best",
    }

    with time_machine.travel(CUT_OFF + WEEK / 7, tick=False):
        assert "It cannot open again; please add another phase." in refused(
            save(client, phase, **moved, **weekly)
        )
        with pytest.raises(CannotShift, match="cannot open again"):
            dates_to_shift(phase.benchmark, WEEK, since=CUT_OFF, now=CUT_OFF + WEEK / 7)


def test_two_people_who_save_at_once_cannot_break_what_holds_between_fields(toy: Benchmark):
    mine, theirs = toy.phases.get(), toy.phases.get()
    Phase.objects.update(counting="best")
    mine.counting = theirs.counting = "best"
    theirs.disclosure, theirs.one_per_team, theirs.closes_at = "protected", True, theirs.next_cut_off_at
    theirs.save(update_fields=saved_together(["disclosure"]))

    mine.counting = "latest"
    with pytest.raises(IntegrityError), transaction.atomic():
        mine.save(update_fields=["counting"])
    mine.save(update_fields=saved_together(["counting"]))

    assert Phase.objects.get().rule.shows_everything()


@pytest.mark.parametrize(
    "changes",
    [
        {"disclosure": "protected", "counting": "best"},
        {"disclosure": "open", "one_per_team": True},
        {"disclosure": "sealed"},
    ],
    ids=lambda changes: changes["disclosure"],
)
def test_no_row_of_the_database_has_a_rule_that_its_phase_cannot_keep(toy: Benchmark, changes):
    with pytest.raises(IntegrityError), transaction.atomic():
        toy.phases.update(**changes)
