"""Who gave a webhook its address: it is told nothing more once that person runs the benchmark no longer."""

from accounts.audit.log import entries_of
from accounts.models import User
from benchmarks.people.rights import Right
from benchmarks.people.services import may
from leaderboard.models import Webhook


def told_ones() -> list[Webhook]:
    """The active webhooks that have not fallen silent."""
    active = Webhook.objects.filter(is_active=True).select_related("benchmark")
    return [webhook for webhook in active if gone_giver(webhook) is None]


def gone_giver(webhook: Webhook) -> User | None:
    """Whoever made, changed or took over a webhook last, where they run its benchmark no more; None where they do.

    The audit log says who it was. None, too, where the server itself gave the address.
    """
    newest = entries_of(webhook).first()
    giver = newest.actor if newest else None
    return None if giver is None or may(giver, Right.RUN, webhook.benchmark) else giver
