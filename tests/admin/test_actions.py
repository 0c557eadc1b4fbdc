"""Each button does what it says, and only after its question was answered."""

import datetime as dt
import re
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.db.models import Model
from django.urls import reverse

from accounts.models import Team, User
from accounts.services import invitation_token
from benchmarks.models import Benchmark, Phase
from leaderboard.models import Page, Release
from leaderboard.publication.services import publish_ready
from scoring.gold.versions import load_gold
from scoring.models import Batch, ScoringRun
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.runs import score_all_due
from scoring.queue.wanted_runs import ensure_runs
from submissions.models import Predictions, Submission, System
from tests.admin.conftest import LATER, PRESENT
from tests.conftest import TOY_DEFINITION, TOY_GOLD
from tests.pages import all_rendered, edit
from tests.people import appoint

pytestmark = pytest.mark.thorough

WEEK = dt.timedelta(weeks=1)


@pytest.fixture
def client(client, organiser):
    client.force_login(organiser)
    return client


def button(row: Model, name: str) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_{name}", args=[row.pk])


def texts(answer: Any) -> list[str]:
    return [str(message) for message in answer.context["messages"]]


# --- Close now -----------------------------------------------------------------------------------------------


def test_close_now_says_how_many_submissions_wait(client, world):
    assert "1 waiting" in client.get(button(world.phase, "close_now")).content.decode()


def test_close_now_names_tasks_without_gold(client, world, sync, organiser):
    other = sync(TOY_DEFINITION.replace("id: toy", "id: bare"))
    appoint(other, organiser)
    page = client.get(button(other.phases.get(), "close_now")).content.decode()
    assert "No gold labels are loaded yet for: Mood; Colour." in page


def test_looking_at_close_now_closes_nothing(client, world):
    client.get(button(world.phase, "close_now"), {"confirmed": "yes"})
    assert Batch.objects.count() == 2


def test_close_now_closes_the_phase_with_what_waits(client, world):
    client.post(button(world.phase, "close_now"), {"confirmed": "yes"})
    batch = Batch.objects.latest("pk")
    assert [entry.submission for entry in batch.entries.all()] == [world.waiting]
    world.waiting.refresh_from_db()
    assert world.waiting.status == Submission.Status.SCORING


def test_close_now_pressed_twice_makes_one_release(client, world):
    address = button(world.phase, "close_now")
    (seen,) = re.findall(r'name="seen" value="([^"]*)"', client.get(address).content.decode())
    client.post(address, {"confirmed": "yes", "seen": seen})
    count = Batch.objects.count()
    answer = client.post(address, {"confirmed": "yes", "seen": seen}, follow=True)
    assert "has been closed, or its dates were moved, since you were asked" in texts(answer)[-1]
    assert Batch.objects.count() == count


def test_close_now_says_when_nothing_is_new_since_the_last_close(client, world):
    address = button(world.phase, "close_now")
    assert "Nothing waits to be scored" not in client.get(address).content.decode()
    client.post(address, {"confirmed": "yes"})
    page = client.get(address).content.decode()
    assert "The phase was last closed" in page
    assert "Nothing waits to be scored: that release differs from the one before it only in" in page


def test_close_now_leaves_the_schedule_alone(client, world):
    before = Phase.objects.get().next_cut_off_at
    client.post(button(world.phase, "close_now"), {"confirmed": "yes"})
    assert Phase.objects.get().next_cut_off_at == before


def test_close_now_is_recorded_with_who_did_it(client, world, organiser):
    client.post(button(world.phase, "close_now"), {"confirmed": "yes"})
    entry = LogEntry.objects.get()
    assert (entry.user, entry.get_change_message()) == (organiser, "Closed now.")


# --- Publish -------------------------------------------------------------------------------------------------


def test_publish_shows_the_board_beforehand(client, world):
    page = client.get(button(world.scored, "publish"))
    watch, preview = page.context["question"].tables
    assert len(watch.rows) == 1
    larch = next(row for row in preview.rows if row[1] == "Larch")
    # Five of six moods are right: F1 macro .829; all four colours: 1. Their mean is .914.
    assert (larch[0], larch[2]) == ("1", ".914")


