"""Best-worst scaling: how often an item was best, less how often it was worst."""

from random import Random

import numpy as np

from catalogue.metrics.metric import Undefined
from labelling.core.aggregation.rule import AggregationRule, RuleFigure, RuleSetting, Settings
from labelling.core.answers import Value, Work
from labelling.core.best_worst import best_worst_answers, best_worst_scores, split_half_reliability


class BestWorstCounts(AggregationRule):
    """Of its showings the share in which an item was best less that in which it was worst, moved to 0 to 1.

    With it goes how far two halves of the answers agree, mean over many splits.
    """

    key = "best_worst_counts"
    title = "best-worst counts"
    question_kinds = ("best_worst",)
    settings = (RuleSetting("rounds", "splits in halves", 100, lowest=1, highest=1_000),)

    def settle(self, work: Work, settings: Settings, rng: Random) -> dict[str, Value | None]:
        self.checked(settings, work.options)
        items = sorted({item for shown in work.items_of.values() for item in shown})
        if not work.answers:
            return dict.fromkeys(items)
        answers, answered = best_worst_answers(work)
        scores = dict(zip(answered, best_worst_scores(answers, len(answered)).tolist(), strict=True))
        return {item: scores.get(item) for item in items}

    def describe(self, settings: Settings) -> str:
        return (
            "The score of an item is the share of its showings in which it was chosen as best less the share in which "
            "it was chosen as worst, moved to a range from 0 (always worst) to 1 (always best)."
        )

    def figures(self, work: Work, settings: Settings, rng: Random) -> tuple[RuleFigure, ...]:
        rounds = self.checked(settings, work.options)["rounds"]
        names = ("split-half reliability, Spearman", "split-half reliability, Pearson")
        if work.answers and (read := best_worst_answers(work))[0].can_be_split:
            halves = np.random.default_rng(rng.getrandbits(128))
            found = split_half_reliability(read[0], len(read[1]), halves, rounds)
            if not isinstance(found, Undefined):
                values = (found.spearman, found.pearson)
                return tuple(RuleFigure(name, value) for name, value in zip(names, values, strict=True))
        return tuple(RuleFigure(name, None) for name in names)
