"""What people say of minimal pairs: which label an item has, and whether only what matters was changed.

Source: Build It Break It (Ettinger et al. 2017, doi:10.18653/v1/W17-5401), section 8: labels of breakers are validated
by people from outside, and pairs are reviewed against a written definition of a minimal pair.
"""

from typing import Any

from labelling.outcomes.purpose import Finished, Purpose, Settled

VALIDATORS = 5
PAIR_LABELS, MINIMALITY = "pair_labels", "minimality"


class PairLabelsPurpose(Purpose):
    """The labels of breakers' items, or of contested ones. Who breaks systems takes the answers from here."""

    key = PAIR_LABELS
    title = "Labels of pairs"
    sentence = (
        "What people say about items of breakers' sets or about contested labels. Once the gold labels are public, an "
        "item of which most say otherwise becomes a contested label, with every answer as a vote; you decide."
    )
    question_kinds = ("one_label",)
    rules = ("majority",)
    needs = frozenset({"task"})
    always_sealed = True

    def proposal(self) -> dict[str, Any]:
        return {"rule": "majority", "answers_wanted": VALIDATORS}

    def finish(self, settled: Settled) -> Finished:
        return Finished(
            {"items": len(settled.values), "without_majority": len(settled.values) - len(settled.kept)}
        )


class MinimalityPurpose(Purpose):
    """Whether only what matters was changed between the two texts of a pair."""

    key = MINIMALITY
    title = "Minimality of pairs"
    sentence = (
        "Whether only what matters was changed between the two texts of a breaker's pair. A pair of which most say no "
        "waits for you before sets are made."
    )
    question_kinds = ("yes_no",)
    rules = ("majority",)
    needs = frozenset({"task"})

    def proposal(self) -> dict[str, Any]:
        return {"rule": "majority", "answers_wanted": VALIDATORS, "is_sealed": False}

    def finish(self, settled: Settled) -> Finished:
        said = list(settled.values.values())
        return Finished({"pairs": len(said), "minimal": said.count(True), "not_minimal": said.count(False)})
