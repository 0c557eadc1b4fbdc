"""Coreference as shared tasks publish it: mentions of documents in clusters, held against the measures' definitions."""

import json
from itertools import chain, combinations, permutations, repeat
from math import comb

import numpy as np
import pytest

from benchmarks.spec.document import DefinitionError
from catalogue.answers import TextTuples
from catalogue.comparison import Comparison
from catalogue.metrics.choice import metric_for
from scoring.core.uncertainty.paired import approximate_randomisation
from scoring.core.uncertainty.replicates import replicate_scores
from scoring.core.uncertainty.weights import item_weights
from scoring.file_refusal import FileRefused
from submissions.intake import ItemIds, SplitTarget, read_labels
from submissions.intake.predictions.file_writer import write_predictions
from tests.scoring.test_shared_task_shapes import benchmark, problems, scores

MEASURES = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "lea")
NAMES = [f"{measure}_{number}[cluster]" for measure in MEASURES for number in ("recall", "precision", "f1")]
PARTS = ["start", "end", "cluster"]


def drawn(seed, *, documents=4, mentions=9):
    """Clusters of each document, of mentions that are pairs of places; some have only one."""
    random = np.random.default_rng(seed)
    found = []
    for _ in range(documents):
        clusters: dict[int, list[tuple[int, int]]] = {}
        for place in random.permutation(12)[:mentions].tolist():
            clusters.setdefault(int(random.integers(4)), []).append((place, place + 1))
        found.append([frozenset(cluster) for cluster in clusters.values()])
    return found


def table(documents, *, first="c"):
    """A row for each mention: the document, where it stands and the name of its cluster."""
    rows = [
        f"d{number}\t{start}\t{end}\t{first}{name}"
        for number, clusters in enumerate(documents)
        for name, cluster in enumerate(clusters)
        for start, end in sorted(cluster)
    ]
    return "\n".join(["doc\tstart\tend\tcluster", *rows, ""])


def spec(*names, **more):
    file = {"path": "mentions.tsv", "dialect": "long_tsv", "id_column": "doc"}
    return benchmark(list(names), output={"kind": "tuples", "parts": PARTS} | more, file=file)


def links(cluster):
    return set(map(frozenset, combinations(cluster, 2)))


def one_side(measure, own, other):
    """What is right of a document's own clusters, and out of how much: recall of gold clusters, else precision."""
    of_other = {mention: cluster for cluster in other for mention in cluster}
    if measure == "muc":
        parts = [len({of_other.get(mention, mention) for mention in cluster}) for cluster in own]
        return sum(map(len, own)) - sum(parts), sum(map(len, own)) - len(own)
    if measure == "b_cubed":
        shares = [
            len(cluster & of_other.get(mention, frozenset())) / len(cluster)
            for cluster in own
            for mention in cluster
        ]
        return sum(shares), len(shares)
    if measure == "lea":
        right = 0.0
        for cluster in own:
            if len(cluster) == 1:
                right += set(cluster) in other
            else:
                kept = sum(len(links(cluster) & links(one)) for one in other)
                right += len(cluster) * kept / comb(len(cluster), 2)
        return right, sum(map(len, own))
    few, many = sorted((own, other), key=len)

    def alike(one, another):
        return len(one & another) * (1 if measure == "ceaf_m" else 2 / (len(one) + len(another)))

    best = max(sum(map(alike, few, chosen)) for chosen in permutations(many, len(few)))
    return best, sum(map(len, own)) if measure == "ceaf_m" else len(own)


def official(measure, gold, found):
    """Recall, precision and F1 over all documents."""
    recall, precision = (
        np.divide(*np.sum([one_side(measure, *pair) for pair in zip(*sides, strict=True)], axis=0))
        for sides in ((gold, found), (found, gold))
    )
    return recall, precision, 2 * recall * precision / (recall + precision)


def without_singletons(documents):
    return [[cluster for cluster in clusters if len(cluster) > 1] for clusters in documents]


