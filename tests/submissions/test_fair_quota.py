"""The quota counts people: a submission takes a slot of its team and one of whoever sends it."""

import datetime as dt

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.services import create_team, invitation_token
from submissions.exceptions import QuotaUsedUp, SecondTeam, TooManySystems
from submissions.models import QuotaUse, Submission, System
from submissions.services import PredictionUpload, submit_predictions
from submissions.systems.status_transitions import withdraw
from tests.conftest import NOW, person
from tests.pages import text_of
from tests.quiz import answers, make_quiz
from tests.slots import slots_used, slots_used_by
from tests.uploads import toy_zip

pytestmark = pytest.mark.postgres

MOODS = ("good good bad bad good bad", "bad good bad bad good bad", "bad bad bad bad good bad")
NEXT_WEEK = NOW + dt.timedelta(days=7)


def send(system, phase, user, mood=MOODS[0], at=NOW):
    return submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=user, data=toy_zip(mood), file_name="b.zip", received_at=at
        )
    ).submission


def system_of(name, user):
    team = create_team(name=name, founder=user, now=NOW)
    return System.objects.create(team=team, name="Fir", created_at=NOW)


@pytest.fixture
def one_slot(phase):
    phase.quota_limit = 1
    phase.save()
    return phase


def used(submission):
    of = {"phase": submission.phase, "at": NOW}
    return slots_used(team=submission.system.team, **of), slots_used_by(user=submission.submitted_by, **of)


def test_a_submission_takes_a_slot_of_its_team_and_one_of_its_sender(system, phase, owner):
    assert used(send(system, phase, owner)) == (1, 1)


def test_a_withdrawal_before_the_cut_off_gives_both_slots_back(system, phase, owner):
    submission = send(system, phase, owner)

    withdraw(submission=submission, user=owner, now=NOW)

    assert used(submission) == (0, 0)


def test_a_team_has_its_quota_once_however_many_members_send(system, one_slot, owner, teammate):
    send(system, one_slot, owner)

    with pytest.raises(QuotaUsedUp, match="Your team has used all 1 submissions this week"):
        send(system, one_slot, teammate, MOODS[1])

    assert slots_used_by(user=teammate, phase=one_slot, at=NOW) == 0


def test_who_changes_teams_before_the_cut_off_has_no_slots_anew(system, one_slot, owner, teammate):
    """The teammate goes on with a team that has sent nothing, and its own slots go along."""
    send(system, one_slot, teammate)
    Submission.objects.update(
        quota_window_ends_at=None
    )  # as if it were no answer: only the slots are looked at
    new = system_of("South", teammate)

    with pytest.raises(QuotaUsedUp, match="of your own, over all your teams"):
        send(new, one_slot, teammate, MOODS[1])

    assert slots_used(team=new.team, phase=one_slot, at=NOW) == 0


def test_two_teams_of_one_person_do_not_both_take_part_in_a_benchmark(system, phase, owner):
    second = system_of("South", owner)
    send(system, phase, owner)

    with pytest.raises(SecondTeam, match="You belong to the team North, which has submitted to Toy"):
        send(second, phase, owner, MOODS[1])


def test_a_member_of_a_team_that_takes_part_sends_nothing_for_another(system, phase, owner, teammate):
    second = system_of("South", teammate)
    send(system, phase, owner)

    with pytest.raises(SecondTeam, match="Submit this for a system of North, or leave that team first"):
        send(second, phase, teammate, MOODS[1])


def test_a_submission_that_was_withdrawn_in_time_binds_nobody_to_its_team(system, phase, owner):
    second = system_of("South", owner)
    withdraw(submission=send(system, phase, owner), user=owner, now=NOW)

    assert send(second, phase, owner).system == second


def test_who_has_left_a_team_goes_on_with_another_after_the_cut_off(system, phase, owner, teammate):
    second = system_of("South", teammate)
    send(system, phase, teammate)
    system.team.memberships.filter(user=teammate).delete()

    with pytest.raises(SecondTeam, match="Submit this after the cut-off, Mon 23 Nov 2026, 00:00 UTC"):
        send(second, phase, teammate, MOODS[1])

    assert send(second, phase, teammate, MOODS[1], at=NEXT_WEEK).system == second


def test_another_team_may_take_part_in_another_benchmark(system, phase, owner, sync):
    quiz = make_quiz(sync, "exact")
    send(system, phase, owner)
    second = system_of("South", owner)

    receipt = submit_predictions(
        PredictionUpload(
            system=second, phase=quiz, user=owner, data=answers([]), file_name="quiz.csv", received_at=NOW
        )
    )

    assert receipt.submission.system == second


def test_baselines_of_organisers_bind_nobody_to_their_team(system, phase, owner):
    phase.benchmark.organisers.add(owner)
    baselines = create_team(name="Baselines", founder=owner, now=NOW)
    baseline = System.objects.create(
        team=baselines, name="Majority", kind=System.Kind.BASELINE, created_at=NOW
    )

    send(baseline, phase, owner)

    assert send(system, phase, owner).system == system
    assert send(baseline, phase, owner, MOODS[1]).quota_window_ends_at is None


def test_a_team_takes_part_with_so_many_systems_and_no_more(system, phase, owner, settings):
    settings.MOST_SYSTEMS = 1
    second = System.objects.create(team=system.team, name="Fir", created_at=NOW)
    send(system, phase, owner)

    with pytest.raises(TooManySystems, match="takes part in Toy with as many systems as a team may"):
        send(second, phase, owner, MOODS[1])

    assert send(system, phase, owner, MOODS[1]).system == system
    assert slots_used(team=system.team, phase=phase, at=NOW) == 2


def test_the_page_says_whose_slots_are_used_up(client, system, one_slot, owner):
    QuotaUse.objects.create(user=owner, phase=one_slot, window_ends_at=one_slot.cut_off_after(NOW), used=1)
    client.force_login(owner)

    page = text_of(client.get("/submit/"))

    assert "of your own, over all your teams" in page


def test_the_page_of_a_refused_upload_names_the_other_team(client, system, phase, owner):
    send(system, phase, owner)
    second = system_of("South", owner)
    client.force_login(owner)
    form = {
        "phase": str(phase),
        "system": str(second.pk),
        "file": SimpleUploadedFile("b.zip", toy_zip(MOODS[1])),
    }

    answer = client.post("/submit/", form)

    assert answer.status_code == 409
    assert "Submit this for a system of North" in text_of(answer)


def test_an_account_of_two_teams_cannot_be_made_by_joining(client, system, phase, owner, outsider):
    send(system, phase, owner)
    second = system_of("South", outsider)
    send(second, phase, outsider, MOODS[1])
    client.force_login(outsider)

    answer = client.post(f"/join/{invitation_token(system.team)}/")

    assert answer.status_code == 409
    assert "Your team South and the team North have both submitted to Toy" in text_of(answer)
    assert list(system.team.members.all()) == [owner]


def test_who_has_submitted_for_no_team_joins_one_that_has(client, system, phase, owner):
    send(system, phase, owner)
    newcomer = person("newcomer")
    system_of("South", newcomer)
    client.force_login(newcomer)

    assert client.post(f"/join/{invitation_token(system.team)}/").status_code == 302
    assert newcomer in system.team.members.all()
