"""I10: of whoever was erased nothing personal is left."""

import datetime as dt
from collections.abc import Iterator

from accounts.models import User
from leaderboard.personal_data.erasure import ERASED, ERASED_ADDRESS
from leaderboard.personal_data.holdings import HOLDINGS
from operations.violation import Invariant, Violation

DO = "`manage.py erase_person` erases them once more; `manage.py restore` does so by its list of erasures."


class Tombstones(Invariant):
    """Whether erased accounts have no name, cannot sign in, and own no row that goes with its person."""

    key = "I10"
    title = "nothing personal is left of who was erased"

    def violations(self, now: dt.datetime, *, thoroughly: bool) -> Iterator[Violation]:
        erased = User.objects.filter(email__regex=ERASED_ADDRESS)
        for person in erased.order_by("pk"):
            if person.name != ERASED or person.is_active:
                yield Violation(f"person {person.pk}", "the account has a name, or can sign in.", DO)
        for holding in HOLDINGS:
            if not holding.is_deleted:
                continue
            left = holding.rows().filter(**{f"{holding.person}__in": erased})
            if count := left.count():
                yield Violation(holding.model, f"{count} rows are of people who were erased.", DO)
