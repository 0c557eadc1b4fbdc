"""The quota counts people: everybody linked through teams that take part in a phase shares one quota there."""

import datetime as dt

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import ApiToken
from accounts.services import accept_invitation, create_team, invitation_token, leave_team
from benchmarks.services import reschedule
from submissions.exceptions import QuotaUsedUp, SecondTeam, TooManySystems
from submissions.models import Submission, System
from submissions.participants import GroupUse, ParticipantGroup
from submissions.quota.groups import groups_of, locked_uses
from submissions.quota.participation import join_team
from submissions.services import PredictionUpload, submit_predictions
from submissions.systems.status_transitions import disqualify, follow_schedule, withdraw
from tests.conftest import NOW, person
from tests.pages import text_of
from tests.people import appoint
from tests.quiz import answers, make_quiz
from tests.slots import slots_used, slots_used_by
from tests.uploads import toy_zip

pytestmark = [pytest.mark.thorough, pytest.mark.postgres]

MOODS = ("good good bad bad good bad", "bad good bad bad good bad", "bad bad bad bad good bad")
NEXT_WEEK = NOW + dt.timedelta(days=7)


def send(system, phase, user, mood=MOODS[0], at=NOW):
    return submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=user, data=toy_zip(mood), file_name="b.zip", received_at=at
        )
    ).submission


def send_answers(system, phase, user):
    return submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=user, data=answers([]), file_name="quiz.csv", received_at=NOW
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


def share_a_group(first, second):
    groups = groups_of([first, second])
    return groups[first.pk] == groups[second.pk]


def used_by_all():
    return [use.used for use in GroupUse.objects.order_by("pk")]


def join(team, user, at=NOW):
    join_team(token=invitation_token(team), user=user, now=at)


def test_a_submission_takes_one_slot_of_everybody_in_the_team(system, phase, owner, teammate):
    send(system, phase, owner)

    assert slots_used(team=system.team, phase=phase, at=NOW) == 1
    assert slots_used_by(user=owner, phase=phase, at=NOW) == 1
    assert slots_used_by(user=teammate, phase=phase, at=NOW) == 1


def test_a_withdrawal_before_the_cut_off_gives_the_slot_back(system, phase, owner):
    submission = send(system, phase, owner)

    withdraw(submission=submission, user=owner, now=NOW)

    assert used_by_all() == [0]


def test_a_team_has_its_quota_once_however_many_members_send(system, one_slot, owner, teammate):
    send(system, one_slot, owner)

    with pytest.raises(QuotaUsedUp, match="by you, or somebody you are in a team with"):
        send(system, one_slot, teammate, MOODS[1])


def test_who_changes_teams_has_no_slots_anew(system, one_slot, owner, teammate):
    send(system, one_slot, owner)
    leave_team(team=system.team, user=teammate)

    with pytest.raises(QuotaUsedUp, match="The 1 submission this week is used up"):
        send(system_of("South", teammate), one_slot, teammate, MOODS[1])

    assert slots_used(team=system.team, phase=one_slot, at=NOW) == 1


def test_two_teams_that_share_a_member_share_one_quota(system, one_slot, owner, teammate, outsider):
    """Neither of the two who send is in the other's team, and the member of both sends nothing."""
    second = system_of("South", outsider)
    accept_invitation(token=invitation_token(second.team), user=teammate, now=NOW)
    send(system, one_slot, owner)

    with pytest.raises(QuotaUsedUp):
        send(second, one_slot, outsider, MOODS[1])

    assert used_by_all() == [1]


def test_teams_without_a_common_member_have_a_quota_each(system, one_slot, owner, outsider):
    first = send(system, one_slot, owner)
    second = send(system_of("South", outsider), one_slot, outsider)

    assert used_by_all() == [1, 1]
    assert not share_a_group(first, second)


def test_who_leaves_one_team_and_joins_another_makes_one_group_of_both(
    system, phase, owner, teammate, outsider
):
    second = system_of("South", outsider)
    sent = [
        send(system, phase, owner),
        send(system, phase, teammate, MOODS[1]),
        send(second, phase, outsider),
    ]

    leave_team(team=system.team, user=teammate)
    join(second.team, teammate)

    [use] = GroupUse.objects.all()
    assert use.used == 3
    assert set(groups_of(sent).values()) == {use.group_id}
    assert [locked_uses([one.group_id])[one.group_id] for one in sent] == [use] * 3


def test_leaving_splits_no_group(system, phase, owner, teammate):
    first = send(system, phase, owner)
    leave_team(team=system.team, user=teammate)
    second = send(system_of("South", teammate), phase, teammate, MOODS[1])

    assert share_a_group(first, second)
    assert used_by_all() == [2]


def test_a_chain_of_merged_groups_leads_to_one(phase):
    people = [person(f"person-{number}") for number in range(5)]
    systems = [system_of(f"Team {number}", one) for number, one in enumerate(people)]
    sent = [send(one, phase, user) for one, user in zip(systems, people, strict=True)]
    assert len(set(groups_of(sent).values())) == 5

    for user, (mine, other) in zip(people, ((4, 3), (0, 1), (1, 2), (2, 3)), strict=False):
        newcomer = person(f"of-{user.pk}")
        join(systems[mine].team, newcomer)
        leave = person(f"founder-{user.pk}")
        join(systems[mine].team, leave)
        leave_team(team=systems[mine].team, user=newcomer)
        join(systems[other].team, newcomer)

    [use] = GroupUse.objects.all()
    assert use.used == 5
    assert set(groups_of(sent).values()) == {use.group_id}
    assert set(ParticipantGroup.objects.values_list("root", flat=True)) == {use.group_id}


