"""Groups of items, and what items belong to, in tables that have a row for each part of an answer."""

import numpy as np
import pytest

from benchmarks.spec.document import DefinitionError
from submissions.intake import read_gold_file
from tests.scoring.test_shared_task_shapes import benchmark, problems, scores

FILE = {"path": "m.tsv", "dialect": "long_tsv", "id_column": "tweet", "columns": ["tweet", "start", "end"]}
GOLD = (
    "tweet\tlanguage\tthread\tstart\tend\na\tes\tt1\t0\t3\na\tes\tt1\t5\t9\nb\tes\tt1\t\t\nc\tfr\tt2\t1\t4\n"
)
FOUND = "tweet\tstart\tend\na\t0\t3\nc\t1\t4\nc\t6\t8\n"


def spec_of(*metrics, **of_gold):
    columns = ["tweet", "language", "thread", "start", "end"]
    named = {"group_columns": ["language"], "cluster_column": "thread"}
    return benchmark(
        list(metrics),
        output={"kind": "character_spans"},
        file=FILE,
        gold_file=FILE | {"path": "g.tsv", "columns": columns} | named | of_gold,
    )


def test_a_metric_may_be_asked_of_the_groups_of_a_long_table():
    found = scores(
        spec_of("span_f1", "mean_over[span_f1,language]", "in_group[span_f1,language,fr]"), GOLD, FOUND
    )
    of_spanish, of_french = 2 * 1 / (2 + 1), 2 * 1 / (1 + 2)
    assert found == pytest.approx([2 * 2 / (3 + 3), np.mean([of_spanish, of_french]), of_french])


def test_items_of_a_long_table_may_belong_together():
    spec = spec_of("span_f1")
    read = read_gold_file(GOLD.encode(), file_name="g.tsv", task=spec.tasks[0]).content_or(AssertionError)
    assert read.gold.clusters is not None
    assert dict(zip(read.gold.ids.ids, read.gold.clusters.tolist(), strict=True)) == {"a": 0, "b": 0, "c": 1}


def test_rows_of_an_item_that_contradict_each_other_are_told_once():
    gold = GOLD.replace("a\tes\tt1\t5", "a\tfr\tt9\t5")
    assert problems(spec_of("span_f1"), gold, FOUND) == [(3, "thread", "fixed_cell")]


def test_further_mistakes_of_such_an_item_are_told_too():
    gold = GOLD.replace("a\tes\tt1\t5\t9", "a\tfr\tt1\t5\tx")
    assert problems(spec_of("span_f1"), gold, FOUND) == [
        (3, "language", "fixed_cell"),
        (3, "end", "not_a_number"),
    ]


def test_a_column_that_is_not_there_is_a_mistake():
    with pytest.raises(DefinitionError, match="the header has no column 'country'"):
        spec_of("span_f1", group_columns=["country"])
