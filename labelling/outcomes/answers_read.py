"""The answers of a campaign that count, opened and in one order. Sealed ones can be read with the private key alone."""

import hashlib
import json
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from django.db.models import Max

from labelling.core.answers import GivenAnswer, Work
from labelling.models import Answer, Assignment, Campaign, Unit
from labelling.querysets import AssignmentQuerySet
from scoring.gold.box_opening import open_sealed_file

_AT_ONCE = 2_000


class WhichAnswers(NamedTuple):
    """Which answers count, without a look into them: how many there are, and the row of the newest, 0 for none.

    Rows of answers only grow in number, and an answer counts until its worker is excluded: so whatever comes, is
    changed or is taken out gives another pair.
    """

    total: int
    newest: int


def which_count(campaign: Campaign) -> WhichAnswers:
    """Which answers to main units count at present."""
    counted = _counted(campaign)
    newest = Answer.objects.filter(assignment__in=counted).aggregate(newest=Max("pk"))["newest"]
    return WhichAnswers(counted.count(), newest or 0)


def counted_work(campaign: Campaign) -> Work:
    """All answers to main units that count, the newest version of each; errors as `open_sealed_file`."""
    units = campaign.units.filter(part=Unit.Part.MAIN).order_by("draw")
    items_of = {key: tuple(items) for key, items in units.values_list("key", "items")}
    kind = campaign.kind
    answers = [
        GivenAnswer(unit, worker, kind.loaded(kept)) for unit, worker, kept, _ in newest_answers(campaign)
    ]
    return Work(campaign.asked.labels, items_of, answers)


def newest_answers(campaign: Campaign) -> Iterator[tuple[str, int, object, str]]:
    """Of each answer that counts the unit, the worker's number, and what was answered with its note."""
    rows = (
        Answer.objects.filter(assignment__in=_counted(campaign))
        .order_by("assignment__unit__draw", "assignment__worker__number", "-version")
        .values_list(
            "assignment",
            "assignment__unit__key",
            "assignment__worker__number",
            "value",
            "note",
            "box",
            "commitment",
        )
    )
    last = None
    for assignment, unit, worker, value, note, box, commitment in rows.iterator(_AT_ONCE):
        if assignment == last:
            continue
        last = assignment
        if box is not None:
            value, note = json.loads(open_sealed_file(bytes(box), commitment))
        yield unit, worker, value, note


def _counted(campaign: Campaign) -> AssignmentQuerySet:
    return Assignment.objects.counted().filter(unit__campaign=campaign, unit__part=Unit.Part.MAIN)


def answers_digest(work: Work) -> str:
    """The digest of answers: the same ones give the same, in whatever order they came."""
    lines = sorted(json.dumps([each.unit, each.worker, each.value]) for each in work.answers)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def tie_rng(campaign: Campaign) -> Random:
    """The generator by which ties are drawn; its seed stands in the sealed box of the campaign alone."""
    seed = open_sealed_file(bytes(campaign.sealed_seed or b""), campaign.sealed_seed_commitment)
    return Random(seed.hex())  # noqa: S311  # what is secret is the seed
