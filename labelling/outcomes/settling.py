"""Make outcomes of closed campaigns, in a worker: the answers are opened, settled by the rule, and sealed again."""

import datetime as dt
import json
import logging
from collections.abc import Mapping

from django.db import transaction
from django.db.models import F, Max

from benchmarks.services import mark_stale
from labelling.core.aggregation import AGGREGATION_RULES
from labelling.core.aggregation.rule import RuleFigure, UnfitSettings
from labelling.core.answers import Value
from labelling.models import Campaign, Outcome, SealedOutcome, Unit
from labelling.outcomes import PURPOSES
from labelling.outcomes.answers_read import answers_digest, counted_work, tie_rng, which_count
from labelling.outcomes.figures import keep_figures, report_of
from labelling.outcomes.purpose import CannotFinish, Finished, Settled
from scoring.gold.keys import has_private_key
from scoring.gold.versions import public_key
from submissions.intake.sealing import VaultError, seal_file

logger = logging.getLogger(__name__)


def settle_due(now: dt.datetime) -> int:
    """Make the outcomes that are wanted; returns how many were. A campaign that fails stops no other.

    A worker without the private key leaves it to the others.
    """
    if not has_private_key():
        return 0
    _want_again()
    due = Campaign.objects.filter(outcomes_made__lt=F("outcomes_wanted"))
    # Whoever goes on from another campaign was closed after it.
    due = due.select_related("task", "attack", "after").order_by("closed_at")
    return sum(_settle_safely(campaign, now) for campaign in due)


def settled(campaign: Campaign, now: dt.datetime) -> Settled:
    """What the rule makes of the answers that count; the same ones and the same seed give the same."""
    work, rng = counted_work(campaign), tie_rng(campaign)
    if not work.answers:
        raise CannotFinish("Nobody has answered anything that counts.")
    values: Mapping[str, Value | None]
    figures: tuple[RuleFigure, ...] = ()
    if campaign.rule:
        rule = AGGREGATION_RULES[campaign.rule]
        try:
            values = rule.settle(work, campaign.rule_settings, rng)
            figures = rule.figures(work, campaign.rule_settings, rng)
        except UnfitSettings as unfit:
            raise CannotFinish(str(unfit)) from None
    else:  # what was written is kept as it is
        values = {each.unit: each.value for each in work.answers}
    units = {unit.key: unit for unit in campaign.units.filter(part=Unit.Part.MAIN)}
    return Settled(campaign, work, values, figures, units, now)


def _want_again() -> None:
    """Ask for an outcome anew where the last one no longer fits what it was made from."""
    for campaign in Campaign.objects.filter(status="closed", outcomes_made=F("outcomes_wanted")):
        last = campaign.outcomes.first()
        report = last.report if last else {}
        if PURPOSES[campaign.purpose].is_due_again(report, campaign):
            Campaign.objects.filter(pk=campaign.pk).update(outcomes_wanted=F("outcomes_wanted") + 1)


def _settle_safely(campaign: Campaign, now: dt.datetime) -> bool:
    """Whether an outcome was made; if not, organisers are told why in words that tell no answer."""
    wanted = campaign.outcomes_wanted
    try:
        with transaction.atomic():
            locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
            if locked.outcomes_made >= wanted:
                return False  # another worker was faster
            _keep(settled(campaign, now), now)
            Campaign.objects.filter(pk=campaign.pk).update(outcomes_made=wanted, outcome_problem="")
            mark_stale(campaign.benchmark_id)
            return True
    except CannotFinish as problem:
        told = str(problem)
    except VaultError as fault:
        told = f"The answers could not be opened: {fault.code}."
    except Exception as error:  # noqa: BLE001  # its message or traceback could hold labels
        logger.error("the outcome of campaign %s met an unforeseen %s", campaign.pk, type(error).__name__)  # noqa: TRY400  # no traceback
        told = f"The server met an unforeseen {type(error).__name__}. Please report this."
    Campaign.objects.filter(pk=campaign.pk).update(outcomes_made=wanted, outcome_problem=told[:1000])
    return False


def _keep(made: Settled, now: dt.datetime) -> Outcome:
    campaign = made.campaign
    finished: Finished = PURPOSES[campaign.purpose].finish(made)
    report = report_of(campaign, made.work)
    keep_figures(campaign, which_count(campaign), report, now)
    values = made.kept if finished.values is None else finished.values
    kept = {item: campaign.kind.kept(value) for item, value in sorted(values.items())}
    number = (campaign.outcomes.aggregate(last=Max("number"))["last"] or 0) + 1
    outcome = Outcome.objects.create(
        campaign=campaign,
        number=number,
        rule=campaign.rule,
        rule_settings=campaign.rule_settings,
        answers_sha256=answers_digest(made.work),
        report={
            **report,
            "figures": {each.name: each.value for each in made.figures},
            **finished.report,
        },
        values=None if campaign.is_sealed else kept,
        item_count=len(kept),
        set_aside=len(made.values) - len(made.kept),
        gold_version=finished.gold_version,
        made_by=campaign.made_by,
        made_at=now,
    )
    sealed = seal_file(json.dumps(kept).encode(), public_key())
    SealedOutcome.objects.create(outcome=outcome, box=sealed.ciphertext, commitment=sealed.commitment)
    return outcome