def test_a_new_window_begins_with_all_slots_and_the_same_group(system, one_slot, owner):
    first = send(system, one_slot, owner)
    second = send(system, one_slot, owner, MOODS[1], at=NEXT_WEEK)

    assert share_a_group(first, second)
    assert used_by_all() == [1]


def test_an_upload_begun_before_the_cut_off_counts_there_when_somebody_was_faster(
    system, one_slot, owner, teammate
):
    """Its slots are those of the earlier window, and no more than there are."""
    send(system, one_slot, owner, at=NEXT_WEEK)

    late = send(system, one_slot, teammate, MOODS[1])

    assert late.quota_window_ends_at < NEXT_WEEK
    assert used_by_all() == [1]
    with pytest.raises(QuotaUsedUp):
        send(system, one_slot, teammate, MOODS[2])
    with pytest.raises(QuotaUsedUp):
        send(system, one_slot, owner, MOODS[2], at=NEXT_WEEK)


def test_who_is_linked_in_one_phase_is_not_in_another(system, phase, owner, teammate, outsider, sync):
    """A group is of a phase: in another benchmark the two teams have a quota each."""
    quiz = make_quiz(sync, "exact")
    second = system_of("South", outsider)
    send(system, phase, owner)
    leave_team(team=system.team, user=teammate)
    join(second.team, teammate)
    first = send_answers(system, quiz, owner)
    other = send_answers(second, quiz, outsider)

    assert not share_a_group(first, other)


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


def test_who_has_left_a_team_goes_on_with_another_and_its_quota(system, phase, owner, teammate):
    second = system_of("South", teammate)
    send(system, phase, teammate)
    leave_team(team=system.team, user=teammate)

    assert send(second, phase, teammate, MOODS[1]).system == second
    assert slots_used(team=second.team, phase=phase, at=NOW) == 2


def test_another_team_may_take_part_in_another_benchmark(system, phase, owner, sync):
    quiz = make_quiz(sync, "exact")
    send(system, phase, owner)
    second = system_of("South", owner)

    assert send_answers(second, quiz, owner).system == second


def test_baselines_of_organisers_bind_nobody_to_their_team(system, phase, owner):
    appoint(phase.benchmark, owner)
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


def test_the_page_counts_what_those_one_is_in_a_team_with_have_used(client, system, phase, owner, teammate):
    """Also for a team that has sent nothing yet: so many slots it would find."""
    send(system, phase, owner)
    system_of("South", teammate)
    client.force_login(teammate)

    page = client.get("/submit/").content.decode()

    assert page.count("4 <small>of 5 left this week</small>") == 2


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


@pytest.mark.parametrize("how", ["optional", "mandatory"])
def test_nothing_is_taken_before_an_address_is_confirmed(client, system, phase, owner, settings, how):
    settings.ACCOUNT_EMAIL_VERIFICATION = how
    owner.emailaddress_set.update(verified=False)
    client.force_login(owner)
    form = {"phase": str(phase), "system": str(system.pk)}

    page = client.post("/submit/", {**form, "file": SimpleUploadedFile("b.zip", toy_zip(MOODS[1]))})
    _, token = ApiToken.objects.create(owner)
    answer = client.post(
        "/api/v1/submissions/",
        {**form, "file": SimpleUploadedFile("b.zip", toy_zip(MOODS[1]))},
        headers={"Authorization": f"Token {token}"},
    )

    assert page.status_code == answer.status_code == 403
    assert "Your e-mail address owner@example.org is not confirmed yet" in text_of(page)
    assert answer.json()["code"] == "email_not_confirmed"
    assert not Submission.objects.exists()
    owner.emailaddress_set.update(verified=True)
    assert send(system, phase, owner)


def test_where_nobody_is_asked_to_confirm_an_address_none_is_needed(system, phase, owner, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "none"
    owner.emailaddress_set.all().delete()

    assert send(system, phase, owner)


@pytest.mark.parametrize("is_over", [False, True])
def test_an_extension_gives_nobody_a_fresh_quota(system, one_slot, owner, is_over):
    one_slot.weekday, one_slot.closes_at = None, NOW + dt.timedelta(hours=1)
    one_slot.save()
    reschedule(phase=one_slot, now=NOW)
    send(system, one_slot, owner)
    later = NOW + dt.timedelta(hours=2 if is_over else 0, minutes=1)
    one_slot.closes_at = NOW + dt.timedelta(hours=9)
    one_slot.save()
    reschedule(phase=one_slot, now=later)
    one_slot.refresh_from_db()
    follow_schedule(phase=one_slot, now=later)

    with pytest.raises(QuotaUsedUp):
        send(system, one_slot, owner, MOODS[1], at=later)


def test_a_weekly_cut_off_that_is_moved_takes_what_was_used_along(system, one_slot, owner):
    send(system, one_slot, owner)
    one_slot.weekday = (one_slot.weekday + 2) % 7
    one_slot.save()
    reschedule(phase=one_slot, now=NOW)
    one_slot.refresh_from_db()
    follow_schedule(phase=one_slot, now=NOW)

    with pytest.raises(QuotaUsedUp):
        send(system, one_slot, owner, MOODS[1])
    assert send(system, one_slot, owner, MOODS[1], at=NEXT_WEEK)


def test_disqualification_gives_no_slot_back(system, one_slot, owner):
    disqualify(submission=send(system, one_slot, owner), reason="A copy.", now=NOW)

    with pytest.raises(QuotaUsedUp):
        send(system, one_slot, owner, MOODS[1])