def test_the_preview_says_whether_a_release_has_shown_the_same_answers_before(client, world):
    """Of both submissions of Larch the colours are the same."""
    said = client.get(button(world.scored, "publish")).context["question"].sentences[0]
    assert "Submissions with answers whose scores a release has shown before: 1 of 1." in said
    assert "Nobody" not in said


def test_the_preview_of_answers_that_no_release_has_shown_says_that_nobody_has_seen_them(client, world):
    Predictions.objects.filter(submission=world.unpublished).update(sha256="0" * 64)
    said = client.get(button(world.scored, "publish")).context["question"].sentences[0]
    assert "Nobody but organisers has seen these scores." in said


def test_looking_at_the_preview_publishes_nothing(client, world):
    client.get(button(world.scored, "publish"), {"confirmed": "yes"})
    assert Release.objects.count() == 1


def test_publish_puts_the_release_in_place(client, world):
    client.post(button(world.scored, "publish"), {"confirmed": "yes"})
    assert Release.objects.filter(batch=world.scored, number=2).exists()
    assert Page.objects.filter(pk="/benchmarks/toy/releases/2/").exists()


def test_a_batch_is_not_published_twice(client, world):
    client.post(button(world.scored, "publish"), {"confirmed": "yes"})
    answer = client.post(button(world.scored, "publish"), {"confirmed": "yes"}, follow=True)
    assert texts(answer)[-1] == "This batch is released: there is nothing to publish."
    assert Release.objects.count() == 2


def test_publish_is_offered_only_where_a_release_waits(client, world):
    change = "admin:scoring_batch_change"
    waits = client.get(reverse(change, args=[world.scored.pk])).content.decode()
    out = client.get(reverse(change, args=[world.release.batch_id])).content.decode()
    assert button(world.scored, "publish") in waits
    assert "/publish/" not in out


# --- Disqualify ----------------------------------------------------------------------------------------------


def test_disqualifying_needs_a_reason(client, world):
    answer = client.post(button(world.published, "disqualify"), {"confirmed": "yes", "reason": " "})
    assert "This field is required." in answer.content.decode()
    world.published.refresh_from_db()
    assert world.published.status == Submission.Status.PUBLISHED


def test_a_disqualified_submission_carries_its_public_reason(client, world):
    client.post(button(world.published, "disqualify"), {"confirmed": "yes", "reason": "Made by hand."})
    world.published.refresh_from_db()
    assert (world.published.status, world.published.status_reason) == ("disqualified", "Made by hand.")


def test_what_is_asked_of_a_slot_before_disqualifying_is_what_holds(client, world):
    page = client.get(button(world.waiting, "disqualify")).content.decode()
    assert "Its slot of the quota stays used." in page


def test_looking_at_disqualify_changes_nothing(client, world):
    client.get(button(world.published, "disqualify"), {"confirmed": "yes", "reason": "Made by hand."})
    world.published.refresh_from_db()
    assert world.published.status == Submission.Status.PUBLISHED


def test_several_submissions_are_disqualified_for_one_reason(client, world):
    chosen = {"action": "disqualify_selected", "_selected_action": [world.published.pk, world.waiting.pk]}
    question = client.post(reverse("admin:submissions_submission_changelist"), chosen)
    assert "Disqualify 2 submissions" in question.content.decode()
    client.post(
        reverse("admin:submissions_submission_changelist"),
        {**chosen, "confirmed": "yes", "reason": "The same account."},
    )
    assert Submission.objects.filter(status="disqualified").count() == 2


def test_a_withdrawn_submission_cannot_be_disqualified(client, world):
    Submission.objects.filter(pk=world.waiting.pk).update(status="withdrawn", ended_at=LATER)
    answer = client.post(
        button(world.waiting, "disqualify"), {"confirmed": "yes", "reason": "Late."}, follow=True
    )
    assert "was withdrawn already; nothing was changed" in texts(answer)[-1]


CHANGE = "admin:submissions_submission_change"

# --- Hold back -----------------------------------------------------------------------------------------------


