"""What an upload asks of the database in one question says what the slow and obvious questions say."""

import itertools
from random import Random

import pytest
from allauth.account.models import EmailAddress

from accounts.models import Team, User
from accounts.services import create_team
from benchmarks.models import Benchmark, Phase, Split
from benchmarks.notices.services import write_terms
from submissions.exceptions import BannedFromBenchmark, EmailNotConfirmed, NotYourTeam, TermsNotAccepted
from submissions.models import Predictions, Submission, System
from submissions.participants import GroupLink, ParticipantGroup
from submissions.quota.admission import refuse_inadmissible
from submissions.quota.groups import _shared_group, groups_of
from submissions.quota.slots import quota_of_group, quotas
from submissions.services import refuse_strangers
from submissions.systems.bans import ban
from submissions.systems.replacements import waiting_beside
from tests.conftest import NOW, person
from tests.weeks import CUT_OFF, ONE_WRONG, WEEK, upload

pytestmark = pytest.mark.postgres


def shared_slowly(phase: Phase, team: Team, sender: User) -> int | None:
    """The one group of a team, its members and a sender, asked about each of them by itself."""
    links = [GroupLink.objects.filter(phase=phase, team=team).first()]
    for someone in {*team.members.all(), sender}:
        links.append(GroupLink.objects.filter(phase=phase, user=someone).first())
    roots = {link.group.root_id if link else None for link in links}
    return roots.pop() if len(roots) == 1 else None


def test_one_group_is_found_only_where_everybody_is_linked_to_it(db, phase, sync):
    random, found = Random(5), set()
    other_phase = Phase.objects.create(
        **{**Phase.objects.filter(pk=phase.pk).values()[0], "id": None, "slug": "other"}
    )
    people = [person(f"person{number}") for number in range(4)]
    teams = [create_team(name=f"Team {number}", founder=people[number], now=NOW) for number in range(3)]
    for _ in range(60):
        GroupLink.objects.all().delete()
        for team in teams:
            team.memberships.all().delete()
            for member in random.sample(people, random.randint(0, 3)):
                team.memberships.create(user=member, joined_at=NOW)
        first, second = (ParticipantGroup.objects.create(phase=phase) for _ in range(2))
        first.root, second.root = first, random.choice([first, second])
        first.save()
        second.save()
        for in_phase, one in itertools.product((phase, other_phase), [*teams, *people]):
            if random.random() < 0.85:
                who = {"team": one} if isinstance(one, Team) else {"user": one}
                group = random.choice([first, first, second])
                GroupLink.objects.create(group=group, phase=in_phase, **who)
        for team in teams:
            for sender in team.members.all():
                slowly = shared_slowly(phase, team, sender)
                assert _shared_group(phase.pk, team.pk, sender.pk) == slowly
                found.add(slowly is None)
    assert found == {True, False}


def test_a_sender_who_has_left_meanwhile_is_linked_the_slow_way(phase, system, owner, teammate):
    upload(system, phase)
    system.team.memberships.filter(user=owner).delete()
    assert _shared_group(phase.pk, system.team_id, owner.pk) is None
    assert _shared_group(phase.pk, system.team_id, teammate.pk) is not None


def test_quota_of_the_group_is_that_of_team_and_sender(phase, system, owner, teammate):
    Phase.objects.filter(pk=phase.pk).update(quota_per_day=3, quota_total=9)
    phase.refresh_from_db()
    away = create_team(name="Away", founder=teammate, now=NOW)
    stranger = create_team(name="Strangers", founder=person("stranger"), now=NOW)
    for team in (away, stranger):
        upload(
            System.objects.create(team=team, name="Theirs", created_at=NOW), Phase.objects.get(pk=phase.pk)
        )
    away.memberships.all().delete()
    submission = upload(system, phase, mood=ONE_WRONG)
    assert groups_of([submission])[submission.pk] is not None
    told = quota_of_group(submission, NOW)
    assert told == quotas(submission.submitted_by, [system.team], [phase], NOW)[0]
    assert [count.used for count in told.counts] == [2, 2, 2]
    assert quota_of_group(submission, NOW + WEEK) == quotas(owner, [system.team], [phase], NOW + WEEK)[0]


