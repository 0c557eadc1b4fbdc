"""A person is erased: name, addresses, tokens and mails are gone, and what releases rest on names nobody."""

import datetime as dt
import logging
import secrets

from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q

from accounts.models import MailKind, Team, User
from accounts.services import revoke_invitations
from benchmarks.models import Phase
from benchmarks.notices.models import ParticipantQuestion
from benchmarks.people.models import RoleInvitation
from benchmarks.people.services import owned_alone
from breaking.models import PairFile
from leaderboard.personal_data.holdings import HOLDINGS
from submissions.models import Submission
from submissions.participants import GroupLink, RowClaim
from submissions.quota.slots import holding

logger = logging.getLogger(__name__)

ERASED = "Erased person"
ERASED_ADDRESS = r"^erased-[0-9]+-[0-9a-f]+@invalid$"
"""What the address of an erased account looks like, as a regular expression."""
BY = "Withdrawn by {}."
WITHDRAWN = BY.format("its team")
NO_TEXT = "The question was erased with the account of whoever asked it."


class CannotErase(Exception):
    """Why a person is not erased now, and what has to be done first."""


def _refuse_to_leave_nobody(user: User) -> None:
    """CannotErase where nobody could run the site or a benchmark any more. Of two who are erased at once, one waits."""
    alone = owned_alone(user)
    if user.is_superuser and len(User.objects.operators().select_for_update()) == 1:
        raise CannotErase("You are the only operator of this site. Make somebody else one first.")
    if alone:
        titles = ", ".join(benchmark.title for benchmark in alone)
        raise CannotErase(f"You alone own {titles}. Make somebody else an owner too, or delete it, first.")


def _refuse_while_answers_count(user: User, now: dt.datetime) -> None:
    """CannotErase where answers of a running phase count against the person's quota.

    So do those that were taken back once their scores had been told: with a fresh account it would begin anew.
    """
    sent = Submission.objects.filter(submitted_by=user)
    counting = Q(pk__in=sent.answers().values("phase")) | Q(pk__in=holding(sent).values("phase"))
    running = Phase.objects.filter(counting, Q(closes_at=None) | Q(closes_at__gt=now))
    if phases := [f"{phase.benchmark.title}, {phase.title}" for phase in running.select_related("benchmark")]:
        raise CannotErase(
            f"You have answers in phases that run: {'; '.join(phases)}. An account that begins anew would begin its "
            "quota anew, so yours is erased after them. If it has to be at once, write to whoever runs this site."
        )


@transaction.atomic
def erase(*, user: User, now: dt.datetime, by_operator: bool = False, again: bool = False) -> None:
    """Erase a person for ever. Systems and submissions stay with their teams, and name nobody.

    Nothing speaks against erasing `again` whom a restored backup still knows.

    Raises
    ------
    CannotErase
        If somebody else would be left without what they need; an operator may erase at once what only a quota speaks
        against.
    """
    if not again:
        _refuse_to_leave_nobody(user)
    person = User.objects.select_for_update().get(pk=user.pk)
    if not by_operator and not again:
        _refuse_while_answers_count(person, now)
    _forget_withdrawals(person)
    # A link that they have kept would let them join again with another account.
    for team in Team.objects.filter(memberships__user=person):
        revoke_invitations(team)
    addresses = EmailAddress.objects.filter(user=person).values_list("email", flat=True)
    RoleInvitation.objects.filter(address__in=[one.lower() for one in (person.email, *addresses)]).delete()
    for table in HOLDINGS:
        if table.is_deleted:
            table.rows_of(person).delete()
    ParticipantQuestion.objects.filter(asked_by=person).update(text=NO_TEXT)
    RowClaim.objects.filter(asked_by=person).update(note="")
    _sign_out(person)
    person.name, person.email = ERASED, f"erased-{person.pk}-{secrets.token_hex(4)}@invalid"
    person.timezone, person.last_login = "UTC", None
    person.is_active = person.is_staff = person.is_superuser = False
    for kind in MailKind:
        setattr(person, f"mail_{kind.value}", False)
    person.set_unusable_password()
    person.save()
    logger.info("erased person %s", person.pk)


def _forget_withdrawals(person: User) -> None:
    """Have no withdrawal of a submission or of pairs name a person, by the name or address that they have or had.

    What they were called before is not known: in teams that they are in or shared a quota with, it is each name that
    nobody else there has. To be called before they are taken out of their teams.
    """
    groups = GroupLink.objects.filter(user=person).values("group__root")
    linked = Q(group_links__group__root__in=groups)
    teams = Team.objects.filter(linked | Q(memberships__user=person)).values("pk")
    others = User.objects.filter(linked | Q(memberships__team__in=teams)).exclude(pk=person.pk)
    by_others = [BY.format(one) for one in others]
    addresses = EmailAddress.objects.filter(user=person).values_list("email", flat=True)
    own = Q(status_reason__in=[BY.format(one) for one in (person, person.email, *addresses)])
    former = Q(status_reason__startswith=BY.partition("{")[0]) & ~Q(status_reason__in=by_others)
    for rows in (
        Submission.objects.filter(own | former & Q(system__team__in=teams)),
        PairFile.objects.filter(own | former & Q(team__in=teams)),
    ):
        rows.filter(status="withdrawn").update(status_reason=WITHDRAWN)


def _sign_out(person: User) -> None:
    """End every session of the person; what a session holds can be found by reading it alone."""
    for session in Session.objects.iterator():
        if session.get_decoded().get("_auth_user_id") == str(person.pk):
            session.delete()