@pytest.mark.parametrize("seed", range(5))
def test_clusters_of_mentions_are_scored_as_the_reference_scorer_of_conll_does(seed):
    gold, found = drawn(seed), drawn(seed + 100, mentions=7)

    values = scores(spec(*NAMES, "conll_f1[cluster]"), table(gold), table(found, first="x"))

    wanted = [official(measure, gold, found) for measure in MEASURES]
    assert values[:-1] == pytest.approx(list(chain.from_iterable(wanted)), abs=1e-12)
    assert values[-1] == pytest.approx((wanted[0][2] + wanted[1][2] + wanted[3][2]) / 3, abs=1e-12)


def test_singletons_may_be_left_out_as_corefud_does():
    gold, found = drawn(1), drawn(2)
    names = [f"{measure}_f1_no_singletons[cluster]" for measure in MEASURES]

    values = scores(spec(*names), table(gold), table(found))

    wanted = [
        official(measure, without_singletons(gold), without_singletons(found))[2] for measure in MEASURES
    ]
    assert values == pytest.approx(wanted, abs=1e-12)


def test_blanc_is_of_links_within_and_between_clusters():
    gold, found = drawn(3), drawn(4)

    def both_kinds(clusters):
        within = set(chain.from_iterable(map(links, clusters)))
        return within, links(set(chain.from_iterable(clusters))) - within

    f1s = []
    for kind in (0, 1):
        counts = np.zeros(3)
        for pair in zip(gold, found, strict=True):
            wanted, given = (both_kinds(clusters)[kind] for clusters in pair)
            counts += len(wanted & given), len(wanted), len(given)
        f1s.append(2 * counts[0] / (counts[1] + counts[2]))
    assert scores(spec("blanc[cluster]"), table(gold), table(found)) == pytest.approx(
        [np.mean(f1s)], abs=1e-12
    )


def test_what_clusters_are_called_does_not_matter_and_a_mention_is_in_one():
    gold = table([[{(0, 1), (2, 3)}, {(4, 5), (6, 7)}]])
    twice = gold + "d0\t0\t1\tz\n"

    assert scores(spec("conll_f1[cluster]"), gold, twice.replace("c0", "one")) == [1]


def test_nothing_found_scores_0_and_nothing_to_find_has_no_value():
    gold, header = table(drawn(5)), "doc\tstart\tend\tcluster\n"
    nothing, alone = f"{header}d0\t\t\t\n", f"{header}d0\t0\t1\ta\n"

    assert scores(spec("conll_f1[cluster]", "muc_precision[cluster]"), gold, nothing) == [0, None]
    assert scores(spec("muc_f1[cluster]", "b_cubed_f1[cluster]"), alone, alone) == [None, 1]


def test_two_systems_are_compared_document_by_document():
    kind = TextTuples(tuple(PARTS))
    gold, bad = ([json_of(clusters) for clusters in drawn(seed, documents=30)] for seed in (6, 7))
    good = Comparison(kind, kind.array(gold), kind.array(gold))
    other = Comparison(kind, kind.array(gold), kind.array(bad))

    p = approximate_randomisation(good, other, "conll_f1[cluster]", rng=np.random.default_rng(1), draws=200)

    assert metric_for(kind, "conll_f1[cluster]").value(good) == 1
    assert p is not None
    assert p < 0.05


def test_resamples_draw_documents():
    kind, gold, found = TextTuples(tuple(PARTS)), drawn(10, documents=6), drawn(11, documents=6)
    comparison = Comparison(kind, *(kind.array(map(json_of, documents)) for documents in (gold, found)))
    weights = item_weights(b"documents", 6, 20)

    values = replicate_scores(comparison, ["conll_f1[cluster]"], weights)["conll_f1[cluster]"]

    for value, often in zip(values, weights, strict=True):
        sides = [list(chain.from_iterable(map(repeat, side, often.tolist()))) for side in (gold, found)]
        wanted = np.mean([official(measure, *sides)[2] for measure in ("muc", "b_cubed", "ceaf_e")])
        assert value == pytest.approx(wanted, abs=1e-12)


