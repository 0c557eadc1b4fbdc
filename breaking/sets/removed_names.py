"""Sets of pairs bear the name of their team: where that was removed, what stands in its place."""

import datetime as dt
from dataclasses import replace

from benchmarks.models import Benchmark
from benchmarks.services import keep_made_split
from breaking.models import BreakerSet, PairFile


def rename_sets(now: dt.datetime) -> int:
    """Call the sets of teams whose names were removed as these are called now; how many. Again, it changes nothing.

    Their ids stay, and with them the names of their files: the signed log, addresses and what was sent have them.
    """
    rows = BreakerSet.objects.filter(pair_file__team__name_removed_at__isnull=False)
    renamed = 0
    for made in rows.select_related("split__task__benchmark", "pair_file__team").defer("pair_file__sealed"):
        task, team = made.split.task, made.pair_file.team
        spec = task.spec.split(made.split.slug)
        if team is not None and spec.title != team.name:
            keep_made_split(task=task, split=replace(spec, title=team.name))
            Benchmark.objects.filter(pk=task.benchmark_id).mark_stale(archive=True)
            renamed += 1
    return renamed


def titles_instead(benchmark: Benchmark) -> dict[str, str]:
    """What sets are called whose frozen titles are names of teams that were removed, by these titles."""
    if not benchmark.made_splits:
        return {}
    files = PairFile.objects.filter(task__benchmark=benchmark, team__name_removed_at__isnull=False)
    return {was: now for was, now in files.values_list("breaker", "team__name") if was != now}
