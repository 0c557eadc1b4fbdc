"""Open, pause, resume and close campaigns."""

import datetime as dt
import hashlib
import json
import secrets

from django.db import transaction

from labelling.core.questions.question import UnfitQuestion
from labelling.exceptions import CannotChangeCampaign
from labelling.models import Assignment, Campaign, Unit
from labelling.work.readiness import refuse_unready
from labelling.work.returns import return_lapsed
from scoring.file_refusal import FileRefused
from scoring.gold.versions import public_key
from submissions.intake.sealing import seal_file

Status = Campaign.Status
_SEED_BYTES = 32


@transaction.atomic
def open_campaign(*, campaign: Campaign, now: dt.datetime) -> None:
    """Open a draft: from now on question, rule, limits and units are fixed, and their digest says what they were.

    Raises
    ------
    CannotChangeCampaign
        If it is no draft, its question cannot be asked, it has no units, there is no key to seal answers with, or the
        model that it asks is not ready.
    """
    locked = _in_status(campaign, Status.DRAFT)
    try:
        locked.kind.check(locked.asked)
        key = public_key()
    except (UnfitQuestion, FileRefused) as fault:
        raise CannotChangeCampaign(str(fault)) from None
    if not locked.units.filter(part=Unit.Part.MAIN).exists():
        raise CannotChangeCampaign("There are no units yet. Add what is to be labelled first.")
    if locked.check_share and not locked.units.filter(part=Unit.Part.CHECK).exists():
        raise CannotChangeCampaign(
            f"{100 * locked.check_share:g} % check questions are asked for, and there is none among the units."
        )
    refuse_unready(locked)
    sealed = seal_file(secrets.token_bytes(_SEED_BYTES), key)
    locked.sealed_seed, locked.sealed_seed_commitment = sealed.ciphertext, sealed.commitment
    locked.units.filter(part=Unit.Part.MAIN).update(wanted=locked.answers_wanted)
    locked.definition_sha256 = definition_digest(locked)
    locked.status, locked.opened_at = Status.OPEN, now
    locked.save()
    campaign.refresh_from_db()


def pause_campaign(*, campaign: Campaign, reason: str, now: dt.datetime) -> None:
    """Give out no more units until it is resumed; answers to those in hand are taken. Workers read the reason."""
    with transaction.atomic():
        locked = _in_status(campaign, Status.OPEN)
        locked.status, locked.paused_because = Status.PAUSED, reason[:300]
        locked.save(update_fields=["status", "paused_because"])
    campaign.refresh_from_db()


def resume_campaign(*, campaign: Campaign, now: dt.datetime) -> None:
    """Give out units again. What is in hand gets the time that the pause has taken from it."""
    with transaction.atomic():
        locked = _in_status(campaign, Status.PAUSED)
        locked.status, locked.paused_because = Status.OPEN, ""
        locked.save(update_fields=["status", "paused_because"])
        lease = dt.timedelta(minutes=locked.lease_minutes)
        Assignment.objects.held().filter(unit__campaign=locked).update(expires_at=now + lease)
    campaign.refresh_from_db()


def close_campaign(*, campaign: Campaign, now: dt.datetime) -> None:
    """End it: what is in hand is given back, no answer is taken any more, and a worker makes the outcome."""
    with transaction.atomic():
        locked = _in_status(campaign, Status.OPEN, Status.PAUSED)
        locked.status, locked.closed_at, locked.paused_because = Status.CLOSED, now, ""
        locked.outcomes_wanted = 1
        locked.save(update_fields=["status", "closed_at", "paused_because", "outcomes_wanted"])
        held = Assignment.objects.held().filter(unit__campaign=locked)
        held.update(expires_at=now)
    return_lapsed(now)
    campaign.refresh_from_db()


def want_outcome(*, campaign: Campaign, clues_are_known: bool) -> None:
    """Have a worker make an outcome of a closed campaign once more."""
    with transaction.atomic():
        locked = _in_status(campaign, Status.CLOSED)
        locked.outcomes_wanted += 1
        locked.clues_are_known = locked.clues_are_known or clues_are_known
        locked.save(update_fields=["outcomes_wanted", "clues_are_known"])
    campaign.refresh_from_db()


def definition_digest(campaign: Campaign) -> str:
    """The digest of what is fixed when a campaign is opened: question, rule, limits, units and whose they are."""
    digest = hashlib.sha256()
    median_of = campaign.qualification_median_of
    fixed = {
        "question": campaign.question,
        "rule": [campaign.rule, campaign.rule_settings],
        "answers_wanted": campaign.answers_wanted,
        "checks": [campaign.check_share, campaign.check_threshold, campaign.check_least],
        "qualification": f"median of {median_of}" if median_of else campaign.qualification_threshold,
        "seed": campaign.order_seed,
    }
    digest.update(json.dumps(fixed, sort_keys=True, default=str).encode())
    for row in campaign.units.order_by("draw").values_list("key", "part", "items", "shown", "answer"):
        digest.update(json.dumps(row).encode())
    if campaign.judges_systems:
        for judged in campaign.judged.order_by("number").values_list("number", "submission", "ties"):
            digest.update(json.dumps(judged, sort_keys=True, default=str).encode())
        for source in campaign.units.order_by("draw").values_list("source", flat=True):
            digest.update(json.dumps(source, sort_keys=True).encode())
    return digest.hexdigest()


def _in_status(campaign: Campaign, *wanted: Status) -> Campaign:
    locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if locked.status not in wanted:
        raise CannotChangeCampaign(f"The campaign is {locked.get_status_display()}, so this cannot be done.")
    return locked
