"""The ledger of published bits: made after a release, told on its pages and to organisers, without gold labels."""

import datetime as dt
import re
from math import log2

import numpy as np
import pytest
from django.conf import settings
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.services import create_team
from benchmarks.models import Phase
from catalogue.disclosure.noisy_display import NoisyDisplay
from leaderboard.ledger import task_account
from leaderboard.ledger.accounts import keep_ledger, published_bits, set_budget
from leaderboard.models import LedgerEntry, Release, TeamBits
from leaderboard.publication.services import enter_in_ledger, refresh_stale
from leaderboard.rendering.held_values import HeldValues
from scoring.core.noised_ledger import bits_of_a_label
from scoring.gold.versions import load_gold
from scoring.models import ScoringRun
from submissions.models import Submission, System
from submissions.services import PredictionUpload, submit_predictions
from submissions.systems.file_removals import remove_file
from submissions.systems.status_transitions import withdraw
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD, person
from tests.locks import taken_in_order
from tests.pages import browser_of, text_of
from tests.people import appoint
from tests.quiz import DEFINITION, ITEMS, WEEKLY, end_now, make_quiz, new_system, send
from tests.uploads import zip_of
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, run_batch, upload

pytestmark = pytest.mark.thorough

HOUR = dt.timedelta(hours=1)


@pytest.fixture(autouse=True)
def _without_intervals(monkeypatch):
    """What intervals tell is a matter of its own; see tests/scoring/core/test_ledger.py."""
    monkeypatch.setattr("leaderboard.ledger.task_account._intervals", lambda runs: {})


def release(system, phase, now, mood) -> None:
    upload(system, phase, mood=mood, at=now - HOUR)
    run_batch(now)


def page_at(client, address: str) -> str:
    return text_of(client.get(address))


def entry(task: str, number: int) -> LedgerEntry:
    return LedgerEntry.objects.get(task__slug=task, release__number=number)


def by_team(task: str) -> dict[str, float]:
    found: dict[str, float] = TeamBits.objects.get(task__slug=task).by_team
    return found


def test_a_release_is_entered_once_with_what_its_answers_can_carry(system, phase):
    release(system, phase, CUT_OFF, HALF_WRONG)

    assert len(keep_ledger()) == 1
    assert keep_ledger() == []

    found = entry("mood", 1)
    # Four times bad, twice good: zero to four and zero to two of them may be right.
    assert (found.answer_count, found.label_bits) == (1, 6)
    assert found.bound_bits == pytest.approx(log2(5 * 3))
    assert found.spent_bits == found.carried_bits == pytest.approx(log2(5 * 3))
    assert by_team("mood") == {str(system.team_id): pytest.approx(log2(5 * 3))}


def test_printing_benchmark_and_log_are_locked_in_the_order_in_which_everybody_locks_them(system, phase):
    release(system, phase, CUT_OFF, HALF_WRONG)
    with taken_in_order():
        assert enter_in_ledger() == 1


def test_the_same_answers_in_the_next_release_carry_nothing(system, phase):
    release(system, phase, CUT_OFF, HALF_WRONG)
    other = System.objects.create(
        team=create_team(name="South", founder=person("south"), now=NOW), name="Oak", created_at=NOW
    )
    release(other, phase, CUT_OFF + WEEK, HALF_WRONG)
    keep_ledger()

    first, second = entry("mood", 1), entry("mood", 2)
    assert (second.answer_count, second.carried_bits) == (1, 0)
    assert second.spent_bits == first.spent_bits
    # To that team alone they are news.
    assert by_team("mood")[str(other.team_id)] == by_team("mood")[str(system.team_id)]


def test_no_more_is_told_than_there_is_to_know(system, phase):
    moods = [HALF_WRONG, ONE_WRONG, "bad good bad good bad good", "good bad bad bad good good"]
    for week, mood in enumerate(moods):
        release(system, phase, CUT_OFF + week * WEEK, mood)
    keep_ledger()

    spent = [entry("mood", number).spent_bits for number in (1, 2, 3, 4)]
    assert spent == sorted(spent)
    assert spent[-1] == pytest.approx(6)


