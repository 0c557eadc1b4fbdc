"""Put everybody who takes part already into groups, and carry over what they have used of a quota."""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

Node = tuple[str, Any]  # a team or a person, by its key


def carry_over(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """One group for everybody linked through teams that have submitted in a phase, with the newest window's count.

    A slot was taken of a team and of a person at once, so each of the two sums counts it once; the greater is kept.
    """
    submission, membership = (
        apps.get_model("submissions", "Submission"),
        apps.get_model("accounts", "Membership"),
    )
    for phase in apps.get_model("benchmarks", "Phase").objects.all():
        took = submission.objects.filter(phase=phase, quota_window_ends_at__isnull=False)
        pairs = set(took.values_list("system__team_id", "submitted_by_id"))
        joined = membership.objects.filter(team__in={team for team, _ in pairs})
        if phase.closes_at is not None:
            joined = joined.filter(joined_at__lt=phase.closes_at)
        for nodes in _components(pairs | set(joined.values_list("team_id", "user_id"))):
            _make_group(apps, phase, nodes)


def _components(pairs: set[tuple[Any, Any]]) -> list[set[Node]]:
    """Teams and people that such pairs of them link, however far."""
    found: list[set[Node]] = []
    for team, user in pairs:
        nodes: set[Node] = {("team", team), ("user", user)}
        touched = [one for one in found if one & nodes]
        found = [one for one in found if not one & nodes]
        found.append(nodes.union(*touched))
    return found


def _make_group(apps: StateApps, phase: Any, nodes: set[Node]) -> None:
    groups, uses = (
        apps.get_model("submissions", "ParticipantGroup"),
        apps.get_model("submissions", "QuotaUse"),
    )
    links, submissions = (
        apps.get_model("submissions", "GroupLink"),
        apps.get_model("submissions", "Submission"),
    )
    group = groups.objects.create(phase=phase)
    groups.objects.filter(pk=group.pk).update(root=group)
    links.objects.bulk_create(links(group=group, phase=phase, **{f"{kind}_id": key}) for kind, key in nodes)
    teams = {key for kind, key in nodes if kind == "team"}
    people = {key for kind, key in nodes if kind == "user"}
    rows = [
        *uses.objects.filter(phase=phase, team__in=teams),
        *uses.objects.filter(phase=phase, user__in=people),
    ]
    newest = max((use.window_ends_at for use in rows), default=None)
    of_newest = [use for use in rows if use.window_ends_at == newest]
    apps.get_model("submissions", "GroupUse").objects.create(
        group=group,
        window_ends_at=newest,
        used=max(
            sum(use.used for use in of_newest if use.team_id),
            sum(use.used for use in of_newest if use.user_id),
        ),
    )
    submissions.objects.filter(
        phase=phase, system__team__in=teams, quota_window_ends_at__isnull=False
    ).update(group=group)


class Migration(migrations.Migration):
    dependencies = [("submissions", "0002_participant_groups")]

    operations = [migrations.RunPython(carry_over, migrations.RunPython.noop)]
