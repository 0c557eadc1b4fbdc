"""I4: what of a quota is used is what was accepted and not given back."""

import datetime as dt
from collections.abc import Iterator

from django.db.models import Count, Exists, OuterRef, Q

from operations.violation import Invariant, Violation
from scoring.models import BatchEntry
from submissions.models import Submission
from submissions.participants import GroupUse
from submissions.quota.slots import holding


class UsedQuotas(Invariant):
    """Whether the count that uploads are held against is that of the submissions that hold a slot."""

    key = "I4"
    title = "the quota that a group has used is what it sent and was not given back"

    def violations(self, now: dt.datetime, *, thoroughly: bool) -> Iterator[Violation]:
        held = _held()
        for use in GroupUse.objects.exclude(window_ends_at=None).order_by("pk"):
            count, given_back = held.get((use.group_id, use.window_ends_at), (0, 0))
            if not count - given_back <= use.used <= count:
                yield Violation(
                    f"group {use.group_id}, window until {use.window_ends_at:%Y-%m-%d %H:%M} UTC",
                    f"slots noted as used: {use.used}; submissions that hold one: {count}.",
                    "Moving the end of the phase by a minute and back counts its windows anew.",
                )


def _held() -> dict[tuple[int, dt.datetime | None], tuple[int, int]]:
    """By group and window, how many submissions hold a slot; and of how many it was given back all the same.

    One that has failed and was scored later, and one that was withdrawn between its cut-off and the close, counts but
    was given its slot back.
    """
    has_failed = Exists(
        BatchEntry.objects.filter(submission=OuterRef("pk"), outcome=BatchEntry.Outcome.FAILED)
    )
    given_back = Q(has_failed) | Q(status=Submission.Status.WITHDRAWN)
    rows = (
        holding(Submission.objects.all())
        .order_by()
        .values_list("group__root", "quota_window_ends_at")
        .annotate(count=Count("pk"), given_back=Count("pk", filter=given_back))
    )
    return {(group, window): (count, back) for group, window, count, back in rows}