def test_corrected_gold_labels_are_another_secret_of_the_same_items(system, phase):
    release(system, phase, CUT_OFF, HALF_WRONG)
    task = phase.benchmark.tasks.get(slug="mood")
    corrected = TOY_GOLD["mood"].replace(b"m1,good", b"m1,bad")
    load_gold(task=task, data=corrected, file_name="mood.csv", now=CUT_OFF + HOUR)
    run_batch(CUT_OFF + WEEK)
    keep_ledger()

    assert entry("mood", 2).carried_bits > 0
    assert entry("mood", 2).spent_bits <= entry("mood", 2).label_bits == 6


def test_what_was_told_of_an_answer_stays_told_when_its_file_is_removed(system, phase, monkeypatch):
    release(system, phase, CUT_OFF, HALF_WRONG)
    asked = Submission.objects.get()
    withdraw(submission=asked, user=asked.submitted_by, now=CUT_OFF + HOUR)
    release(new_system("Oak"), phase, CUT_OFF + WEEK, "good good good good good good")
    keep_ledger()
    remove_file(submission=asked, reason="withdrawn", now=CUT_OFF + WEEK)

    monkeypatch.setattr(task_account, "_held", _none_held())  # another process
    release(new_system("Elm"), phase, CUT_OFF + 2 * WEEK, "bad good good good good good")
    keep_ledger()
    assert entry("mood", 3).spent_bits > entry("mood", 2).spent_bits


def test_a_task_that_the_definition_names_no_more_keeps_its_account_and_holds_up_no_other(
    sync, system, phase, monkeypatch
):
    release(system, phase, CUT_OFF, HALF_WRONG)
    keep_ledger()
    sync(
        "".join(
            line for line in TOY_DEFINITION.splitlines(keepends=True) if "id: colour" not in line
        ).replace(", colour: 0.7", "")
    )

    for week in (1, 2):
        _send_moods(
            new_system(f"Oak {week}"), Phase.objects.get(pk=phase.pk), CUT_OFF + week * WEEK, ONE_WRONG
        )
        run_batch(CUT_OFF + week * WEEK)
        keep_ledger()
        monkeypatch.setattr(task_account, "_held", _none_held())  # another process

    assert entry("mood", 3).spent_bits >= entry("mood", 2).spent_bits > entry("mood", 1).spent_bits
    assert entry("colour", 3).spent_bits == entry("colour", 1).spent_bits > 0


def test_what_was_told_stays_told_when_items_may_have_another_label(sync, system, phase):
    """The labels are those of before; only more could have been said."""
    release(system, phase, CUT_OFF, HALF_WRONG)
    keep_ledger()
    sync(TOY_DEFINITION.replace("labels: [bad, good]", "labels: [bad, good, neither]"))

    release(
        new_system("Oak"), Phase.objects.get(pk=phase.pk), CUT_OFF + WEEK, "good good good good good good"
    )
    keep_ledger()

    first, second = entry("mood", 1), entry("mood", 2)
    assert second.spent_bits == pytest.approx(first.spent_bits + second.carried_bits)


def _send_moods(system: System, phase: Phase, at: dt.datetime, moods: str) -> None:
    rows = "".join(f"m{number},{label}\n" for number, label in enumerate(moods.split(), 1))
    data = zip_of({"data/mood/predictions.csv": f"ID,Label\n{rows}"})
    user, before = system.team.members.get(), at - HOUR
    submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=user, data=data, file_name="moods.zip", received_at=before
        )
    )


def _none_held() -> HeldValues[int, task_account.TaskAccount]:
    return HeldValues(task_account.MOST_HELD, lambda account: account.byte_count)


def _all_entries() -> list[tuple[object, ...]]:
    told = ("answer_count", "bound_bits", "carried_bits", "spent_bits", "label_bits")
    rows = LedgerEntry.objects.order_by("release__number", "task__position")
    teams = TeamBits.objects.order_by("task__position").values_list("task__slug", "by_team")
    return [*rows.values_list("release__number", "task__slug", *told), *teams]


def _entries_of_another_process() -> list[tuple[object, ...]]:
    task_account._held = _none_held()
    LedgerEntry.objects.all()._raw_delete(LedgerEntry.objects.db)
    TeamBits.objects.all().delete()
    keep_ledger()
    return _all_entries()


