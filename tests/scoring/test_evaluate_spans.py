"""Spans of characters through `manage.py evaluate`: the example's two tasks, and what is refused at which place."""

import json

import numpy as np
import pytest

from catalogue.answers import CharacterSpans
from catalogue.comparison import Comparison
from catalogue.metrics.choice import metric_for
from scoring.core.uncertainty.replicates import replicate_scores
from tests.scoring.test_evaluate import as_json
from tests.scoring.test_evaluate_label_kinds import EXAMPLES, examples, values  # noqa: F401  # pytest finds the fixture by its name

TOXIC = "character_spans", "toxic"
PROPAGANDA = "character_spans", "propaganda"


@pytest.fixture
def scored(tmp_path):
    """What `evaluate` says of these files of a task."""

    def _scored(which, gold, predictions, **options):
        files = tmp_path / "gold", tmp_path / ("spans-pred.txt" if which is TOXIC else "propaganda.jsonl")
        for file, text in zip(files, (gold, predictions), strict=True):
            file.write_text(text)
        return as_json(*which, "--gold", files[0], "--predictions", files[1], **options)

    return _scored


def articles(**labels):
    return "".join(json.dumps({"id": item, "labels": spans}) + "\n" for item, spans in labels.items())


def span(start, end, technique):
    return {"start": start, "end": end, "technique": technique}


def test_lists_of_places_are_scored_as_toxic_spans_were(scored):
    """Both empty is 1, one empty 0; a place that stands twice counts once, and in any order."""
    gold = "1\t[0, 1, 6]\n2\t[]\n3\t[5, 6]\n4\t[]\n"
    found = "4\t[7]\n3\t[6, 5, 6]\n2\t[]\n1\t[0,1,4,5]\n"
    cell = values(scored(TOXIC, gold, found), "toxic")
    assert cell == {"character_f1": pytest.approx((4 / 7 + 1 + 1 + 0) / 4)}


def test_a_list_may_be_longer_than_other_cells(scored):
    places = [*range(100, 3_000)]
    text = f"1\t{places}\n2\t[0]\n"
    assert len(text) > 10_000
    assert values(scored(TOXIC, text, text), "toxic") == {"character_f1": 1.0}


def test_a_text_may_be_as_long_in_a_table_as_elsewhere(tmp_path):
    lines = "path: translation.txt, dialect: one_a_line, label_column: text"
    definition = (EXAMPLES / "translation.yaml").read_text()
    assert lines in definition
    table = "path: texts.csv, id_column: id, label_column: text"
    (tmp_path / "texts.yaml").write_text(definition.replace(lines, table))
    for length, status in ((5_000, 0), (5_001, 1)):
        (tmp_path / "texts.csv").write_text(f"id,text\n1,{'a' * length}\n2,b\n")
        (tmp_path / "gold.csv").write_text("id,text\n1,a\n2,b\n")
        files = "--gold", tmp_path / "gold.csv", "--predictions", tmp_path / "texts.csv"
        found = as_json(tmp_path / "texts.yaml", "wmt17_en_de", *files, status=status)
    (problem,) = found["problems"]
    assert (problem["line"], problem["column"], problem["code"]) == (2, "text", "cell_too_long")
    assert "5,000" in problem["message"]


WRONG_PLACES = {
    "[0, 1.0]": "json_wrong_type",
    "[0, true]": "json_wrong_type",
    "[[0, 4]]": "json_wrong_type",
    "{}": "json_wrong_type",
    "7": "json_wrong_type",
    "[0 1]": "json_wrong_type",
    "[-1, 0]": "number_out_of_range",
    "[0, 1000000]": "number_out_of_range",
    "": "empty_label",
}


@pytest.mark.parametrize("cell", WRONG_PLACES)
def test_what_is_no_list_of_places_is_refused_at_its_line(scored, cell):
    problem = scored(TOXIC, "1\t[0]\n2\t[]\n", f"1\t[0]\n2\t{cell}\n", status=1)["problems"][0]
    assert (problem["line"], problem["column"], problem["code"]) == (2, "spans", WRONG_PLACES[cell])


def test_gold_labels_are_refused_without_being_told(scored):
    problem = scored(TOXIC, "1\t[0]\n2\t[4, 42.5]\n", "1\t[0]\n2\t[]\n", status=1)["problems"][0]
    assert (problem["line"], problem["column"]) == (2, "spans")
    assert "42" not in json.dumps(problem)


