"""Gold labels that become public while a phase runs tell nothing of the draws of other sets of the benchmark.

These are drawn by a salt, and with the labels of a set its salt is published.
"""

import datetime as dt
from collections.abc import Sequence

import numpy as np
import pytest

from accounts.models import User
from benchmarks.models import Benchmark, Phase
from breaking.jobs import do_what_is_due
from catalogue.disclosure.keyed_draws import draw_key, kept_back
from catalogue.disclosure.rule import NOISED, REMAINDER
from scoring.gold.alignment import opened_version
from scoring.gold.holdout_split import Mask, items_of_part, noise_key
from scoring.gold.opening import CannotOpen, order_opening
from scoring.gold.versions import load_gold
from scoring.models import GoldVersion, OpenedGold
from tests.conftest import NOW
from tests.quiz import DEFINITION, GOLD, WEEKLY, as_file

LATER = NOW + dt.timedelta(days=1)
DEFINED = DEFINITION.replace("RULE", "protected").replace("CUT_OFF", WEEKLY)
# Two hidden tasks, and the same where the second is one whose labels an organiser may open while phases run.
TWO = DEFINED.replace(
    "averages:",
    """  - id: second
    code: SEC
    gold: sealed
    title: Second
    summary: Yes or no again?
    test_size: 2000
    labels: ["no", "yes"]
    metrics: [{name: accuracy, title: Accuracy}]
averages:""",
)
PUBLIC = TWO.replace("gold: sealed", "gold: public")
REASON = "Published with the data set."

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("gold_keys")]


def load(benchmark: Benchmark, task: str, labels: Sequence[str] = GOLD) -> GoldVersion:
    own = benchmark.tasks.get(slug=task)
    data, file_name = as_file(labels), f"{task}.csv"
    return load_gold(task=own, data=data, file_name=file_name, now=NOW, confirm_clues=True).version


def opened(benchmark: Benchmark, by: User) -> set[str]:
    """The tasks whose labels are public once an organiser's order was carried out."""
    order_opening(benchmark=benchmark, by=by, reason=REASON, now=LATER)
    do_what_is_due(LATER)
    return set(OpenedGold.objects.values_list("gold_version__split__task__slug", flat=True))


def close() -> None:
    Phase.objects.update(closes_at=NOW, next_cut_off_at=LATER)


def kept_items(version: GoldVersion) -> Mask:
    """Whether each item of a version is kept back."""
    found = items_of_part(REMAINDER, version.pk)
    assert found is not None
    return found


def are_drawn_by_a_public_salt(version: GoldVersion) -> bool:
    """Whether the coins or the noise of a version follow from what anybody can download."""
    ids = opened_version(version.pk)[1].ids
    for salt in map(bytes.fromhex, OpenedGold.objects.values_list("salt", flat=True)):
        is_kept = kept_back(draw_key(salt, "remainder"), ids)
        if np.array_equal(is_kept, kept_items(version)):
            return True
        if draw_key(salt, "noise") == noise_key(version.pk, NOISED):
            return True
    return False


def test_the_salt_of_labels_that_may_be_opened_draws_for_no_hidden_ones(sync, staff):
    benchmark = sync(PUBLIC)
    load(benchmark, "second")
    hidden = load(benchmark, "quiz")

    assert opened(benchmark, staff) == {"second"}

    assert not are_drawn_by_a_public_salt(hidden)


def test_labels_that_are_loaded_after_an_opening_are_drawn_by_a_salt_that_nobody_knows(sync, staff):
    benchmark = sync(TWO)
    load(benchmark, "quiz")
    close()
    assert opened(benchmark, staff) == {"quiz"}

    assert not are_drawn_by_a_public_salt(load(benchmark, "second"))


def test_hidden_tasks_and_corrections_are_cut_alike(sync):
    benchmark = sync(TWO)
    versions = [
        load(benchmark, "second"),
        load(benchmark, "quiz"),
        load(benchmark, "quiz", ["yes", *GOLD[1:]]),
    ]

    first, *others = map(kept_items, versions)
    assert all(np.array_equal(first, other) for other in others)


def test_labels_whose_salt_draws_for_hidden_ones_wait_until_every_phase_is_over(sync, staff):
    benchmark = sync(TWO)
    load(benchmark, "second")
    load(benchmark, "quiz")
    benchmark = sync(PUBLIC)

    with pytest.raises(CannotOpen, match="Main closes"):
        order_opening(benchmark=benchmark, by=staff, reason=REASON, now=LATER)
    close()

    assert opened(benchmark, staff) == {"second", "quiz"}