@pytest.mark.parametrize("counting", [Phase.CountingRule.LATEST, Phase.CountingRule.BEST])
def test_a_process_that_goes_on_with_its_account_counts_as_one_that_begins_anew(system, phase, counting):
    Phase.objects.filter(pk=phase.pk).update(counting=counting)
    other = new_system("Oak")
    moods = [HALF_WRONG, HALF_WRONG, ONE_WRONG, "bad good bad good bad good"]
    asked = []
    for week, mood in enumerate(moods):
        upload(other if week % 2 else system, phase, mood=mood, at=CUT_OFF + week * WEEK - HOUR)
        run_batch(CUT_OFF + week * WEEK)
        with CaptureQueriesContext(connection) as queries:
            keep_ledger()
        asked.append(len(queries))

    went_on = _all_entries()
    assert len(set(LedgerEntry.objects.values_list("spent_bits", flat=True))) > 2
    assert went_on == _entries_of_another_process()
    assert TeamBits.objects.count() == 2, "teams are named once for each task, not with each release"
    assert not LedgerEntry.objects.exclude(by_team={}).exists()
    assert len(set(asked[1:])) == 1, "what was entered before is not read again"


def test_what_another_worker_entered_since_is_counted_as_well(system, phase):
    release(system, phase, CUT_OFF, HALF_WRONG)
    keep_ledger()
    held = task_account._held
    task_account._held = _none_held()
    try:
        release(system, phase, CUT_OFF + WEEK, ONE_WRONG)
        keep_ledger()
    finally:
        task_account._held = held
    release(system, phase, CUT_OFF + 2 * WEEK, "bad good bad good bad good")
    keep_ledger()

    assert _all_entries() == _entries_of_another_process()


def test_pages_say_how_much_is_published_after_the_next_sweep(system, phase, client):
    release(system, phase, CUT_OFF, HALF_WRONG)
    assert "bits of its gold labels" not in page_at(client, "/benchmarks/toy/tasks/mood/")

    enter_in_ledger()
    refresh_stale()

    said = "can carry at most 4 of the 6 bits of its gold labels, had every answer been made for that."
    assert said in page_at(client, "/benchmarks/toy/tasks/mood/")
    assert said in page_at(client, "/benchmarks/toy/releases/1/tasks/mood/")
    # The colours are four of three kinds: 6.34 bits.
    assert "of the 12 bits of their gold labels" in page_at(client, "/benchmarks/toy/releases/")


def test_a_sweep_without_a_new_release_prints_nothing(system, phase):
    release(system, phase, CUT_OFF, HALF_WRONG)
    enter_in_ledger()
    refresh_stale()

    assert enter_in_ledger() == 0
    assert refresh_stale() == 0


def test_one_benchmark_that_cannot_be_counted_holds_up_no_page(system, phase, monkeypatch):
    release(system, phase, CUT_OFF, HALF_WRONG)

    def broken(*arguments):
        raise ValueError("what is stored cannot be read")

    monkeypatch.setattr("leaderboard.ledger.accounts.entries_of", broken)

    assert keep_ledger() == []
    assert Release.objects.count() == 1


def test_organisers_are_told_once_when_the_budget_is_passed(system, phase):
    appoint(phase.benchmark, person("organiser"))
    set_budget(benchmark=phase.benchmark, percent=92, now=NOW)
    release(system, phase, CUT_OFF, HALF_WRONG)
    keep_ledger()
    assert mail.outbox == []

    release(system, phase, CUT_OFF + WEEK, ONE_WRONG)
    release(system, phase, CUT_OFF + 2 * WEEK, "bad good bad good bad good")
    keep_ledger()

    (letter,) = mail.outbox
    assert letter.subject == "Toy: published scores have used up the budget of bits"
    assert letter.to == ["organiser@example.org"]
    assert "Mood: at most 6 of 6 bits" in letter.body