def test_parts_of_spans_count_by_their_length(scored):
    """In the first article a predicted span of 10 covers 5 of 20 gold characters; another type counts nothing. In the
    second two gold spans that overlap are one of 15, of which 10 are found by two spans of 5 and 10 characters.
    """
    gold = articles(
        a=[span(0, 20, "doubt"), span(30, 40, "slogans")],
        b=[span(0, 10, "doubt"), span(5, 15, "doubt")],
        c=[],
    )
    found = articles(
        a=[span(15, 25, "doubt"), span(30, 40, "doubt")],
        b=[span(0, 5, "doubt"), span(10, 20, "doubt")],
        c=[span(0, 1, "doubt")],
    )
    cell = values(scored(PROPAGANDA, gold, found), "propaganda")
    precision, recall = (5 / 10 + 0 + 1 + 5 / 10 + 0) / 5, (5 / 20 + 0 + 10 / 15) / 3
    assert cell["partial_precision"] == pytest.approx(precision)
    assert cell["partial_recall"] == pytest.approx(recall)
    assert cell["partial_f1"] == pytest.approx(2 * precision * recall / (precision + recall))
    assert cell["span_f1"] == 0.0


def test_spans_that_touch_stay_apart_and_other_keys_are_not_read(scored):
    gold = articles(a=[span(0, 4, "doubt") | {"text": "Well"}, span(4, 12, "doubt")], b=[])
    cell = values(scored(PROPAGANDA, gold, articles(b=[], a=[span(0, 4, "doubt")])), "propaganda")
    assert (cell["partial_precision"], cell["partial_recall"]) == (1.0, 0.5)


def test_the_order_of_two_types_on_one_span_does_not_matter(scored):
    both = [span(0, 4, "doubt"), span(0, 4, "slogans")]
    cell = values(scored(PROPAGANDA, articles(a=both, b=[]), articles(b=[], a=both[::-1])), "propaganda")
    assert set(cell.values()) == {1.0}


WRONG_RANGES = {
    "a type that there is not": ([span(0, 4, "doubts")], "unknown_label"),
    "no characters": ([span(4, 4, "doubt")], "number_out_of_range"),
    "its end before its start": ([span(4, 2, "doubt")], "number_out_of_range"),
    "no end": ([{"start": 0, "technique": "doubt"}], "json_wrong_type"),
    "a list in place of an object": ([[0, 4, "doubt"]], "json_wrong_type"),
    "too many": ([span(at, at + 1, "doubt") for at in range(1_001)], "cell_too_long"),
}


@pytest.mark.parametrize("what", WRONG_RANGES)
def test_what_is_no_list_of_ranges_is_refused_at_its_line(scored, what):
    spans, code = WRONG_RANGES[what]
    problem = scored(PROPAGANDA, articles(a=[], b=[]), articles(a=[], b=spans), status=1)["problems"][0]
    assert (problem["line"], problem["column"], problem["code"]) == (2, "labels", code)


def test_without_any_span_the_official_scorer_says_one():
    kind = CharacterSpans()
    nothing, something = kind.array(["[]", "[]"]), kind.array(["[[0,4]]", "[]"])
    f1 = metric_for(kind, "partial_f1")
    assert f1.value(Comparison(kind, nothing, nothing)) == 1.0
    assert f1.value(Comparison(kind, nothing, something)) == 0.0
    assert f1.value(Comparison(kind, something, nothing)) == 0.0


@pytest.mark.parametrize("name", ["character_f1", "partial_f1", "partial_precision", "span_f1"])
def test_resamples_are_scored_as_their_items_would_be(name):
    kind, random = CharacterSpans(("a", "b")), np.random.default_rng(5)
    gold, found = kind.examples(20, random), kind.examples(20, random)
    found[:10] = gold[:10]
    metric = metric_for(kind, name)
    draws = random.integers(20, size=(30, 20))
    weights = np.array([np.bincount(draw, minlength=20) for draw in draws], dtype=np.uint8)
    one_by_one = [metric.value(Comparison(kind, gold[draw], found[draw])) for draw in draws]
    together = replicate_scores(Comparison(kind, gold, found), [name], weights)[name]
    assert together == pytest.approx(one_by_one)
