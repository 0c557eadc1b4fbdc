"""Texts that people wrote, some of which fooled a model."""

from collections import Counter
from typing import Any

from labelling.outcomes.purpose import Finished, Purpose, Settled
from labelling.units.from_prompts import PROMPT
from labelling.work.readiness import TARGET


class CollectionPurpose(Purpose):
    """The texts are kept, and a campaign of validation goes on from them.

    Source: DynaSent (Potts et al. 2021), doi:10.18653/v1/2021.acl-long.186, section 4 and appendix C.
    """

    key = "collection"
    title = "Texts that fool a model"
    sentence = (
        "People write texts of a wanted label, with or without a prompt, and try each on a model. The texts are kept; "
        "a campaign of validation goes on from them."
    )
    question_kinds = ("writing",)
    rules = ()

    def proposal(self) -> dict[str, Any]:
        return {"rule": "", "answers_wanted": 1, "is_sealed": False}

    def finish(self, settled: Settled) -> Finished:
        by_target: Counter[str] = Counter()
        by_condition: Counter[str] = Counter()
        for unit in settled.kept:
            source = settled.units[unit].source
            by_target[str(source.get(TARGET, ""))] += 1
            by_condition["with prompt" if source.get(PROMPT) else "without prompt"] += 1
        return Finished({"texts": dict(by_target), "conditions": dict(by_condition)})