def beside_slowly(asked: Submission) -> list[object]:
    """The ids of what waits beside a submission, told pair by pair."""

    def splits(one: Submission) -> set[int]:
        return set(one.predictions.values_list("split", flat=True))

    def row(one: Submission) -> list[object]:
        who = one.system.team if one.phase.one_per_team else one.system
        return [one.phase, one.track, one.cut_off_at, who]

    if asked.status != "accepted":
        return []
    waiting = Submission.objects.filter(status="accepted").exclude(pk=asked.pk)
    beside = [one for one in waiting if row(one) == row(asked) and splits(one) & splits(asked)]
    return [one.pk for one in sorted(beside, key=lambda one: (one.received_at, str(one.pk)))]


@pytest.mark.thorough
@pytest.mark.parametrize("one_per_team", [False, True])
def test_what_waits_beside_is_that_of_every_pair(phase, system, owner, one_per_team):
    Phase.objects.filter(pk=phase.pk).update(one_per_team=one_per_team)
    other_team = create_team(name="Away", founder=person("guest"), now=NOW)
    systems = [system] + [
        System.objects.create(team=team, name=name, created_at=NOW)
        for team, name in ((system.team, "Oak"), (other_team, "Elm"))
    ]
    random, splits = Random(3), list(Split.objects.filter(task__benchmark=phase.benchmark_id))
    for number in range(40):
        ended_at = random.choice([None, None, None, NOW])
        submission = Submission.objects.create(
            system=random.choice(systems),
            phase=phase,
            submitted_by=owner,
            status="withdrawn" if ended_at else "accepted",
            ended_at=ended_at,
            track=random.choice(["", "tenth"]),
            received_at=NOW + number % 5 * (CUT_OFF - NOW) / 10,
            cut_off_at=random.choice([CUT_OFF, CUT_OFF + WEEK]),
            file_name=f"{number}.zip",
            file_size=1,
            predictions_sha256=f"{number:064}",
        )
        for split, seed in itertools.product(random.sample(splits, random.randint(0, 2)), (1, 2)):
            Predictions.objects.create(submission=submission, split=split, seed=seed)
    sent = list(Submission.objects.select_related("phase", "system"))
    beside = waiting_beside(sent)
    assert {one.pk: [other.pk for other in beside.get(one.pk, [])] for one in sent} == {
        one.pk: beside_slowly(one) for one in sent
    }
    assert max(map(len, beside.values())) > 2
    assert {one.pk for one in sent if one.status != "accepted"}.isdisjoint(beside)


@pytest.mark.parametrize("visibility", ["public", "unlisted", "private", "draft"])
def test_a_phase_is_named_to_those_who_see_it(phase, owner, outsider, staff, visibility):
    Benchmark.objects.filter(pk=phase.benchmark_id).update(visibility=visibility)
    phase.benchmark.roles.create(user=owner, role="organiser")
    for user, name in itertools.product((owner, outsider, staff), ("toy/main", "toy/none", "none/main")):
        seen = Phase.objects.seen_by(user).filter(
            benchmark=name.partition("/")[0], slug=name.partition("/")[2]
        )
        try:
            found = [Phase.objects.named_to(user, name)]
        except Phase.DoesNotExist:
            found = []
        assert found == list(seen)


def test_a_system_that_was_found_as_one_persons_is_not_anothers(system, owner, teammate, outsider):
    found = System.objects.of(owner).get()
    refuse_strangers(found, owner)
    refuse_strangers(found, teammate)
    for one in (found, System.objects.get()):
        with pytest.raises(NotYourTeam):
            refuse_strangers(one, outsider)
    found = System.objects.of(teammate).get()
    system.team.memberships.filter(user=owner).delete()
    with pytest.raises(NotYourTeam):
        refuse_strangers(found, owner)


def test_a_ban_is_told_first_then_an_address_then_terms(phase, system, owner, staff):
    asked = {"benchmark": phase.benchmark, "team": system.team, "user": owner}
    refuse_inadmissible(**asked)
    write_terms(benchmark=phase.benchmark, text="Be fair.", by=None, now=NOW)
    with pytest.raises(TermsNotAccepted):
        refuse_inadmissible(**asked)
    EmailAddress.objects.filter(user=owner).update(verified=False)
    with pytest.raises(EmailNotConfirmed):
        refuse_inadmissible(**asked)
    ban(
        benchmark=phase.benchmark,
        who=owner,
        reason="Copied.",
        by=staff,
        now=NOW,
        with_linked=False,
        disqualifies=False,
    )
    with pytest.raises(BannedFromBenchmark):
        refuse_inadmissible(**asked)
