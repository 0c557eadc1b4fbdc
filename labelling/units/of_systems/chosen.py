"""Which submissions are judged, and what they gave for each item."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from benchmarks.models import Phase, Split
from benchmarks.spec import TaskSpec
from labelling.exceptions import CannotChangeCampaign
from labelling.models import Campaign
from labelling.units.from_split import split_of
from scoring.disclosure.standings import standings_by_row
from scoring.models import Batch
from submissions.models import Predictions, Submission
from submissions.uploads.expected_splits import alignment_sha256, item_ids

MOST_SYSTEMS = 200


@dataclass(frozen=True)
class SystemOutputs:
    """What the judged submissions gave for every item of a split: `outputs` by their numbers, aligned to `items`."""

    split: Split
    items: tuple[str, ...]
    submissions: dict[int, Submission]
    outputs: dict[int, list[str]]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {item: place for place, item in enumerate(self.items)}

    def text(self, number: int, item: str) -> str:
        """What one of them gave for an item; empty where that was nothing but blanks."""
        text = self.outputs[number][self._places[item]]
        return text if text.strip() else ""


def releases_of(campaign: Campaign) -> list[Batch]:
    """The released batches of the campaign's benchmark that hold answers for its task and split, the newest first."""
    predicted = Predictions.objects.filter(split__task=campaign.task_id, split__slug=campaign.split_slug)
    phases = Phase.objects.filter(
        benchmark=campaign.benchmark_id, submissions__in=predicted.values("submission")
    )
    released = Batch.objects.filter(status=Batch.Status.RELEASED, phase__in=phases).order_by("-cut_off_at")
    return list(released.select_related("phase__benchmark"))


def submissions_of(campaign: Campaign, batch: Batch) -> list[Submission]:
    """What the systems of a release stand with for the campaign's task and split, on the main track."""
    task = campaign.task.slug if campaign.task else ""
    place = (campaign.benchmark.spec.main_track, task, campaign.split_slug)
    rows = standings_by_row(batch, under_any_gold=True).values()
    return [row.answers[place].submission for row in rows if place in row.answers]


def named_submissions(campaign: Campaign, lines: str) -> list[Submission]:
    """The submissions whose ids are written, one a line; CannotChangeCampaign where one cannot be judged."""
    found = []
    for written in dict.fromkeys(lines.split()):
        try:
            key = uuid.UUID(written)
        except ValueError:
            raise CannotChangeCampaign(
                f"“{written}” is no id of a submission. Copy ids from the page of each submission, one a line."
            ) from None
        submission = Submission.objects.filter(pk=key, phase__benchmark=campaign.benchmark_id).first()
        if submission is None:
            raise CannotChangeCampaign(f"{campaign.benchmark} has no submission {written}.")
        found.append(submission)
    return found


def outputs_of(campaign: Campaign, submissions: Sequence[Submission], fewest: int) -> SystemOutputs:
    """What these submissions gave, under numbers that are drawn by lot from the campaign's seed.

    Raises
    ------
    CannotChangeCampaign
        If there are fewer than `fewest`, or one has ended, or has no answer for the campaign's split as it is today.
    """
    split = split_of(campaign.task, campaign.split_slug)
    if not fewest <= len(submissions) <= MOST_SYSTEMS:
        raise CannotChangeCampaign(
            f"There {'is 1 submission' if len(submissions) == 1 else f'are {len(submissions)} submissions'} for "
            f"{split}; expected {fewest} to {MOST_SYSTEMS}. Name others by their ids."
        )
    drawn = sorted(submissions, key=lambda each: str(each.pk))
    Random(f"{campaign.order_seed}/systems").shuffle(drawn)  # noqa: S311  # an order, not a secret
    numbered = dict(enumerate(drawn, start=1))
    return SystemOutputs(
        split,
        tuple(item_ids(split.pk, split.ids_sha256).ids),
        numbered,
        {number: _texts_of(submission, split) for number, submission in numbered.items()},
    )


def _texts_of(submission: Submission, split: Split) -> list[str]:
    """What a submission gave for each item, of its first seed."""
    if submission.ended_at is not None:
        raise CannotChangeCampaign(f"The submission {submission.pk} was withdrawn or disqualified.")
    predictions = submission.predictions.filter(split=split).order_by("seed").select_related("codes").first()
    if predictions is None or not hasattr(predictions, "codes"):
        raise CannotChangeCampaign(f"The submission {submission.pk} has no answer for {split}.")
    if predictions.alignment_sha256 != alignment_sha256(split):
        raise CannotChangeCampaign(
            f"The submission {submission.pk} has answered other items of {split} than there are today."
        )
    return list(split.task.spec.output.texts(predictions.canonical().codes))


def gives_texts(task: TaskSpec) -> bool:
    """Whether systems answer a task in words of their own."""
    output = task.output
    return output.is_one_text and not output.classes and not output.has_bounds
