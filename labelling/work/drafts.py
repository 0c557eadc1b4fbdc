"""Begin campaigns and change drafts."""

import datetime as dt
import secrets
from collections.abc import Mapping
from typing import Any

from django.db import transaction

from accounts.models import User
from labelling.exceptions import CannotChangeCampaign
from labelling.models import Campaign

_SEEDS = 2**31


def begin_campaign(*, values: Mapping[str, Any], user: User, now: dt.datetime) -> Campaign:
    """A draft with these columns and a seed of its own."""
    seed = secrets.randbelow(_SEEDS)
    return Campaign.objects.create(**values, order_seed=seed, made_by=user, made_at=now)


@transaction.atomic
def change_draft(*, campaign: Campaign, values: Mapping[str, Any]) -> int:
    """Give a draft these columns; returns how many units it lost.

    Units go where the question or what they were drawn from is another: answers of check questions, and what is asked
    about, might not fit any more.

    Raises
    ------
    CannotChangeCampaign
        If it was opened.
    """
    locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if locked.status != Campaign.Status.DRAFT:
        raise CannotChangeCampaign(
            "The campaign was opened, so what is asked is fixed. Mend what workers read, or begin another."
        )
    before = _about(locked)
    for name, value in values.items():
        setattr(locked, name, value)
    lost = 0
    if _about(locked) != before:
        lost, _ = locked.units.all().delete()
        locked.judged.all().delete()
        locked.judges_systems = False
    locked.save()
    campaign.refresh_from_db()
    return lost


def mend_words(*, campaign: Campaign, values: Mapping[str, Any]) -> None:
    """Change what workers read beside question and options, whenever it is. Consent is asked by its new words."""
    Campaign.objects.filter(pk=campaign.pk).update(**values)
    campaign.refresh_from_db()


def _about(campaign: Campaign) -> tuple[Any, ...]:
    question = campaign.question
    options = [(value, alone) for value, _, _, alone in question["options"]]
    ends = (question["lowest"], question["highest"])
    about = (campaign.task_id, campaign.split_slug, campaign.attack_id, campaign.after_id)
    return (question["kind"], options, ends, *about)
