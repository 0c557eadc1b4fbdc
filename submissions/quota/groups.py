"""Groups of people who share a quota: made when a team takes part, grown when somebody joins it, and never split."""

import datetime as dt
import uuid
from collections.abc import Collection, Iterable, Sequence

from django.db import transaction
from django.db.models import FilteredRelation, Q

from accounts.models import Membership, Team, User
from benchmarks.models import Benchmark, Phase
from submissions.models import Submission
from submissions.participants import GroupLink, GroupUse, ParticipantGroup


def groups_of(submissions: Iterable[Submission]) -> dict[uuid.UUID, int | None]:
    """By the ids of submissions the group whose quota and budget each counts against; None for organisers' baselines.

    It changes when the group is merged into another, so it is to be asked anew in every transaction.
    """
    groups = {submission.pk: submission.group_id for submission in submissions}
    roots = _roots({group for group in groups.values() if group is not None})
    return {pk: None if group is None else roots[group] for pk, group in groups.items()}


def locked_uses(groups: Collection[int]) -> dict[int, GroupUse]:
    """What each of these groups has used in its phase, locked until the transaction ends, by the ids given.

    A group that was merged has the row of the group that it is part of now. Rows are locked in a fixed order.
    """
    while True:
        roots = _roots(groups)
        rows = GroupUse.objects.select_for_update().filter(group__in=roots.values())
        uses = {use.group_id: use for use in rows.order_by("pk")}
        if uses.keys() >= set(roots.values()):  # else one was merged between the two queries
            return {group: uses[root] for group, root in roots.items()}


def take_part(submission: Submission) -> int:
    """The id of the group of a submission's team, its sender and all who are in the team now; they are one from now on.

    To be called within the transaction that stores the submission.
    """
    phase, team, sender = submission.phase, submission.system.team_id, submission.submitted_by_id
    shared = _shared_group(phase.pk, team, sender)
    if shared is not None:
        return shared
    _lock(team)
    return _link(phase.pk, [team], _people(team) | {sender})


@transaction.atomic
def link_member(*, team: Team, user: User, now: dt.datetime) -> None:
    """Make a new member of a team part of its groups, in every phase that it takes part in and that is not over."""
    _lock(team.pk)
    taking_part = GroupLink.objects.filter(team=team).exclude(phase__closes_at__lte=now)
    for phase in taking_part.order_by("phase").values_list("phase", flat=True):
        _link(phase, [team.pk], {user.pk})


def link_teams(*, teams: Sequence[Team], now: dt.datetime) -> None:
    """Make one group of teams and their members, in every phase that one of them takes part in and that is not over."""
    keys = [team.pk for team in teams]
    taking_part = GroupLink.objects.filter(team__in=keys).exclude(phase__closes_at__lte=now)
    people = {person for key in keys for person in _people(key)}
    for phase in sorted(set(taking_part.values_list("phase", flat=True))):
        _link(phase, keys, people)


def linked_with(
    benchmark: Benchmark, teams: Collection[uuid.UUID], people: Collection[int]
) -> tuple[set[uuid.UUID], set[int]]:
    """These teams and people, and all that share a quota with them in some phase of a benchmark."""
    found_teams, found_people = set(teams), set(people)
    while True:
        links = GroupLink.objects.filter(phase__benchmark=benchmark)
        theirs = links.filter(Q(team__in=found_teams) | Q(user__in=found_people))
        rows = list(
            links.filter(group__root__in=theirs.values("group__root")).values_list("team_id", "user_id")
        )
        more_teams = {team for team, _ in rows} - {None} - found_teams
        more_people = {person for _, person in rows} - {None} - found_people
        if not more_teams and not more_people:
            return found_teams, found_people
        found_teams |= more_teams
        found_people |= more_people


def _lock(team: uuid.UUID) -> None:
    """Nobody joins the team while its members are linked."""
    Team.objects.select_for_update(no_key=True).get(pk=team)


def _people(team: uuid.UUID) -> set[int]:
    return set(Membership.objects.filter(team=team).values_list("user_id", flat=True))


def _roots(groups: Collection[int]) -> dict[int, int]:
    rows = ParticipantGroup.objects.filter(pk__in=groups)
    return dict(rows.values_list("pk", "root_id"))


def _links(
    phase: int, teams: Collection[uuid.UUID], people: Collection[int]
) -> list[tuple[uuid.UUID | None, int | None, int]]:
    """Of those who are linked already, team or person and the group that counts."""
    links = GroupLink.objects.filter(Q(team__in=teams) | Q(user__in=people), phase=phase)
    rows = links.values_list("team_id", "user_id", "group__root_id")
    return [(linked_team, user, root) for linked_team, user, root in rows if root is not None]


def _shared_group(phase: int, team: uuid.UUID, sender: int) -> int | None:
    """The one group that a team, all its members and a sender belong to already.

    None where something has yet to be linked, or the sender is no member any more.
    """
    of_team = FilteredRelation("team__group_links", condition=Q(team__group_links__phase=phase))
    of_user = FilteredRelation("user__group_links", condition=Q(user__group_links__phase=phase))
    linked = Membership.objects.filter(team=team).annotate(of_team=of_team, of_user=of_user)
    rows = list(linked.values_list("user_id", "of_team__group__root_id", "of_user__group__root_id"))
    roots = {root for _, *both in rows for root in both}
    return roots.pop() if len(roots) == 1 and any(user == sender for user, *_ in rows) else None


def _link(phase: int, teams: Collection[uuid.UUID], people: Collection[int]) -> int:
    """Bring teams and people together in one group: a new one, or all those that they were in, merged."""
    Phase.objects.select_for_update(no_key=True).only("pk").get(pk=phase)  # one such change after the other
    links = _links(phase, teams, people)
    roots = sorted({root for *_, root in links})
    root = _merged(roots) if roots else _new_group(phase)
    known, linked = {team for team, _, _ in links}, {user for _, user, _ in links}
    missing = [GroupLink(group_id=root, phase_id=phase, team_id=team) for team in teams if team not in known]
    missing += [
        GroupLink(group_id=root, phase_id=phase, user_id=user) for user in sorted(set(people) - linked)
    ]
    GroupLink.objects.bulk_create(missing)
    return root


def _new_group(phase: int) -> int:
    group = ParticipantGroup.objects.create(phase_id=phase)
    ParticipantGroup.objects.filter(pk=group.pk).update(root=group)
    GroupUse.objects.create(group=group)
    return group.pk


def _merged(roots: Collection[int]) -> int:
    """The first of these groups, with the links of all, and what all have used added up."""
    root, *others = roots
    if not others:
        return root
    uses = list(GroupUse.objects.select_for_update().filter(group__in=roots).order_by("pk"))
    newest = max((use.window_ends_at for use in uses if use.window_ends_at), default=None)
    GroupUse.objects.filter(group=root).update(
        window_ends_at=newest, used=sum(use.used for use in uses if use.window_ends_at == newest)
    )
    GroupUse.objects.filter(group__in=others).delete()
    ParticipantGroup.objects.filter(root__in=others).update(root=root)
    return root
