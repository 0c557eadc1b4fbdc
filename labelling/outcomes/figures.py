"""How a campaign stands, for its organisers: made in a worker, for answers may be sealed, and telling none."""

import datetime as dt
import logging
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

from django.db import transaction

from labelling.core.aggregation import AGGREGATION_RULES
from labelling.core.aggregation.rule import UnfitSettings
from labelling.core.agreement import Agreement, agreement_with_others, report_agreement
from labelling.core.agreement.report import AgreementEstimate
from labelling.core.answers import Work
from labelling.models import Campaign, CampaignFigures, Unit
from labelling.outcomes.answers_read import WhichAnswers, counted_work, which_count
from scoring.gold.keys import has_private_key

logger = logging.getLogger(__name__)
NOT_BEFORE = dt.timedelta(minutes=5)
"""How long after the last figures of a campaign new ones are made, if other answers count than for these."""
REPLICATES = 500


def figures_due(now: dt.datetime) -> int:
    """Make the figures of running campaigns where other answers count than before; returns how many were made.

    One that fails stops no other.
    """
    if not has_private_key():
        return 0
    return sum(_make_safely(campaign, now) for campaign in Campaign.objects.running())


def _make_safely(campaign: Campaign, now: dt.datetime) -> bool:
    last = campaign.figures.order_by("-made_at").first()
    which = which_count(campaign)
    if last is None:
        is_due = which.total > 0
    else:
        is_due = (last.answer_count, last.newest_answer) != which and last.made_at <= now - NOT_BEFORE
    if not is_due:
        return False
    try:
        work = counted_work(campaign)
        report = report_of(campaign, work)
    except Exception as error:  # noqa: BLE001  # its message or traceback could hold answers
        logger.error("figures of campaign %s met an unforeseen %s", campaign.pk, type(error).__name__)  # noqa: TRY400  # no traceback
        return False
    with transaction.atomic():
        keep_figures(campaign, which, report, now)
    return True


def keep_figures(
    campaign: Campaign, which: WhichAnswers, report: Mapping[str, Any], now: dt.datetime
) -> None:
    """Keep what `report_of` says, unless there are figures of the same answers."""
    CampaignFigures.objects.get_or_create(
        campaign=campaign,
        answer_count=which.total,
        newest_answer=which.newest,
        defaults={"report": report, "made_at": now},
    )


def report_of(campaign: Campaign, work: Work) -> dict[str, Any]:
    """Counts, agreement with intervals, what the rule says of the whole, and how often each worker is with the others.

    Every estimate is `[value, low, high, why there is none]`. Classes are told of campaigns alone that are not sealed.
    """
    answers = Counter(each.unit for each in work.answers)
    groups: dict[str, list[int]] = {}
    for key, group, wanted in campaign.units.filter(part=Unit.Part.MAIN).values_list(
        "key", "group", "wanted"
    ):
        done = groups.setdefault(group, [0, 0])
        done[0] += wanted is not None and answers[key] >= wanted
        done[1] += 1
    report: dict[str, Any] = {
        "answers": len(work.answers),
        "groups": [[group, *done] for group, done in sorted(groups.items())],
        "workers": [[one.worker, one.compared, one.agreed] for one in agreement_with_others(work)],
    }
    if not campaign.rule:
        return report
    seed = f"{campaign.pk}/agreement".encode()
    agreement = report_agreement(work, seed=seed, replicates=REPLICATES)
    report["agreement"] = _as_json(agreement.overall)
    if not campaign.is_sealed:  # how often each class was chosen tells of labels where there are few
        report["classes"] = {str(name): _as_json(one) for name, one in agreement.classes.items()}
    try:
        rng = Random(campaign.order_seed)  # noqa: S311  # of splits in halves, which are no secret
        figures = AGGREGATION_RULES[campaign.rule].figures(work, campaign.rule_settings, rng)
    except UnfitSettings:
        figures = ()
    return report | {"figures": {figure.name: figure.value for figure in figures}}


def _as_json(agreement: Agreement) -> dict[str, Any]:
    return {
        "items": agreement.items,
        "pairs": estimate_as_json(agreement.pairs),
        "fleiss": estimate_as_json(agreement.fleiss),
        "alpha": estimate_as_json(agreement.alpha),
    }


def estimate_as_json(estimate: AgreementEstimate) -> list[Any]:
    """Its value, both ends of its interval, and why there is no value."""
    ends = estimate.interval
    return [estimate.value, ends.low if ends else None, ends.high if ends else None, estimate.because]
