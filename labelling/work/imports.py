"""Import answers that were given elsewhere: each row becomes a worker's answer, as if it had been given here."""

import datetime as dt
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, Max

from labelling.core.answer_files import FoundAnswer, read_answers
from labelling.exceptions import CannotChangeCampaign
from labelling.models import Answer, Assignment, Campaign, OutsideId, Unit, Worker, outside_digests
from labelling.work.answers import answer_content
from scoring.file_refusal import FileRefused

PLATFORM = "import"
_AT_ONCE = 2_000


@dataclass(frozen=True, slots=True)
class Imported:
    """How many answers were taken in, how many of them count, and by how many workers."""

    answers: int
    counted: int
    workers: int


def import_answers(*, campaign: Campaign, data: bytes, file_name: str, now: dt.datetime) -> Imported:
    """Take in a file of answers; the same one again changes nothing.

    Those beyond what a unit wants, and of workers who are excluded, are kept and do not count.

    Raises
    ------
    FileRefused
        If the file has problems.
    CannotChangeCampaign
        If the campaign is not open.
    """
    items_of = dict(campaign.units.filter(part=Unit.Part.MAIN).values_list("key", "items"))
    read = read_answers(data, file_name=file_name, question=campaign.asked, items_of=items_of)
    return keep_answers(campaign=campaign, found=read.content_or(FileRefused.because_of), now=now)


@transaction.atomic
def keep_answers(*, campaign: Campaign, found: Sequence[FoundAnswer], now: dt.datetime) -> Imported:
    """Take in answers that were read; see `import_answers`."""
    locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if not locked.is_open:
        raise CannotChangeCampaign("Answers can only be imported into an open campaign. Open it first.")
    # Workers before units, and both in the order in which places are freed.
    workers = _workers(locked, list(dict.fromkeys(each.worker for each in found)), now)
    main = locked.units.filter(part=Unit.Part.MAIN).order_by("pk")
    units = {unit.key: unit for unit in main.select_for_update()}
    had = set(Assignment.objects.filter(worker__in=workers.values()).values_list("unit", "worker"))
    numbers = Counter({worker.pk: worker.given for worker in workers.values()})
    assignments, answers = [], []
    for each in found:
        unit, worker = units[each.unit], workers[each.worker]
        if (unit.pk, worker.pk) in had:
            continue
        is_free = unit.wanted is None or unit.taken < unit.wanted
        counts = is_free and worker.stage != Worker.Stage.EXCLUDED
        unit.taken += counts
        numbers[worker.pk] += 1
        assignment = Assignment(
            unit=unit,
            worker=worker,
            number=numbers[worker.pk],
            status=Assignment.Status.ANSWERED,
            holds_place=counts,
            given_at=now,
            expires_at=now,
            answered_at=now,
        )
        assignments.append(assignment)
        answers.append(
            Answer(
                assignment=assignment,
                version=1,
                client_id=uuid.uuid4(),
                given_at=now,
                **answer_content(locked, unit.part, each.value, each.note),
            )
        )
    Assignment.objects.bulk_create(assignments, batch_size=_AT_ONCE)
    Answer.objects.bulk_create(answers, batch_size=_AT_ONCE)
    Unit.objects.bulk_update(units.values(), ["taken"], batch_size=_AT_ONCE)
    for worker in workers.values():
        more = numbers[worker.pk] - worker.given
        Worker.objects.filter(pk=worker.pk).update(given=F("given") + more, answered=F("answered") + more)
    return Imported(len(answers), sum(each.holds_place for each in assignments), len(workers))


def _workers(campaign: Campaign, names: Sequence[str], now: dt.datetime) -> dict[str, Worker]:
    """The workers of these names, locked, made where they are new."""
    imported = campaign.workers.filter(source=Worker.Source.IMPORT).order_by("pk")
    known = {worker.outside_hmac: worker for worker in imported.select_for_update(of=("self",))}
    every = {name: outside_digests(campaign.pk, PLATFORM, name) for name in names}
    digests = {name: next((one for one in own if one in known), own[0]) for name, own in every.items()}
    last = campaign.workers.aggregate(last=Max("number"))["last"] or 0
    new = [
        Worker(
            campaign=campaign,
            number=last + place,
            source=Worker.Source.IMPORT,
            stage=Worker.Stage.DONE,
            outside_hmac=digests[name],
            joined_at=now,
            seen_at=now,
        )
        for place, name in enumerate((name for name in names if digests[name] not in known), start=1)
    ]
    Worker.objects.bulk_create(new)
    known |= {worker.outside_hmac: worker for worker in new}
    named = {digests[name]: name for name in names}
    OutsideId.objects.bulk_create(
        [OutsideId(worker=worker, platform=PLATFORM, value=named[worker.outside_hmac]) for worker in new]
    )
    return {name: known[digest] for name, digest in digests.items()}