def test_the_organiser_sees_gauge_course_and_teams(system, phase):
    organiser = person("organiser", is_staff=True)
    appoint(phase.benchmark, organiser)
    release(system, phase, CUT_OFF, HALF_WRONG)
    keep_ledger()
    browser = browser_of(organiser)

    button = "/admin/benchmarks/benchmark/toy/set_bit_budget/"
    browser.post(button, {"confirmed": "yes", "percent": "70", "reason": "As agreed."})
    page = browser.get("/admin/benchmarks/benchmark/toy/change/").content.decode()

    assert (
        '<meter min="0" max="6.0" value="3.9" low="4.2" high="4.2" optimum="0" aria-label="4 of 6">' in page
    )
    assert "65.1 %" in page
    assert "North" in page
    assert "Published bits over time" in page


@pytest.mark.parametrize("percent", ["0", "101", "many", ""])
def test_a_budget_is_a_share(phase, percent):
    organiser = person("organiser", is_staff=True)
    appoint(phase.benchmark, organiser)
    answer = browser_of(organiser).post(
        "/admin/benchmarks/benchmark/toy/set_bit_budget/",
        {"confirmed": "yes", "percent": percent, "reason": "As agreed."},
    )
    assert answer.status_code == 200
    assert answer.context["question"].form.errors


