"""Two teams become one: pairs that the one has handed in, and labels that it contests, are the other's from then on."""

from django.db.models import Q

from accounts.models import Team
from breaking.models import Contest, PairFile, Vote
from breaking.querysets import lock_task
from submissions.systems.team_merges import also_brings


@also_brings
def bring_pairs_and_contests(team: Team, into: Team) -> None:
    """Have files of pairs, contests and voices of a team go over to another, where that has none of its own.

    Sets keep the names under which they were made. Files stay where they are for tasks that both have files for, and
    where the name of their team was removed: what their sets are called instead is looked up by it.
    """
    files = PairFile.objects.filter(team=team)
    if team.name_removed_at is None:
        for task in sorted(set(files.order_by().values_list("task", flat=True))):
            lock_task(task)
        of_both = list(PairFile.objects.filter(team=into).order_by().values_list("task", flat=True))
        files.exclude(task__in=of_both).update(team=into)
    Contest.objects.filter(team=team).update(team=into)
    heard = Contest.objects.filter(Q(team=into) | Q(votes__team=into)).values_list("pk", flat=True)
    Vote.objects.filter(team=team).exclude(contest__in=list(heard)).update(team=into, voter=into.name)
