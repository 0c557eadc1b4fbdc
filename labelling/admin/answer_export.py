"""Answers and values as files: workers under numbers that are fresh in each, never by an account or an outside id."""

import secrets
from collections.abc import Iterator

from django.http import HttpResponse

from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.organised_admin import Question
from catalogue.csv_text import as_answer, csv_bytes
from labelling.core.agreement import ItemDisagreement, disagreement_by_item
from labelling.core.questions.several_labels import SEPARATOR
from labelling.exceptions import CannotChangeCampaign
from labelling.models import Answer, Assignment, Campaign, Worker
from labelling.outcomes.answers_read import counted_work

SEALED = (
    "The answers are sealed: no web page can read them, and this one neither. What they came to stands in the outcome; "
    "gold labels that were made of them are opened with those of their split."
)


def export_answers(campaign: Campaign) -> bytes:
    """All answers, the newest version of each, as CSV. The first columns are those of a file of answers.

    Raises
    ------
    CannotChangeCampaign
        If they are sealed.
    """
    if campaign.is_sealed:
        raise CannotChangeCampaign(SEALED)
    heads = ("unit", "worker", *campaign.kind.fields, "note", "part", "group", "counts", "seconds")
    return csv_bytes(heads, _lines(campaign), is_synthetic=campaign.benchmark.is_synthetic, escape=as_answer)


def _lines(campaign: Campaign) -> Iterator[tuple[str, ...]]:
    numbers = _fresh_numbers(campaign)
    rows = (
        Answer.objects.filter(assignment__worker__campaign=campaign)
        .filter(assignment__status=Assignment.Status.ANSWERED)
        .order_by("assignment__unit__draw", "assignment", "-version")
        .select_related("assignment__unit")
    )
    last = None
    lines = []
    for answer in rows.iterator(2_000):
        assignment = answer.assignment
        if assignment.pk == last:
            continue
        last = assignment.pk
        unit = assignment.unit
        lines.append(
            (
                unit.draw,
                numbers[assignment.worker_id],
                (
                    unit.key,
                    str(numbers[assignment.worker_id]),
                    *campaign.kind.cells(campaign.kind.loaded(answer.value)),
                    answer.note,
                    unit.part,
                    unit.group,
                    "yes" if assignment.holds_place else "no",
                    f"{answer.milliseconds / 1000:.1f}" if answer.milliseconds else "",
                ),
            )
        )
    # By the fresh numbers: the order in which people joined is not told.
    yield from (line for _, _, line in sorted(lines, key=lambda each: each[:2]))


def _fresh_numbers(campaign: Campaign) -> dict[int, int]:
    """A number for each worker, drawn anew at every export."""
    keys = list(Worker.objects.filter(campaign=campaign).values_list("pk", flat=True))
    secrets.SystemRandom().shuffle(keys)
    return {key: number for number, key in enumerate(keys, start=1)}


def export_values(campaign: Campaign) -> bytes:
    """The value of each item in the newest outcome, and how far its answers lie apart, as CSV.

    Values are written as in files of answers: several labels of an item are parted by `|`. `disagreeing` is the share
    of answers that are not the one given most often, `deviation` the standard deviation of numbers; of best and worst,
    where an answer is about several items, neither is known.

    Raises
    ------
    CannotChangeCampaign
        If there is none, or the answers are sealed.
    """
    outcome = campaign.outcomes.first()
    if outcome is None or outcome.values is None:
        raise CannotChangeCampaign(SEALED if outcome else "There is no outcome yet.")
    apart = {each.item: each for each in disagreement_by_item(counted_work(campaign))}
    lines = [(item, _value(value), *_apart(apart.get(item))) for item, value in outcome.values.items()]
    heads = ("item", "value", "answers", "disagreeing", "deviation")
    return csv_bytes(heads, lines, is_synthetic=campaign.benchmark.is_synthetic, escape=as_answer)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return SEPARATOR.join(value) if isinstance(value, list) else str(value)


def _apart(one: ItemDisagreement | None) -> tuple[str, str, str]:
    if one is None:
        return "", "", ""
    deviation = "" if one.deviation is None else f"{one.deviation:.4f}"
    return str(one.answers), f"{one.minority:.4f}", deviation


def _downloaded(campaign: Campaign, what: str, data: bytes) -> Done:
    return Done(log=f"Exported the {what}.", leads_to=as_download(campaign, what, data))


def as_download(campaign: Campaign, what: str, data: bytes) -> HttpResponse:
    """A file of a campaign that is kept by no cache."""
    return HttpResponse(
        data,
        content_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{what}-{str(campaign.pk)[:8]}.csv"',
            "Cache-Control": "no-store, private",
            "X-Content-Type-Options": "nosniff",
        },
    )


EXPORT_ANSWERS = Ask(
    label="Export answers",
    icon="download",
    question=lambda campaign: Question(
        title=f"Export the answers of {campaign}",
        sentences=(
            SEALED
            if campaign.is_sealed
            else "A line for each answer, the newest version: unit, worker, answer, note, whether it counts, seconds.",
            "Workers have numbers that are drawn anew for each file, so two files cannot be joined by them. Neither "
            "accounts nor ids of platforms stand there; notes stand as they were written, so read them before you pass "
            "them on.",
        ),
        button="Download",
    ),
    do=lambda campaign: _downloaded(campaign, "answers", export_answers(campaign)),
    refused=(CannotChangeCampaign,),
    shown=lambda campaign: not campaign.is_sealed and campaign.status != Campaign.Status.DRAFT,
)

EXPORT_VALUES = Ask(
    label="Export values",
    icon="download",
    question=lambda campaign: Question(
        title=f"Export what came of {campaign}",
        sentences=(
            "A line for each item: its id, the value that the rule made of the answers in the newest outcome, how many "
            "answers there are, and how far they lie apart.",
        ),
        button="Download",
    ),
    do=lambda campaign: _downloaded(campaign, "values", export_values(campaign)),
    refused=(CannotChangeCampaign,),
    shown=lambda campaign: campaign.outcomes.filter(values__isnull=False).exists(),
)
