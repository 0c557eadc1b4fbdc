"""Store the units of a draft, in a drawn order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from django.db import transaction

from labelling.exceptions import CannotChangeCampaign
from labelling.models import Campaign, JudgedSubmission, Unit
from submissions.models import Submission

MOST_UNITS = 400_000
Shown = Sequence[Sequence[tuple[str, str]]]
"""Of each item of a unit its texts, each with a heading."""


@dataclass(frozen=True, slots=True)
class NewUnit:
    """A unit that is to be stored.

    `answer`, of check and qualification questions, is as the kind of question keeps it.
    """

    key: str
    items: tuple[str, ...]
    shown: Shown
    part: str = Unit.Part.MAIN
    group: str = ""
    answer: Any = None
    reason: str = ""
    source: Mapping[str, Any] = field(default_factory=dict)
    author: int | None = None
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class JudgedSystems:
    """The submissions that units are about, by their numbers; `ties` as `JudgedSubmission` keeps them."""

    submissions: Mapping[int, Submission]
    ties: Mapping[int, Mapping[str, list[str]]] = field(default_factory=dict)


NO_SYSTEMS = JudgedSystems({})


@transaction.atomic
def store_units(*, campaign: Campaign, units: Sequence[NewUnit], judged: JudgedSystems = NO_SYSTEMS) -> int:
    """Replace the units of a draft, and the submissions that they are about; returns how many units there are now.

    Raises
    ------
    CannotChangeCampaign
        If the campaign was opened, there are none or too many, or two have one key.
    """
    locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if locked.status != Campaign.Status.DRAFT:
        raise CannotChangeCampaign("Units are fixed once a campaign is opened. Begin a new one for others.")
    if not units:
        raise CannotChangeCampaign("There is not one unit.")
    if len(units) > MOST_UNITS:
        raise CannotChangeCampaign(f"There are {len(units):,} units; a campaign may have {MOST_UNITS:,}.")
    keys = {unit.key for unit in units}
    if len(keys) < len(units):
        raise CannotChangeCampaign("Two units have the same id. Give each an id of its own.")
    locked.units.all().delete()
    locked.judged.all().delete()
    _store_judged(locked, judged)
    places = list(range(len(units)))
    Random(f"{locked.order_seed}/units").shuffle(places)  # noqa: S311  # an order, not a secret
    Unit.objects.bulk_create(
        [
            Unit(
                campaign=locked,
                key=unit.key,
                items=list(unit.items),
                shown=[[list(text) for text in item] for item in unit.shown],
                part=unit.part,
                group=unit.group,
                answer=unit.answer,
                reason=unit.reason,
                source=dict(unit.source),
                author_id=unit.author,
                turn=unit.turn,
                draw=place,
                wanted=locked.answers_wanted if unit.part == Unit.Part.MAIN else None,
            )
            for unit, place in zip(units, places, strict=True)
        ],
        batch_size=2_000,
    )
    campaign.judges_systems = locked.judges_systems
    return len(units)


def _store_judged(campaign: Campaign, judged: JudgedSystems) -> None:
    JudgedSubmission.objects.bulk_create(
        [
            JudgedSubmission(
                campaign=campaign, submission=submission, number=number, ties=judged.ties.get(number, {})
            )
            for number, submission in judged.submissions.items()
        ]
    )
    campaign.judges_systems = bool(judged.submissions)
    campaign.save(update_fields=["judges_systems"])
