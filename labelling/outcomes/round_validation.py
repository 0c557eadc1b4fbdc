"""Five people's answers about sentences that were collected: gold labels of a split and the card of a round."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from labelling.core.answers import GivenAnswer
from labelling.core.round_card import CardShare, ConditionFigures, WrittenText, round_card
from labelling.models import Unit
from labelling.outcomes.purpose import CannotFinish, Finished, Purpose, Settled
from labelling.units.from_writing import PREDICTED
from scoring.file_refusal import FileRefused
from scoring.gold.responses import load_responses
from submissions.intake.tables.responses import (
    HAS_PROMPT,
    MIXED,
    PROMPT,
    RESPONSES,
    SENTENCE,
    response_format,
)

VALIDATORS = 5
Line: TypeAlias = dict[str, Any]


class RoundValidationPurpose(Purpose):
    """What at least three of five say becomes the gold label; human estimate, agreement and the round's card follow.

    Source: DynaSent (Potts et al. 2021), doi:10.18653/v1/2021.acl-long.186, sections 3.3 to 3.5 and 4.3.
    """

    key = "round_validation"
    title = "Validation of a round"
    sentence = (
        "What at least three of five people say becomes the gold label of a sentence. Boards get the human estimate, "
        "and the round its card: shares of labels, of sentences without a majority, and of those that fooled the model."
    )
    question_kinds = ("one_label",)
    rules = ("majority",)
    needs = frozenset({"task", "split"})
    may_use = frozenset({"after"})
    no_labels = (MIXED,)
    always_sealed = True

    def proposal(self) -> dict[str, Any]:
        return {
            "rule": "majority",
            "answers_wanted": VALIDATORS,
            "page_size": 10,
        }

    def finish(self, settled: Settled) -> Finished:
        campaign = settled.campaign
        if campaign.task is None:
            raise CannotFinish("The campaign names no task.")
        items = [*responded(settled)]
        if not items:
            raise CannotFinish(f"No sentence has the {VALIDATORS} answers that it needs.")
        lines = "".join(json.dumps(line, ensure_ascii=False) + "\n" for _, line in items)
        try:
            loaded = load_responses(
                task=campaign.task,
                split_slug=campaign.split_slug,
                data=lines.encode(),
                file_name=f"campaign-{campaign.pk}.jsonl",
                now=settled.now,
                user=campaign.made_by,
                confirm_clues=campaign.clues_are_known,
            )
        except FileRefused as refused:
            raise CannotFinish(" ".join(refused.sentences)) from None
        report = {
            "card": _card(items, settled.work.options, campaign.task.spec.output.gold_labels),
            "incomplete": len(settled.units) - len(items),
            "warnings": list(loaded.warnings),
        }
        return Finished(report, loaded.responses.gold_version)


def responded(settled: Settled) -> Iterator[tuple[Unit, Line]]:
    """Every sentence that has all its answers, with its line of a file of responses."""
    task = settled.campaign.task
    form = response_format(task.spec) if task else None
    answers: defaultdict[str, list[GivenAnswer]] = defaultdict(list)
    for each in settled.work.answers:
        answers[each.unit].append(each)
    for key, unit in settled.units.items():
        given = answers[key]
        if form is None or len(given) != form.width:
            continue
        chosen: defaultdict[str, list[str]] = defaultdict(list)
        for each in given:
            chosen[str(each.value)].append(f"w{each.worker}")
        prompt = str(unit.source.get("prompt", ""))
        line = {
            form.id_key: unit.items[0],
            SENTENCE: _text(unit),
            RESPONSES: dict(chosen),
            HAS_PROMPT: bool(prompt),
        }
        yield unit, line | ({PROMPT: prompt} if prompt else {})


def _card(
    items: Sequence[tuple[Unit, Line]], categories: Sequence[str], labels: Sequence[str]
) -> dict[str, Any]:
    """The round's card as JSON: shares as `[count, total, low, high]`, quartiles as `[mean, first, median, third]`."""
    texts = []
    for unit, line in items:
        chosen = [category for category, workers in line[RESPONSES].items() for _ in workers]
        predicted, prompt = (str(unit.source.get(key, "")) for key in (PREDICTED, PROMPT))
        texts.append(WrittenText(_text(unit), predicted, tuple(chosen), prompt))
    card = round_card(texts, categories, labels)
    return {
        "distribution": dict(card.distribution),
        "without_majority": card.without_majority,
        "conditions": {
            name: _condition(figures)
            for name, figures in (
                ("all", card.all),
                ("prompt", card.prompted),
                ("no prompt", card.unprompted),
            )
            if figures.texts
        },
    }


def _condition(figures: ConditionFigures) -> dict[str, Any]:
    return {
        "texts": figures.texts,
        **{name: _share(getattr(figures, name)) for name in ("with_majority", "fooled")},
        **{
            name: [found.mean, found.first, found.median, found.third]
            for name in ("words", "edits", "edited_share")
            if (found := getattr(figures, name))
        },
    }


def _share(share: CardShare) -> list[Any]:
    ends = share.interval
    return [share.count, share.total, ends.low if ends else None, ends.high if ends else None]


def _text(unit: Unit) -> str:
    return str(unit.shown[0][0][1])
