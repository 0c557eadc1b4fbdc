"""Organisers choose how much of a score a phase shows; what a rule cannot keep is refused with what to do."""

from html import unescape

import pytest
from django.db import IntegrityError, transaction

from benchmarks.models import Benchmark, Phase
from scoring.admin.phase_disclosure import saved_together
from tests.admin.test_phases import save
from tests.conftest import TOY_DEFINITION

SPARING = {"disclosure": "sparing", "counting": "best"}


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


def test_a_rule_with_its_settings_is_kept(client, world):
    save(
        client,
        world.phase,
        disclosure="precision",
        disclosure_digits="3",
        disclosure_scale="0.5",
        remainder="0.3",
    )
    phase = Phase.objects.get()
    assert (phase.disclosed_by.code, phase.disclosure_scale, phase.remainder) == ("precision 3", 0.5, 0.3)


def test_empty_settings_are_as_they_come(client, world):
    save(client, world.phase, disclosure_digits="", disclosure_scale="", remainder="")
    phase = Phase.objects.get()
    assert (phase.disclosure_digits, phase.disclosure_scale, phase.remainder) == (2, 0.7, 0.0)


def test_the_page_says_of_each_rule_what_it_gives_and_costs(client, world):
    page = refused(save(client, world.phase, quota_limit="0"))
    assert "What is shown while the phase runs" in page
    assert "65 answers that are made for it tell all of 150 labels" in page
    assert "Who knows 24 labels reads the others as under the Ladder" in page
    assert "An honest gain of one point on 5,000 items shows in 9 of 10 cases." in page


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"disclosure": "sparing"}, "Please let the best submission count (above)"),
        ({"disclosure": "ladder", "counting": "chosen"}, "Please let the best submission count (above)"),
        ({"disclosure": "noisy_ladder"}, "or choose exact or rounded scores."),
        ({"disclosure_digits": "0"}, "Scores are rounded to 1 to 6 decimals."),
        ({"disclosure_digits": "7"}, "Scores are rounded to 1 to 6 decimals."),
        ({"disclosure_digits": "99999999999"}, "Scores are rounded to 1 to 6 decimals."),
        ({"disclosure_scale": "0"}, "For none, choose the Ladder itself."),
        ({"disclosure_scale": "10.5"}, "Noise is above 0 and at most 10 standard errors."),
        ({"disclosure_scale": "nan"}, "Enter a number."),
        ({"remainder": "0.95"}, "For 30 % of the items, give 0.3."),
        ({"remainder": "-0.1"}, "The private remainder is a share from 0 to 0.9."),
        ({"remainder": "inf"}, "Enter a number."),
        ({"disclosure": "generous"}, "Select a valid choice."),
        ({"disclosure": ""}, "This field is required."),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_do(client, world, changes, sentence):
    page = refused(save(client, world.phase, **changes))
    assert sentence in page
    assert "is violated" not in page


@pytest.mark.parametrize("counting", ["latest", "chosen"])
def test_rounded_scores_need_no_counting_of_the_best(client, world, counting):
    assert save(client, world.phase, disclosure="precision", counting=counting).status_code == 302


@pytest.mark.parametrize("kind", ["build", "break", "score"])
@pytest.mark.parametrize("changes", [SPARING, {"remainder": "0.3"}], ids=["rule", "remainder"])
def test_phases_of_breakers_are_exact(client, world, kind, changes):
    Phase.objects.update(kind=kind)
    page = refused(save(client, world.phase, **changes))
    assert "What teams hand in here becomes public, and scores are exact." in page


@pytest.mark.parametrize("changes", [SPARING, {"remainder": "0.3"}], ids=["rule", "remainder"])
def test_means_over_seeds_are_exact(client, organiser, sync, changes):
    of_seeds = sync(TOY_DEFINITION.replace("id: toy", "id: seeds\nseeds: 3"))
    of_seeds.organisers.add(organiser)
    page = refused(save(client, of_seeds.phases.get(), **changes))
    assert "asks for several seeds of each system, and means over seeds are exact." in page


def test_items_in_pairs_are_not_kept_back(client, world, games, organiser):
    games.organisers.add(organiser)
    phase = games.phases.get(slug="build")
    Phase.objects.filter(pk=phase.pk).update(kind="predictions")
    page = refused(save(client, phase, remainder="0.3"))
    assert "Items that come in pairs are not kept back." in page


def test_saving_says_from_when_on_the_rule_holds(client, world):
    page = told(client, save(client, world.phase, **SPARING))
    assert "The rule holds from the next cut-off on." in page
    assert "the phase has no end yet" in page


def test_what_was_published_exactly_stays_published(client, world):
    page = told(client, save(client, world.phase, **SPARING))
    assert "Exact scores of this phase have been published. They stay published" in page


def test_a_change_back_to_exact_scores_takes_nothing_back(client, world):
    Phase.objects.update(disclosure="sparing", counting="best")
    page = told(client, save(client, world.phase))
    assert "The rule holds from the next cut-off on." in page
    assert "They stay published" not in page


def test_other_changes_say_nothing_of_rules(client, world):
    page = told(client, save(client, world.phase, quota_limit="7"))
    assert "The rule holds" not in page


def test_one_cut_off_alone_shows_exact_scores_whatever_the_rule(client, world):
    closes = {"weekday": "", "closes_at_0": "2026-12-01", "closes_at_1": "12:00"}
    page = told(client, save(client, world.phase, **closes, **SPARING))
    assert "The rule does nothing there" in page
    assert "private remainder alone" not in page

    page = told(client, save(client, world.phase, **closes, **SPARING, remainder="0.3"))
    assert "The rule does nothing there" in page
    assert "The private remainder alone ranks there" in page


def test_a_phase_that_is_over_shows_exact_scores_whatever_the_rule(client, world):
    closed = {"closes_at_0": "2026-11-20", "closes_at_1": "12:00"}
    page = told(client, save(client, world.phase, **closed, **SPARING))
    assert "The phase is over, so its releases show exact scores whatever the rule." in page


def test_two_people_who_save_at_once_cannot_break_what_holds_between_fields(toy: Benchmark):
    mine, theirs = toy.phases.get(), toy.phases.get()
    Phase.objects.update(counting="best")
    mine.counting = theirs.counting = "best"
    theirs.disclosure = "sparing"
    theirs.save(update_fields=saved_together(["disclosure"]))

    mine.counting = "latest"
    with pytest.raises(IntegrityError), transaction.atomic():
        mine.save(update_fields=["counting"])
    mine.save(update_fields=saved_together(["counting"]))

    assert Phase.objects.get().disclosed_by.is_exact
