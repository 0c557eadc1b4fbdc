"""The pairs of one task, item by item, as JSON and as CSV."""

from collections.abc import Sequence
from typing import Any

from catalogue.csv_text import as_answer, csv_bytes
from leaderboard.board.exports.export import CSV_TYPE, ItemExport
from leaderboard.board.model.serialization import json_bytes
from leaderboard.board.tables.category_rates import category_rates, rates_as_dicts
from leaderboard.board.tables.item_table import SIDES, Answerer, ItemTable, PublishedPair, names

_SIZES = ("character_edits", "token_edits", "token_count")


def items_json(table: ItemTable) -> bytes:
    """UTF-8 JSON. An item's `answers` stand in the order of `systems`; null where one has not answered."""
    document = {
        "benchmark": table.benchmark,
        "task": table.task,
        "title": table.title,
        "release": table.release or None,
        "synthetic": table.synthetic,
        "systems": [
            {"system": system.name, "team": system.team, "counted": system.is_counted}
            for system in table.systems
        ],
        "sets": [
            {
                "split": of_set.split,
                "title": of_set.title,
                "gold_version": of_set.gold_version,
                "withdrawn": (
                    {
                        "at": of_set.withdrawn_at.isoformat().replace("+00:00", "Z"),
                        "reason": of_set.withdrawal_reason,
                    }
                    if of_set.withdrawn_at
                    else None
                ),
                "pairs": [_pair_as_dict(pair, table.systems) for pair in of_set.pairs],
            }
            for of_set in table.sets
        ],
        "categories": rates_as_dicts(table),
    }
    return json_bytes(document)


def _pair_as_dict(pair: PublishedPair, systems: Sequence[Answerer]) -> dict[str, Any]:
    broken, of = pair.outcomes(systems)
    change = pair.change
    return {
        "id": pair.id,
        "context": dict(pair.context),
        "rationale": pair.rationale,
        "category": pair.category,
        "change": ({size: getattr(change, size) for size in _SIZES} if change else None),
        "broken_by": broken,
        "answered_by": of,
        "items": [
            {
                "id": item.id,
                "side": side,
                "text": item.text,
                "label": item.label,
                "answers": [
                    None if answer is None else {"label": answer, "right": right}
                    for answer, right in zip(item.answers, item.rights, strict=True)
                ],
                "contests": [
                    {
                        "outcome": contest.outcome,
                        "reason": contest.reason,
                        "proposed_label": contest.proposed,
                        "votes": dict(contest.votes),
                        "note": contest.note,
                    }
                    for contest in item.contests
                ],
            }
            for side, item in zip(SIDES, pair.items, strict=True)
        ],
    }


def categories_csv(table: ItemTable) -> bytes:
    """UTF-8 CSV, a line per kind of change and system; empty cells where a system has answered no pair of it."""
    heads = ("category", "pairs", "system", "team", "broken", "answered", "share", "low", "high")
    rows = [
        (
            *(one.category, one.pairs, system.name, system.team),
            *(rate.broken, rate.answered, rate.share, rate.low, rate.high),
        )
        for one in category_rates(table)
        for system, rate in zip(table.systems, one.systems, strict=True)
    ]
    return csv_bytes(heads, rows, is_synthetic=table.synthetic)


def items_csv(table: ItemTable) -> bytes:
    """UTF-8 CSV, a line per item, with the answer of each system in a column of its own.

    A text that a spreadsheet would run as a formula has an apostrophe before it; the JSON has all texts as they are.
    """
    columns = list(
        dict.fromkeys(name for of_set in table.sets for pair in of_set.pairs for name, _ in pair.context)
    )
    about = ("set", "breaker", "pair", "item", "side", "text")
    beside = (
        "label",
        "gold_version",
        "rationale",
        "category",
        *_SIZES,
        "broken_by",
        "answered_by",
        "contested",
    )
    rows = []
    for of_set, pair in [(owner, pair) for owner in table.sets for pair in owner.pairs]:
        change, context = pair.change, dict(pair.context)
        of_pair = [getattr(change, size, "") for size in _SIZES] + [*pair.outcomes(table.systems)]
        for side, item in zip(SIDES, pair.items, strict=True):
            line = [
                *(of_set.split, of_set.title, pair.id, item.id, side, item.text),
                *(context.get(name, "") for name in columns),
                *(item.label, of_set.gold_version, pair.rationale, pair.category, *of_pair),
                "; ".join(contest.outcome for contest in item.contests),
                *item.answers,
            ]
            rows.append(line)
    heads = [*about, *columns, *beside, *names(table.systems)]
    return csv_bytes(heads, rows, is_synthetic=table.synthetic, escape=as_answer)


ITEM_JSON = ItemExport("json", "json", "application/json", "JSON", items_json)
ITEM_CSV = ItemExport("csv", "csv", CSV_TYPE, "CSV", items_csv)