def test_a_submission_is_held_back_for_a_reason_and_let_go(client, world):
    assert "Let it go" not in client.get(reverse(CHANGE, args=[world.published.pk])).content.decode()
    client.post(button(world.published, "hold_back"), {"confirmed": "yes", "reason": "Looks like another."})
    world.published.refresh_from_db()
    assert world.published.held_back_because == "Looks like another."
    page = client.get(reverse(CHANGE, args=[world.published.pk])).content.decode()
    assert "Held back" in page
    assert "Looks like another." in page

    client.post(button(world.published, "let_go"), {"confirmed": "yes"})
    world.published.refresh_from_db()
    assert not world.published.is_held_back


# --- Score again, retry --------------------------------------------------------------------------------------


def fail(submission: Submission) -> None:
    ScoringRun.objects.filter(submission=submission).update(status="failed", error="key_missing")


def test_score_again_sets_failed_runs_going(client, world):
    fail(world.unpublished)
    client.post(button(world.unpublished, "score_again"), {"confirmed": "yes"})
    assert set(world.unpublished.runs.values_list("status", "error")) == {("pending", "")}


def test_score_again_leaves_waiting_submissions_alone(client, world):
    client.post(button(world.waiting, "score_again"), {"confirmed": "yes"})
    assert not world.waiting.runs.exists()


def test_looking_at_score_again_changes_nothing(client, world):
    fail(world.unpublished)
    client.get(button(world.unpublished, "score_again"), {"confirmed": "yes"})
    assert set(world.unpublished.runs.values_list("status", flat=True)) == {"failed"}


def test_retry_sets_the_failed_runs_of_the_chosen_going(client, world):
    fail(world.unpublished)
    run = world.unpublished.runs.first()
    client.post(
        reverse("admin:scoring_scoringrun_changelist"),
        {"action": "retry", "_selected_action": [run.pk], "confirmed": "yes"},
    )
    assert set(world.unpublished.runs.values_list("status", flat=True)) == {"pending"}


def run_week(cut_off: dt.datetime) -> list[Release]:
    close_due(cut_off)
    score_all_due(cut_off)
    finish_batches(cut_off)
    return publish_ready(cut_off)


@pytest.fixture
def regraded(world):
    """Everything is published, then a gold label is put right."""
    Phase.objects.update(publish_automatically=True)
    publish_ready(LATER)
    Submission.objects.filter(pk=world.waiting.pk).update(status="withdrawn", ended_at=LATER)
    mood = world.phase.benchmark.tasks.get(slug="mood")
    load_gold(
        task=mood, data=TOY_GOLD["mood"].replace(b"m1,good", b"m1,bad"), file_name="mood.csv", now=PRESENT
    )
    return world


def test_what_was_scored_again_by_hand_is_in_the_next_release(client, regraded):
    for one in (regraded.published, regraded.unpublished):
        client.post(button(one, "score_again"), {"confirmed": "yes"})
    score_all_due(PRESENT)
    assert len(run_week(Phase.objects.get().next_cut_off_at)) == 1


def test_what_was_retried_by_hand_is_in_the_next_release(client, regraded):
    first = Phase.objects.get().next_cut_off_at
    close_due(first)
    newest = ScoringRun.objects.filter(status="pending")
    assert newest.update(status="failed", error="key_missing")
    finish_batches(first)
    publish_ready(first)
    ensure_runs([regraded.published, regraded.unpublished], now=first + dt.timedelta(hours=1))
    score_all_due(first + dt.timedelta(hours=1))
    assert len(run_week(first + WEEK)) == 1


def test_a_week_without_anything_new_has_no_release(world):
    Phase.objects.update(publish_automatically=True)
    publish_ready(LATER)
    first = Phase.objects.get().next_cut_off_at
    assert len(run_week(first)) == 1
    assert run_week(first + WEEK) == []
    assert Batch.objects.get(cut_off_at=first + WEEK).status == Batch.Status.EMPTY


# --- Render anew ---------------------------------------------------------------------------------------------


def test_render_anew_prints_every_page_again(client, world):
    edit("/benchmarks/toy/releases/1/", b"old")
    client.post(button(world.phase.benchmark, "render_anew"), {"confirmed": "yes"})
    assert b"Larch" in bytes(Page.objects.get(pk="/benchmarks/toy/releases/1/").body)


