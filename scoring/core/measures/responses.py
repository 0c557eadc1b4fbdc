"""What several workers' responses for the same items say: the labels they settle on, and who agrees with them."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from catalogue.metrics.metric import Undefined
from scoring.core.measures.agreement import fleiss_kappa
from scoring.core.measures.votes import majority

Responses = Sequence[tuple[str, str]]
"""The responses for one item: (worker, category) each."""

NO_MAJORITY = "no majority"

Who = TypeVar("Who", str, int)


@dataclass(frozen=True, slots=True)
class WorkerAgreement(Generic[Who]):
    """How often a worker, known by name or number, answered; how often there was a majority (`compared`), and how often
    the worker answered as it did.
    """

    worker: Who
    responses: int
    compared: int
    agreed: int

    @property
    def is_beyond_rule(self) -> bool:
        """Whether the worker disagrees with the majority more than 80 % of the time."""
        return 5 * (self.compared - self.agreed) > 4 * self.compared


@dataclass(frozen=True, slots=True)
class ResponsesReport:
    """Counts over all items, none of which says what anybody answered for a particular one.

    `classes` counts items by what most workers say, under `no majority` those without; `responses` counts the single
    answers; `largest` counts items by how many workers gave the commonest answer. `kappa` is Fleiss' kappa over all
    categories and items. `never_disagreeing` is the share of the workers with a majority to compare with whose every
    answer is that; None where there is none. `to_collect_again` are the ids of items that somebody beyond the 80 %
    rule answered.
    """

    items: int
    classes: Mapping[str, int]
    responses: Mapping[str, int]
    largest: Mapping[int, int]
    kappa: float | Undefined
    workers: tuple[WorkerAgreement[str], ...]
    never_disagreeing: float | None
    to_collect_again: tuple[str, ...]

    @property
    def beyond_rule(self) -> tuple[str, ...]:
        """The workers who disagree with the majority more than 80 % of the time."""
        return tuple(worker.worker for worker in self.workers if worker.is_beyond_rule)


def report_responses(
    items: Mapping[str, Responses], categories: Sequence[str], needed: int
) -> ResponsesReport:
    """Count what the responses say.

    Parameters
    ----------
    items : mapping of id to responses
        At least one item; as many responses for each, at least 2, all of them in `categories`.
    categories : sequence of str
    needed : int
        How many workers make a majority; more than half of an item's.

    References
    ----------
    Potts et al. (2021), doi:10.18653/v1/2021.acl-long.186, sections 3.3 to 3.5 and appendix B.

    Examples
    --------
    >>> report = report_responses({"i": [("u", "a"), ("v", "a"), ("w", "b")]}, ["a", "b"], needed=2)
    >>> report.classes, report.largest, report.beyond_rule
    ({'a': 1, 'b': 0, 'no majority': 0}, {2: 1}, ('w',))
    """
    chosen = {item: [category for _, category in responses] for item, responses in items.items()}
    settled = {item: majority(answers, needed) for item, answers in chosen.items()}
    classes = Counter(settled.values())
    counts = np.array([[answers.count(category) for category in categories] for answers in chosen.values()])
    workers = _workers(items, settled)
    compared = [worker for worker in workers if worker.compared]
    beyond = {worker.worker for worker in workers if worker.is_beyond_rule}
    return ResponsesReport(
        items=len(items),
        classes={category: classes[category] for category in categories} | {NO_MAJORITY: classes[None]},
        responses=dict(zip(categories, counts.sum(axis=0).tolist(), strict=True)),
        largest=dict(sorted(Counter(counts.max(axis=1).tolist()).items(), reverse=True)),
        kappa=fleiss_kappa(counts),
        workers=workers,
        never_disagreeing=sum(worker.agreed == worker.compared for worker in compared) / len(compared)
        if compared
        else None,
        to_collect_again=tuple(
            item for item, responses in items.items() if any(worker in beyond for worker, _ in responses)
        ),
    )


def _workers(
    items: Mapping[str, Responses], settled: Mapping[str, str | None]
) -> tuple[WorkerAgreement[str], ...]:
    """Every worker's counts, whoever answered most first."""
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for item, responses in items.items():
        gold = settled[item]
        for worker, category in responses:
            of_worker = counts[worker]
            of_worker[0] += 1
            of_worker[1] += gold is not None
            of_worker[2] += category == gold
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1][0], entry[0]))
    return tuple(WorkerAgreement(worker, *numbers) for worker, numbers in ordered)
