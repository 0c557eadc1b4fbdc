"""Who becomes a worker of a campaign: people with an account, with an invitation, or sent by an outside platform."""

import datetime as dt
import hashlib
import secrets
import uuid

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet, Value
from django.utils.crypto import salted_hmac

from accounts.models import User
from benchmarks.people.models import BenchmarkRole
from benchmarks.people.rights import Right, roles_with
from labelling.exceptions import CannotJoin
from labelling.models import Campaign, Invitation, OutsideId, Unit, Worker, outside_digests
from labelling.querysets import WorkerQuerySet
from submissions.models import System

Source, Stage = Worker.Source, Worker.Stage
LONGEST_OUTSIDE_ID = 200
TAKES_PART = (
    "You are in a team that takes part in this benchmark, and these answers tell of its hidden labels. "
    "So you cannot label here."
)
ROLE_IS_OVER = "You are no annotator of this benchmark any more, so you cannot label here."
IS_JUDGED = (
    "You are in a team that takes part in this benchmark, and what its systems gave is judged here. "
    "So you cannot judge it."
)


def consent_digest(campaign: Campaign) -> str:
    """The digest of what workers of a campaign agree to."""
    told = "\n".join((campaign.consent, campaign.content_warning, campaign.pay_note))
    return hashlib.sha256(told.encode()).hexdigest()


def join_with_account(*, campaign: Campaign, user: User, now: dt.datetime) -> Worker:
    """The worker that a person with an account is in a campaign; made at the first call.

    Raises
    ------
    CannotJoin
        If the campaign is not open, the person has no right to label in its benchmark, or the answers tell of hidden
        labels and the person is in a team that takes part.
    """
    found = campaign.workers.filter(user=user).first()
    if found is not None:
        return found
    if not may_label(campaign, user):
        raise CannotJoin(
            "Only people whom the organisers have made annotators label here. Ask them for an invitation."
        )
    refuse_participants(campaign, user)
    return _join(campaign, Source.ACCOUNT, now, user=user)


def may_label(campaign: Campaign, user: User) -> bool:
    """Whether a role in the benchmark lets a person label."""
    return (
        user.is_superuser
        or campaign.benchmark.roles.filter(user=user, role__in=roles_with(Right.LABEL)).exists()
    )


def refuse_participants(campaign: Campaign, user: User) -> None:
    """CannotJoin for a member of a team that takes part, where answers tell of hidden labels or are about systems."""
    if campaign.refuses_participants and _systems_of(user, campaign.benchmark_id).exists():
        raise refusal_of_participants(campaign)


def refusal_of_participants(campaign: Campaign) -> CannotJoin:
    """Why nobody of a team that takes part labels in a campaign."""
    return CannotJoin(IS_JUDGED if campaign.judges_systems else TAKES_PART)


def with_standing(workers: WorkerQuerySet, user: User) -> WorkerQuerySet:
    """Each with `takes_part`, whether the person is in a team that takes part in the campaign's benchmark, and with
    `has_role`, whether they may still label there by their account."""
    benchmark = OuterRef("campaign__benchmark")
    roles = BenchmarkRole.objects.filter(benchmark=benchmark, user=user, role__in=roles_with(Right.LABEL))
    has_role = Value(True) if user.is_superuser else ~Q(source=Source.ACCOUNT) | Exists(roles)
    return workers.annotate(takes_part=Exists(_systems_of(user, benchmark)), has_role=has_role)


def _systems_of(user: User, benchmark: str | OuterRef) -> QuerySet[System]:
    """Those of a person's teams that have taken part in a benchmark."""
    return System.objects.filter(team__memberships__user=user, submissions__phase__benchmark=benchmark)


def invite(
    *, campaign: Campaign, note: str, most_workers: int, expires_at: dt.datetime, user: User, now: dt.datetime
) -> tuple[Invitation, str]:
    """A new invitation and its token, which is kept nowhere."""
    token = secrets.token_urlsafe(24)
    invitation = Invitation.objects.create(
        campaign=campaign,
        token_sha256=_digest(token),
        note=note,
        most_workers=most_workers,
        expires_at=expires_at,
        made_by=user,
        made_at=now,
    )
    return invitation, token


def invitation_of(campaign: Campaign, token: str, now: dt.datetime) -> Invitation:
    """The invitation that a link leads to; CannotJoin where it has expired or was never given."""
    found = campaign.invitations.filter(token_sha256=_digest(token)).first()
    if found is None:
        raise CannotJoin("This link is not one that the organisers have given. Ask them for a new one.")
    if found.expires_at <= now:
        raise CannotJoin("This link has expired. Ask the organisers for a new one.")
    return found


@transaction.atomic
def join_with_invitation(*, invitation: Invitation, once: str, now: dt.datetime) -> Worker:
    """A new worker; CannotJoin once as many people have joined by the link as it is for.

    `once` names the page that the button was on: pressed twice, it leads to one worker.
    """
    Invitation.objects.select_for_update().get(pk=invitation.pk)  # of two at once, the second sees the first
    digest = salted_hmac(
        "labelling.joining", f"{invitation.pk} {once or secrets.token_hex()}", algorithm="sha256"
    )
    key = uuid.UUID(bytes=digest.digest()[:16], version=4)
    found = invitation.campaign.workers.filter(key=key).first()
    if found is not None:
        return found
    free = Invitation.objects.filter(pk=invitation.pk, joined__lt=F("most_workers"))
    if not free.update(joined=F("joined") + 1):
        raise CannotJoin(
            "As many people have joined by this link as it is for. Ask the organisers for another."
        )
    return _join(invitation.campaign, Source.INVITATION, now, invitation=invitation, key=key)


def join_from_panel(*, campaign: Campaign, platform: str, outside_id: str, now: dt.datetime) -> Worker:
    """The worker whom an outside platform knows by an id; the same again for the same id.

    Raises
    ------
    CannotJoin
        If there is no id, or the campaign is not open to newcomers.
    """
    found = worker_from_panel(campaign, platform, outside_id)
    if found is not None:
        return found
    digest = outside_digests(campaign.pk, platform, outside_id)[0]
    try:
        with transaction.atomic():
            worker = _join(campaign, Source.PANEL, now, outside_hmac=digest)
            OutsideId.objects.create(worker=worker, platform=platform, value=outside_id)
            return worker
    except IntegrityError:  # the same person in a second window at the same instant
        return campaign.workers.get(outside_hmac=digest)


def worker_from_panel(campaign: Campaign, platform: str, outside_id: str) -> Worker | None:
    """The worker whom an outside platform knows by an id, if they have joined; CannotJoin where it is no id."""
    if not outside_id or len(outside_id) > LONGEST_OUTSIDE_ID or "\0" in outside_id:
        raise CannotJoin(
            "The link from the platform names no worker. Open the study from the platform again."
        )
    return campaign.workers.filter(
        outside_hmac__in=outside_digests(campaign.pk, platform, outside_id)
    ).first()


@transaction.atomic
def _join(campaign: Campaign, source: Worker.Source, now: dt.datetime, **values: object) -> Worker:
    locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if not locked.is_open:
        raise CannotJoin(locked.paused_because or "This campaign takes no new workers at present.")
    number = (locked.workers.aggregate(last=Max("number"))["last"] or 0) + 1
    qualifies = locked.units.filter(part=Unit.Part.QUALIFICATION).exists()
    return Worker.objects.create(
        campaign=locked,
        number=number,
        source=source,
        stage=Stage.QUALIFYING if qualifies else Stage.WORKING,
        consent_sha256=consent_digest(locked),
        joined_at=now,
        seen_at=now,
        **values,
    )


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
