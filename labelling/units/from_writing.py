"""Units of validation: the texts that workers of an earlier campaign wrote, for people who did not write them."""

from labelling.exceptions import CannotChangeCampaign
from labelling.models import Answer, Assignment, Campaign
from labelling.units.from_prompts import PROMPT
from labelling.units.new_units import NewUnit, store_units
from labelling.work.readiness import TARGET

SENTENCE, PREDICTED = "sentence", "predicted"


def units_from_writing(*, campaign: Campaign) -> int:
    """Ask about every text that counts of the campaign that this one goes on from; returns how many there are.

    Who wrote a text is not asked about it, in whatever way they come. Prompt, target label and what the model said go
    with each text, and are not shown.

    Raises
    ------
    CannotChangeCampaign
        If the campaign goes on from none, or that is sealed or has no texts.
    """
    written = campaign.after
    if written is None:
        raise CannotChangeCampaign(
            "The campaign goes on from no other. Choose the one whose texts are validated."
        )
    if written.is_sealed:
        raise CannotChangeCampaign(f"“{written}” is sealed, so its texts cannot be shown.")
    texts = {
        answer.assignment_id: str(answer.value)
        for answer in Answer.objects.filter(assignment__unit__campaign=written).order_by("version")
    }
    counted = Assignment.objects.counted().filter(unit__campaign=written)
    units = [
        NewUnit(
            key=f"{assignment.unit.key}-w{assignment.worker.number}",
            items=(f"{assignment.unit.key}-w{assignment.worker.number}",),
            shown=[[(SENTENCE, texts[assignment.pk])]],
            group=assignment.unit.group,
            author=assignment.worker_id,
            source={
                PROMPT: assignment.unit.source.get(PROMPT, ""),
                TARGET: assignment.unit.source.get(TARGET, ""),
                PREDICTED: _predicted(assignment, texts[assignment.pk]),
                "tries": assignment.attempts.filter(given_back=False).count(),
            },
        )
        for assignment in counted.select_related("unit", "worker").order_by("unit__draw", "worker__number")
        if assignment.pk in texts
    ]
    if not units:
        raise CannotChangeCampaign(f"Nobody has written a text in “{written}” yet.")
    return store_units(campaign=campaign, units=units)


def _predicted(assignment: Assignment, text: str) -> str:
    """What the model said of a text that was tried on it; empty where it was not."""
    tried = assignment.attempts.filter(text=text, answered_at__isnull=False).last()
    return str(tried.prediction["label"]) if tried and tried.prediction else ""