def two_answers(sync, rule: str):
    """A release of two systems under a rule, in the ledger."""
    quiz = make_quiz(sync, rule)
    for name, wrong in (("Larch", range(600)), ("Oak", range(100, 700))):
        send(new_system(name), quiz, wrong, at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    keep_ledger()
    return quiz


def test_under_sealed_nothing_is_charged_before_the_end(sync, gold_keys):
    two_answers(sync, "sealed")
    assert not LedgerEntry.objects.filter(spent_bits__gt=0).exists()

    end_now(CUT_OFF + WEEK)
    run_batch(CUT_OFF + WEEK)
    keep_ledger()
    assert LedgerEntry.objects.latest("pk").spent_bits > 0


def test_under_protected_judged_answers_are_charged_by_the_bound_that_is_proved(sync, gold_keys):
    """Not by the values that a number can have, and whether a number moved is no matter."""
    two_answers(sync, "protected")

    runs = ScoringRun.objects.all()
    displayed = runs[0].item_count
    sigma = NoisyDisplay(ITEMS // 2, 1 / (ITEMS // 2)).sigma
    expected = displayed * bits_of_a_label((2**0.5) / sigma, 2)
    assert entry("quiz", 1).answer_count == len(runs) == 2
    assert entry("quiz", 1).spent_bits == pytest.approx(expected)


def test_the_same_predictions_are_charged_again_where_another_metric_gives_them_other_noise(sync, gold_keys):
    stating = DEFINITION.replace("test_size: 2000", "test_size: 2000\n    rarest_label_share: 0.3")
    quiz = make_quiz(sync, "protected", definition=stating)
    send(new_system("Larch"), quiz, range(600), at=CUT_OFF - HOUR)
    send(new_system("Oak"), quiz, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    keep_ledger()
    both = "{name: accuracy, title: Accuracy}, {name: f1_macro, title: F1 macro}"
    by_f1 = stating.replace(both, "{name: f1_macro, title: F1 macro}, {name: accuracy, title: Accuracy}")
    sync(by_f1.replace("RULE", "protected").replace("CUT_OFF", WEEKLY))
    send(new_system("Elm"), quiz, range(600), at=CUT_OFF + HOUR)
    run_batch(CUT_OFF + WEEK)
    keep_ledger()

    displayed = ScoringRun.objects.latest("pk").item_count
    assert displayed is not None
    sigma = NoisyDisplay(ITEMS // 2, 1 / (ITEMS // 2)).sigma
    told = [displayed * bits_of_a_label(judged**0.5 / sigma, 2) for judged in (1, 2)]
    assert [entry("quiz", number).spent_bits for number in (1, 2)] == pytest.approx(told)


def test_what_a_metric_told_stays_told_when_the_definition_drops_it(sync, gold_keys):
    """With F1 it was told how many of each label are right; with accuracy alone, how many of both."""
    apart = re.sub("averages:.*", "", DEFINITION)  # an average compares answers, which tells as much
    quiz = make_quiz(sync, "open", definition=apart)
    send(new_system("Larch"), quiz, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    keep_ledger()
    without = apart.replace(", {name: f1_macro, title: F1 macro}", "")
    sync(without.replace("RULE", "open").replace("CUT_OFF", WEEKLY))
    run_batch(CUT_OFF + WEEK)
    keep_ledger()

    assert entry("quiz", 1).spent_bits > 1.5 * log2(ITEMS // 2)
    assert entry("quiz", 2).spent_bits >= entry("quiz", 1).spent_bits


def test_under_open_no_more_than_the_displayed_labels_is_charged(sync, gold_keys):
    quiz = two_answers(sync, "open")
    displayed = ScoringRun.objects.filter(part="displayed")[0].item_count
    for week in range(1, 3):
        for name in range(week * 4, week * 4 + 4):
            wrong = [item for item in range(ITEMS) if (item * 2654435761 >> name) & 1]
            send(new_system(f"System {name}"), quiz, wrong, at=CUT_OFF + (week - 1) * WEEK + HOUR)
        run_batch(CUT_OFF + week * WEEK)
    keep_ledger()

    assert displayed / 10 < entry("quiz", 3).spent_bits <= displayed
    assert entry("quiz", 3).label_bits == ITEMS


def test_a_final_is_charged_for_the_scores_over_all_items_that_stand_beside_those_that_rank(sync, gold_keys):
    """Together they tell the exact score of the displayed half as well."""
    quiz = make_quiz(sync, "protected")
    send(new_system("Larch"), quiz, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    end_now(CUT_OFF + WEEK)
    run_batch(CUT_OFF + WEEK)
    keep_ledger()

    # How many are right of either label: of about a thousand that are kept back, and of all.
    assert entry("quiz", 2).carried_bits == pytest.approx(4 * log2(ITEMS // 2 + 1), rel=0.1)


def test_a_final_is_charged_for_how_many_items_have_each_label_which_pages_show_from_then_on(sync, gold_keys):
    quiz = make_quiz(sync, "open", definition=DEFINITION.replace(", {name: f1_macro, title: F1 macro}", ""))
    end_now(CUT_OFF)
    send(new_system("Larch"), quiz, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    keep_ledger()

    kept_back, of_all = 2 * log2(ITEMS // 2 + 1), log2(ITEMS + 1)
    label_counts = log2(ITEMS + 1)
    assert entry("quiz", 1).spent_bits == pytest.approx(kept_back + of_all + label_counts, rel=0.05)


def test_systems_that_are_compared_are_charged_for_all_that_can_be_told_apart(sync, gold_keys):
    """Three kinds of items: both right, both wrong, and one of them right in each of two hundred."""
    two_answers(sync, "exact")
    scores = 2 * log2(ITEMS + 1)
    assert entry("quiz", 1).spent_bits > scores + 1


def test_page_api_and_ledger_say_the_same_sentence_and_honest_use_does_not_fill_it(sync, gold_keys, client):
    """A dozen honest systems: all can be told apart, and little is expected to be told."""
    quiz = make_quiz(sync, "exact")
    rng = np.random.default_rng(1)
    for name in range(12):
        wrong = np.flatnonzero(rng.random(ITEMS) < np.where(np.arange(ITEMS) % 5 < 3, 0.05, 0.4))
        send(new_system(f"System {name}"), quiz, wrong.tolist(), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    enter_in_ledger()
    refresh_stale()

    bits = published_bits(quiz.benchmark, 1, public=())[""]
    assert bits.honest is not None
    assert bits.spent > 0.4 * bits.all
    assert 0 < bits.honest < 0.1 * bits.all
    (release,) = client.get("/api/v1/benchmarks/quiz/releases/").json()["results"]
    assert release["gold_labels_told"] == bits.sentences(of_one=False)
    assert bits.sentences(of_one=False) in page_at(client, "/benchmarks/quiz/releases/")
    assert bits.sentences(of_one=True) in page_at(client, "/benchmarks/quiz/tasks/quiz/")
    admin = browser_of(person("admin", is_staff=True, is_superuser=True))
    page = admin.get("/admin/benchmarks/benchmark/quiz/change/").content.decode()
    assert re.search(rf"{bits.spent:,} of {bits.all:,}.{{0,900}}>\s*{bits.honest:,}\s*<", page, re.DOTALL)
    docs = (settings.BASE_DIR / "docs" / "test-set.md").read_text("utf-8")
    assert "Honest answers are expected to tell" in " ".join(docs.split())
