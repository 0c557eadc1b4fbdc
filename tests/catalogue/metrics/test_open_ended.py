"""Metrics of ranked lists and texts whose names have a parameter, and what they are held to beside their oracles."""

from functools import partial
from importlib.metadata import version

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from catalogue.answers import FreeText, RankedList
from catalogue.answers.open_ended.free_text import as_references
from catalogue.answers.open_ended.ranked_list import Missing
from catalogue.comparison import Comparison
from catalogue.metrics.choice import UnknownMetricError, metric_for
from catalogue.metrics.metric import Undefined
from catalogue.metrics.texts.corpus import SACREBLEU
from catalogue.metrics.texts.overlap import longest_common
from scoring.core.uncertainty.paired import approximate_randomisation
from scoring.core.uncertainty.replicates import one_by_one, replicate_scores
from scoring.core.uncertainty.weights import item_weights
from tests.catalogue.metrics.open_ended_oracles import (
    OTHER_TEXTS,
    capped,
    exponential,
    of_queries,
    of_trec_eval,
)
from tests.catalogue.open_ended_facts import rankings, texts

SOME = settings(max_examples=10)


def value(kind: FreeText | RankedList, name: str, gold: np.ndarray, answers: np.ndarray) -> float | Undefined:
    return metric_for(kind, name).value(Comparison(kind, gold, answers))


def test_the_installed_sacrebleu_is_the_one_that_sources_name():
    assert version("sacrebleu") == SACREBLEU


@SOME
@given(case=texts())
@pytest.mark.parametrize("name", OTHER_TEXTS)
def test_texts_may_be_compared_by_other_words(name, case):
    assert value(*case_of(case, name)) == pytest.approx(OTHER_TEXTS[name](case), abs=1e-9)


@SOME
@given(case=rankings(), cut=st.integers(1, 12))
@pytest.mark.parametrize("stem", ["ndcg_cut", "map_cut", "recall", "P", "success"])
def test_a_list_may_be_cut_anywhere(stem, case, cut):
    name = f"{stem}_{cut}"

    assert value(*case_of(case, name)) == pytest.approx(of_trec_eval(name, f"{stem}.{cut}")(case), abs=1e-9)


@SOME
@given(case=rankings(), cut=st.integers(1, 4))
@pytest.mark.parametrize(
    ("stem", "of_query"),
    [
        ("ndcg_exp_cut", exponential),
        ("map_capped", partial(capped, is_precision=True)),
        ("recall_capped", partial(capped, is_precision=False)),
    ],
)
def test_a_list_may_be_cut_before_all_relevant_documents_have_room(stem, of_query, case, cut):
    wanted = of_queries(of_query(cut))(case)

    assert value(*case_of(case, f"{stem}_{cut}")) == pytest.approx(wanted, abs=1e-9)


def case_of(case, name):
    return case.output, name, case.y_true, case.y_pred


@pytest.mark.parametrize(
    "name", ["ndcg_cut_0", "ndcg_cut_99999", "map_10", "rbp_1.5", "ndcg_missing", "bleu_tok_zh"]
)
def test_what_names_no_metric_of_ranked_lists_is_refused(name):
    with pytest.raises(UnknownMetricError):
        metric_for(RankedList(), name)


@pytest.mark.parametrize(
    ("missing", "name", "score"),
    [
        (Missing.LEFT_OUT, "recip_rank", 0.5),
        (Missing.LEFT_OUT, "recip_rank_missing_as_0", 0.25),
        (Missing.ZERO, "recip_rank", 0.25),
    ],
)
def test_queries_without_an_answer_count_as_the_definition_says(missing, name, score):
    kind = RankedList(missing.value)

    assert value(kind, name, kind.array(["a:1", "b:1"]), kind.array(["c a", ""])) == score


def test_a_mean_over_no_query_has_no_value():
    kind = RankedList(Missing.LEFT_OUT.value)
    gold, nothing = kind.array(["a:1"]), kind.array([""])

    assert value(kind, "map", gold, nothing) == Undefined("nothing_answered")
    assert value(kind, "map_missing_as_0", gold, nothing) == 0


@pytest.mark.parametrize(
    ("kind", "name"),
    [(RankedList(Missing.LEFT_OUT.value), "ndcg_cut_3"), (FreeText(), "bleu"), (FreeText(), "ter")],
)
def test_each_resample_is_scored_as_if_it_were_the_split(kind, name):
    random = np.random.default_rng(4)
    compared = Comparison(kind, kind.gold.examples(40, random), kind.examples(40, random))
    if isinstance(kind, RankedList):
        compared.y_pred[::3] = ""
    weights = item_weights(b"open ended", 40, 30)

    found = replicate_scores(compared, [name], weights)[name]

    assert found == pytest.approx(one_by_one(metric_for(kind, name), compared, weights), abs=1e-9)


def test_of_summaries_every_line_is_a_sentence():
    """Words are few, so that a line shares sequences with several lines and may share them in several ways."""
    random, scorer = np.random.default_rng(3), RougeScorer(["rougeLsum"], use_stemmer=True)
    kind, differs = FreeText(), 0
    for _ in range(60):
        answer, *references = (
            " ".join(random.choice(["a", "b", "c", "d", "\n", "\n;\n"], size=random.integers(40)).tolist())
            for _ in range(3)
        )
        found = value(
            kind, "rougeLsum_stemmed", kind.array([as_references(references)]), kind.array([answer])
        )
        expected = scorer.score_multi(references, answer)["rougeLsum"].fmeasure
        assert found == pytest.approx(expected, abs=1e-9)
        differs += found != value(
            kind, "rougeL", kind.array([as_references(references)]), kind.array([answer])
        )
    assert differs > 30


def test_systems_are_compared_item_by_item():
    random, kind = np.random.default_rng(4), FreeText()
    gold = kind.gold.examples(40, random)
    good = kind.array(text[2:-2] for text in gold.tolist())
    one, other = (Comparison(kind, gold, answers) for answers in (good, kind.examples(40, random)))

    p_value = approximate_randomisation(one, other, "bleu", rng=random)

    assert p_value is not None
    assert p_value < 0.01


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_the_longest_common_sequence_is_that_of_the_table(one, other):
    table = np.zeros((len(one) + 1, len(other) + 1), dtype=int)
    for row, word in enumerate(one, start=1):
        for column, beside in enumerate(other, start=1):
            longer = max(table[row - 1, column], table[row, column - 1])
            table[row, column] = table[row - 1, column - 1] + 1 if word == beside else longer

    assert longest_common(one, other) == table[-1, -1]
