"""The pages of breakers' pairs, item by item. There is nothing of them before gold labels are public."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from benchmarks.models import Benchmark
from benchmarks.spec import TaskSpec
from benchmarks.spec.model import PAIR_MEASURES
from benchmarks.spec.protocol import column_key
from catalogue.registry import Registry
from leaderboard.board.exports import ITEM_EXPORTS
from leaderboard.board.exports.export import CSV_TYPE, ItemExport
from leaderboard.board.exports.item_files import categories_csv
from leaderboard.board.tables.category_rates import CategoryRates, category_rates
from leaderboard.board.tables.item_table import ItemTable, PublishedSet
from leaderboard.board.tables.item_table_body import items_body
from leaderboard.pages.item_tables import item_table, open_sets
from leaderboard.rendering.opened_gold import gold_files, opened_gold
from leaderboard.rendering.rendered_page import BenchmarkPage, RenderedPage, html


@dataclass(frozen=True, kw_only=True)
class ItemsPage(BenchmarkPage):
    """The sets of breakers' pairs of a task, each with how many pairs break a system; `gold` is what is public.

    `categories` are the kinds of changes with their break rates; none where no pair names its kind.
    """

    template = "public/items.html"
    task: TaskSpec
    table: ItemTable
    exports: Registry[ItemExport]
    sets: Sequence[tuple[PublishedSet, int]]
    base: str
    gold: Any
    categories: Sequence[CategoryRates]


@dataclass(frozen=True, kw_only=True)
class ItemSetPage(ItemsPage):
    """One set, pair by pair; `body` holds the rows."""

    template = "public/items_set.html"
    set: PublishedSet
    body: SafeString
    anonymous: bool


def item_pages(benchmark: Benchmark) -> Iterator[RenderedPage]:
    """Every page and file about items whose gold labels are public; none before."""
    yield from gold_files(benchmark)
    base = f"/benchmarks/{benchmark.slug}"
    for task, sets in open_sets(benchmark).items():
        table = item_table(benchmark, task, sets)
        path = f"{base}/items/{task.slug}"
        common: dict[str, Any] = {
            "benchmark": benchmark.spec,
            "task": task.spec,
            "table": table,
            "exports": ITEM_EXPORTS,
            "sets": [
                (of_set, sum(pair.outcomes(table.systems)[0] > 0 for pair in of_set.pairs))
                for of_set in table.sets
            ],
            "base": path,
            "gold": opened_gold(benchmark).get(task.slug, ()),
            "categories": category_rates(table),
        }
        yield html(f"{path}/", ItemsPage(**common))
        if common["categories"]:
            yield RenderedPage(f"{path}/categories.csv", CSV_TYPE, categories_csv(table))
        for export in ITEM_EXPORTS:
            yield RenderedPage(f"{path}.{export.ending}", export.media_type, export.write(table))
        for item_set in table.sets:
            contest_url = reverse("breaking:contest", args=[benchmark.slug, task.slug, item_set.split])
            body = mark_safe(items_body(table, item_set, contest_url=contest_url))  # noqa: S308  # `items_body` escapes all text
            yield html(
                f"{path}/{item_set.split}/",
                ItemSetPage(**common, set=item_set, body=body, anonymous=benchmark.is_anonymous),
            )


def item_links(benchmark: Benchmark) -> dict[str, list[tuple[str, str]]]:
    """Address and title of the pages of items, as of other boards; empty as long as there are none."""
    base = f"/benchmarks/{benchmark.slug}/items"
    links = [(f"{base}/{task.slug}/", f"{task.title}: all pairs") for task in open_sets(benchmark)]
    return {"Pairs, item by item": links} if links else {}


def set_links(benchmark: Benchmark) -> dict[str, str]:
    """Where the pairs of a breaker are shown, by the keys of the columns that are about them."""
    base = f"/benchmarks/{benchmark.slug}/items"
    return {
        column_key(task.slug, metric, item_set.split.slug): f"{base}/{task.slug}/{item_set.split.slug}/"
        for task, sets in open_sets(benchmark).items()
        for item_set in sets
        for metric in ("", PAIR_MEASURES[-1])
    }