def json_of(clusters):
    rows = [
        [str(start), str(end), f"c{name}"] for name, cluster in enumerate(clusters) for start, end in cluster
    ]
    return json.dumps(sorted(rows), separators=(",", ":"))


def in_lists(**more):
    output = {"kind": "tuples", "parts": ["cluster", "start", "end"], "written": "clusters"} | more
    file = {
        "path": "clusters.jsonl",
        "dialect": "json_lines",
        "id_column": "doc_key",
        "label_column": "clusters",
    }
    return benchmark(["conll_f1[cluster]", "lea_f1[cluster]"], output=output, file=file)


def lines(documents, order=list):
    """As OntoNotes is mostly passed on: a list of clusters, each a list of mentions."""
    return "".join(
        json.dumps({"doc_key": f"d{number}", "clusters": [order(cluster) for cluster in order(clusters)]})
        + "\n"
        for number, clusters in enumerate(documents)
    )


def test_clusters_may_stand_as_lists_of_mentions_in_any_order():
    gold, found = drawn(8), drawn(9)
    wanted = scores(spec("conll_f1[cluster]", "lea_f1[cluster]"), table(gold), table(found))

    assert scores(in_lists(), lines(gold), lines(found)) == wanted
    turned = lines(found, lambda members: list(reversed(list(members))))
    assert scores(in_lists(), lines(gold), turned) == wanted
    assert scores(in_lists(), lines(gold), turned.replace("[]", "[[]]")) == wanted


def test_mentions_may_have_names_alone():
    gold = '{"doc_key": "d", "clusters": [["m1", "m2"], ["m3"]]}\n'
    named = in_lists(parts=["cluster", "mention"])

    assert scores(named, gold, gold.replace('["m1", "m2"], ["m3"]', '["m3"], ["m2", "m1"]')) == [1, 1]


@pytest.mark.parametrize(
    "clusters",
    ["[[0, 1]]", "[[[0]]]", "[[[0, 1, 2]]]", "{}", "[[[0, 1.5]]]", "[[[0, null]]]", "[3]", '["a"]'],
)
def test_what_is_no_list_of_clusters_is_refused_once_where_it_stands(clusters):
    gold = '{"doc_key": "d", "clusters": [[[0, 1], [4, 5]]]}\n'
    answer = f'{{"doc_key": "d", "clusters": {clusters}}}\n'

    assert problems(in_lists(), gold, answer) == [(1, "clusters", "json_wrong_type")]


def test_a_mention_that_is_none_is_told_as_it_stands_in_the_file():
    gold = '{"doc_key": "d", "clusters": [[[0, 1], [4, 5]]]}\n'

    with pytest.raises(FileRefused, match=r"“\[0, 1\.5\]” is not what is expected here"):
        scores(in_lists(), gold, gold.replace("[0, 1]", "[0, 1.5]"))


@pytest.mark.parametrize(
    "wrong", [{"parts": ["cluster"]}, {"keyed": True}, {"values": {"cluster": ["a"]}}, {"written": "rows"}]
)
def test_clusters_that_cannot_be_are_a_mistake_of_the_definition(wrong):
    with pytest.raises(DefinitionError, match="written"):
        in_lists(**wrong)


def test_answers_in_clusters_can_be_written_and_read_again():
    task, ids = in_lists().tasks[0], ItemIds(("d0", "d1", "d2"))
    answers = task.output.examples(3, np.random.default_rng(1))

    written = write_predictions(task, ids.ids, answers)

    read = read_labels(written, file_name="clusters.jsonl", target=SplitTarget(task, "test", ids))
    assert read.content_or(AssertionError).codes.tolist() == answers.tolist()


@pytest.mark.parametrize("name", ["conll_f1", "conll_f1[who]", "conll_f1[start,end]", "muc_f2[cluster]"])
def test_a_name_without_one_part_for_the_cluster_is_a_mistake(name):
    with pytest.raises(DefinitionError, match=r"conll_f1\[<part>\]"):
        spec(name)