def test_looking_at_render_anew_prints_nothing(client, world):
    edit("/benchmarks/toy/releases/1/", b"old")
    client.get(button(world.phase.benchmark, "render_anew"), {"confirmed": "yes"})
    assert bytes(Page.objects.get(pk="/benchmarks/toy/releases/1/").body) == b"old"


# --- Systems, benchmarks, people -----------------------------------------------------------------------------


def test_an_organiser_makes_a_system_a_baseline(client, world, system):
    all_rendered()
    client.post(
        reverse("admin:submissions_system_change", args=[system.pk]), {"name": "Larch", "kind": "baseline"}
    )
    system.refresh_from_db()
    assert system.kind == System.Kind.BASELINE
    assert Benchmark.objects.stale().exists()


def test_a_name_that_the_team_uses_already_is_refused(client, world, system):
    System.objects.create(team=system.team, name="Birch", created_at=LATER)
    answer = client.post(
        reverse("admin:submissions_system_change", args=[system.pk]), {"name": "Birch", "kind": "system"}
    )
    assert "The team has another system named" in answer.content.decode()


def test_a_superuser_adds_a_person_who_can_sign_in(client, staff):
    client.force_login(staff)
    client.post(
        reverse("admin:accounts_user_add"),
        {
            "email": "New@Example.org",
            "usable_password": "true",
            "password1": "long-enough-1",
            "password2": "long-enough-1",
        },
    )
    assert client.login(email="new@example.org", password="long-enough-1")


def test_a_person_is_not_added_twice(client, staff, owner):
    client.force_login(staff)
    answer = client.post(
        reverse("admin:accounts_user_add"),
        {
            "email": "OWNER@example.org",
            "usable_password": "true",
            "password1": "long-enough-1",
            "password2": "long-enough-1",
        },
    )
    assert "Somebody has signed up with this e-mail address already." in answer.content.decode()


def team_form(team: Team, *, delete: bool = False, add: User | None = None) -> dict[str, Any]:
    membership = team.memberships.get()
    form = {
        "name": team.name,
        "memberships-TOTAL_FORMS": "2" if add else "1",
        "memberships-INITIAL_FORMS": "1",
        "memberships-0-id": membership.pk,
        "memberships-0-team": team.pk,
        "memberships-0-user": membership.user_id,
    }
    if delete:
        form["memberships-0-DELETE"] = "on"
    if add:
        form |= {"memberships-1-team": team.pk, "memberships-1-user": add.pk}
    return form


def test_a_team_keeps_its_last_member(client, world, staff, team):
    client.force_login(staff)
    answer = client.post(reverse("admin:accounts_team_change", args=[team.pk]), team_form(team, delete=True))
    assert "A team keeps at least one member" in answer.content.decode()
    assert team.memberships.count() == 1


@pytest.mark.parametrize("typed", ["pine", "9" * 40, "1\x00"])
def test_whoever_is_no_person_is_refused_at_the_field(client, world, staff, team, typed):
    client.force_login(staff)
    form = team_form(team) | {"memberships-0-user": typed}
    answer = client.post(reverse("admin:accounts_team_change", args=[team.pk]), form)
    assert answer.status_code == 200
    assert "Please correct the error" in answer.content.decode()


def test_a_superuser_puts_a_person_into_a_team(client, world, staff, team, outsider):
    client.force_login(staff)
    client.post(reverse("admin:accounts_team_change", args=[team.pk]), team_form(team, add=outsider))
    assert team.members.filter(pk=outsider.pk).exists()


def test_a_link_in_the_title_of_a_table_is_plain_text_in_its_label(client, organiser, world):
    client.force_login(organiser)
    page = client.get(f"/admin/submissions/submission/{world.published.pk}/change/").content.decode()
    assert 'aria-label="Scoring runs"' in page
    assert 'aria-label="<a' not in page


def test_who_is_put_out_of_a_team_does_not_come_back_by_an_old_link(client, world, staff, team, outsider):
    link = f"/join/{invitation_token(team)}/"
    put_out = team.memberships.get().user
    client.force_login(staff)
    client.post(
        reverse("admin:accounts_team_change", args=[team.pk]), team_form(team, delete=True, add=outsider)
    )
    client.force_login(put_out)

    assert client.post(link).status_code == 404
    assert list(team.members.all()) == [outsider]
