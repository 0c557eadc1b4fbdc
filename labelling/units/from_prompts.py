"""Units of writing: of each prompt, or of none, a text is to be written that is of a target label and fools a model."""

from collections.abc import Sequence
from random import Random

from labelling.exceptions import CannotChangeCampaign
from labelling.models import Campaign
from labelling.units.new_units import NewUnit, store_units
from labelling.work.readiness import TARGET

PROMPT = "prompt"
"""Under this name the source of a unit holds the prompt, and under `TARGET` the label that is wanted."""


def units_from_prompts(*, campaign: Campaign, prompts: Sequence[str], without_prompt: int) -> int:
    """Ask for a text from each prompt, and for some without one; returns how many units there are.

    Target labels are the question's options, equally many of each; which prompt gets which follows from the campaign's
    seed. A prompt is used once. Two conditions make the comparison of DynaSent's Fig. 2 (section 4.2).

    Raises
    ------
    CannotChangeCampaign
        If there is nothing to write, a prompt is empty or stands twice, or the question has no options to aim at.
    """
    labels = campaign.asked.labels
    if not labels:
        raise CannotChangeCampaign("The question has no options. Name the labels that texts are to have.")
    if without_prompt < 0 or not (prompts or without_prompt):
        raise CannotChangeCampaign(
            "There is nothing to write: give prompts, or a number of texts without one."
        )
    cleaned = [" ".join(prompt.split()) for prompt in prompts]
    if "" in cleaned:
        raise CannotChangeCampaign(f"Prompt {cleaned.index('') + 1} is empty.")
    if twice := [prompt for place, prompt in enumerate(cleaned) if prompt in cleaned[:place]]:
        raise CannotChangeCampaign(f"The prompt “{twice[0][:80]}” stands twice. Each is used once.")
    lot = Random(f"{campaign.order_seed}/targets")  # noqa: S311  # an order, not a secret
    units = []
    for condition, texts in (("prompt", cleaned), ("free", [""] * without_prompt)):
        targets = [labels[place % len(labels)] for place in range(len(texts))]
        lot.shuffle(targets)
        for number, (text, target) in enumerate(zip(texts, targets, strict=True), start=1):
            key = f"{condition}-{number:05}"
            units.append(
                NewUnit(
                    key=key,
                    items=(key,),
                    shown=[[(PROMPT, text)] if text else []],
                    group="with prompt" if text else "without prompt",
                    source={TARGET: target, PROMPT: text},
                )
            )
    return store_units(campaign=campaign, units=units)
