"""A phase that an organiser adds to a benchmark, beside those of its definition."""

import datetime as dt
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, count

from django.db import transaction
from django.db.models import Max
from django.utils.text import slugify

from benchmarks.models import Benchmark, Phase
from benchmarks.spec.phases import Place
from benchmarks.spec.rule_fit import at_once, is_guarded, misfits, mixture
from catalogue.disclosure import Exact
from catalogue.disclosure.sealed import SealedUntilEnd

_LONGEST_ID = 50


class CannotAdd(Exception):
    """A phase that could not keep its rule beside the others; the message says what to change."""


@transaction.atomic
def add_phase(
    *,
    benchmark: Benchmark,
    title: str,
    opens_at: dt.datetime,
    closes_at: dt.datetime,
    places: Collection[Place],
    quota: int | None,
    now: dt.datetime,
    takes_over: bool = False,
) -> Phase:
    """A phase with one cut-off, when it closes, about these splits of tasks; `quota` is a team's in all.

    It begins with what suits its splits: sealed where one of them guards labels, else exact. Where it `takes_over`,
    phases that could not run beside it and that nothing was sent to are about the other splits only.

    Raises
    ------
    CannotAdd
        If its rule does not fit the benchmark, or not the phases beside it, one of them would be about nothing, or it
        was added a moment ago.
    """
    Benchmark.objects.select_for_update().get(
        pk=benchmark.pk
    )  # of two at once, the second one sees the first
    if benchmark.phases.filter(title=title, opens_at=opens_at, closes_at=closes_at).exists():
        raise CannotAdd(f"{title} is there already, with these dates; nothing was added.")
    spec = benchmark.spec
    slug = slugify(title)[:_LONGEST_ID] or "phase"
    taken = set(benchmark.phases.values_list("slug", flat=True))
    names = chain([slug], (f"{slug}-{number}" for number in count(2)))
    slug = next(name for name in names if name not in taken)
    guards = any(is_guarded(spec, place) for place in places)
    last = benchmark.phases.aggregate(last=Max("position"))["last"]
    phase = Phase(
        benchmark=benchmark,
        slug=slug,
        title=title,
        position=0 if last is None else last + 1,
        opens_at=opens_at,
        closes_at=closes_at,
        time=dt.time(),
        quota_total=quota,
        targets=[{"task": task, "split": split} for task, split in sorted(places)],
        counting=Phase.CountingRule.LATEST,
        disclosure=(SealedUntilEnd if guards else Exact).key,
    )
    phase.next_cut_off_at = phase.cut_off_after(max(now, opens_at))
    others = [other for other in benchmark.phases.all() if not other.is_over(now)]
    narrowed = list(_narrowed(phase, others, places)) if takes_over else []
    windows = [*(other.window() for other in others), phase.window()]
    wrong = [sentence for _, sentence in misfits(spec, phase.as_spec(), ends=True)]
    wrong += [sentence for sentence in (mixture(windows), at_once(windows)) if sentence]
    if wrong:
        raise CannotAdd(" ".join(wrong))
    for other in narrowed:
        other.save(update_fields=["targets"])
    phase.save(force_insert=True)
    Benchmark.objects.filter(pk=benchmark.pk).mark_stale(archive=True)
    return phase


def _narrowed(phase: Phase, others: Iterable[Phase], places: Collection[Place]) -> Iterator[Phase]:
    """The phases that lose these splits to a new one, without them; they are not saved yet."""
    for other in others:
        is_free = other.kind == Phase.Kind.PREDICTIONS and not other.submissions.exists()
        if not is_free or not at_once([other.window(), phase.window()]):
            continue
        everything = [
            {"task": task.id, "split": split.id}
            for task in phase.benchmark.spec.tasks
            for split in task.splits
        ]
        rows = other.targets or everything
        other.targets = [row for row in rows if (row["task"], row["split"]) not in places]
        if not other.targets:
            raise CannotAdd(
                f"{other.title} would be about nothing then. Change its title and dates in place of adding another "
                "phase, or delete it afterwards and choose other dates here."
            )
        yield other
