"""What tests must know of every kind of answer: its declaration, its stored form, and gold labels with predictions.

Cases are drawn by hypothesis: few items, missing labels, constants.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from catalogue.answers import (
    KINDS,
    LABEL_WITH_CONFIDENCE,
    AnswerKind,
    CharacterSpans,
    ClusterId,
    ConfidentLabel,
    Frames,
    FreeText,
    Label,
    LabelSubset,
    ManyLabels,
    Number,
    OrderedClass,
    OrderedLabel,
    PlaceOnEarth,
    Preference,
    Probabilities,
    RankedList,
    ScoredPreference,
    SoftLabels,
    Span,
    SubsetProbabilities,
    TextTuples,
    TokenEntities,
    TokenLabels,
)
from catalogue.answers.arrays import as_rows, as_table
from catalogue.answers.open_ended.ranked_list import Missing
from catalogue.answers.structured.character_spans import CharacterSpan, spans_text
from catalogue.answers.structured.slots import frame_text
from catalogue.answers.structured.text_tuples import tuples_text
from catalogue.answers.tokens.schemes import Scheme
from tests.catalogue.metrics.oracles import Case
from tests.catalogue.open_ended_facts import (
    all_relevant,
    first_references,
    highest_grades_first,
    only_references,
    rankings,
    texts,
)


def label_names(count: int) -> tuple[str, ...]:
    return ("unrelated", "FAVOR", "AGAINST", *(f"label {code}" for code in range(3, count)))[:count]


@st.composite
def answers(draw: st.DrawFn, of_gold: st.SearchStrategy[Any], of_system: st.SearchStrategy[Any]) -> list[Any]:
    """Aligned answers. Few items leave labels out on either side; some predictions are constant."""
    gold = draw(st.lists(of_gold, min_size=1, max_size=30))
    if draw(st.booleans()):
        return [gold, [draw(of_system)] * len(gold)]
    return [gold, draw(st.lists(of_system, min_size=len(gold), max_size=len(gold)))]


@st.composite
def label_sets(draw: st.DrawFn) -> Case:
    count = draw(st.sampled_from([3, 4, 77, 300]))
    never_right = label_names(count)[3:4] if draw(st.booleans()) else ()
    in_gold = st.integers(0, count - 1).filter(lambda code: not (never_right and code == 3))
    y_true, y_pred = draw(answers(in_gold, st.integers(0, count - 1)))
    to_codes = np.uint8 if count <= 256 else np.uint16
    output = Label(names=label_names(count), never_right=never_right)
    return Case(output, np.array(y_true, dtype=to_codes), np.array(y_pred, dtype=to_codes))


@st.composite
def preferences(draw: st.DrawFn, kind: type[Preference] | type[ScoredPreference]) -> Case:
    """Often without a tie on one side or on both."""
    names = draw(st.sampled_from([("A", "B"), ("A", "B", "same")]))
    code = st.integers(0, len(names) - 1)
    gold = st.sampled_from(draw(st.lists(code, min_size=1, max_size=3)))
    y_true, y_pred = draw(answers(gold, code))
    return Case(kind(names), np.array(y_true, dtype=np.uint8), np.array(y_pred, dtype=np.uint8))


@st.composite
def confidences(draw: st.DrawFn) -> Case:
    answer = st.tuples(st.integers(0, 3), st.floats(0, 1))
    output = ConfidentLabel(names=label_names(4), never_right=draw(st.sampled_from([(), ("label 3",)])))
    y_true, y_pred = draw(answers(answer, answer))
    return Case(
        output, np.array(y_true, dtype=LABEL_WITH_CONFIDENCE), np.array(y_pred, dtype=LABEL_WITH_CONFIDENCE)
    )


@st.composite
def label_subsets(draw: st.DrawFn) -> Case:
    count = draw(st.sampled_from([2, 11, 64]))
    mask = st.integers(0, 2**count - 1) | st.just(0)
    y_true, y_pred = draw(answers(mask, mask))
    names = tuple(f"label {code}" for code in range(count))
    return Case(
        LabelSubset(names=names), np.array(y_true, dtype=np.uint64), np.array(y_pred, dtype=np.uint64)
    )


@st.composite
def numbers(draw: st.DrawFn) -> Case:
    number = st.integers(0, 1000).map(lambda thousandths: thousandths / 1000)
    y_true, y_pred = draw(answers(number, number))
    return Case(
        Number(low=0.0, high=1.0), np.array(y_true, dtype=np.float64), np.array(y_pred, dtype=np.float64)
    )


@st.composite
def classes(draw: st.DrawFn) -> Case:
    low, high = draw(st.sampled_from([(0, 3), (-3, 3), (2, 5)]))
    # Gold labels may leave out the classes at either end or in between.
    gold = st.sampled_from(draw(st.lists(st.integers(low, high), min_size=1, max_size=4)))
    y_true, y_pred = draw(answers(gold, st.integers(low, high)))
    return Case(
        OrderedClass(low=low, high=high), np.array(y_true, dtype=np.int16), np.array(y_pred, dtype=np.int16)
    )


@st.composite
def labels_in_order(draw: st.DrawFn) -> Case:
    """As classes are drawn: some labels have no gold item."""
    count = draw(st.sampled_from([2, 3, 6]))
    gold = st.sampled_from(draw(st.lists(st.integers(0, count - 1), min_size=1, max_size=4)))
    sides = draw(answers(gold, st.integers(0, count - 1)))
    names = ("A1", "A2", "B1", "B2", "C1", "C2")[:count]
    return Case(OrderedLabel(names), *(np.array(side, dtype=np.uint8) for side in sides))


@st.composite
def spans(draw: st.DrawFn) -> Case:
    text = st.text(alphabet="aB ", max_size=8)
    y_true, y_pred = draw(answers(text, text))
    dtype = np.dtypes.StringDType()
    return Case(Span(), np.array(y_true, dtype=dtype), np.array(y_pred, dtype=dtype))


@st.composite
def probabilities(draw: st.DrawFn) -> Case:
    count, random = draw(st.sampled_from([2, 3])), seeded(draw)
    size, is_constant = draw(st.integers(1, 30)), draw(st.booleans())
    # Tenths, so that probabilities are equal often and stand at the ends of bins; and few gold labels.
    table = random.multinomial(10, random.dirichlet(np.ones(count)), 1 if is_constant else size) / 10
    y_true = random.choice(random.integers(0, count, 2), size).astype(np.uint8)
    return Case(
        Probabilities(label_names(count), positive="FAVOR"), y_true, as_rows(np.resize(table, (size, count)))
    )


@st.composite
def likely_subsets(draw: st.DrawFn) -> Case:
    """Tenths, so that probabilities are often equal, and labels that hold for all items or for none."""
    count, random, size = draw(st.sampled_from([2, 3, 11])), seeded(draw), draw(st.integers(1, 30))
    held = random.random((size, count)) < random.choice([0.0, 0.4, 1.0], count)
    table = random.integers(11, size=(1 if draw(st.booleans()) else size, count)) / 10
    return Case(
        SubsetProbabilities(label_names(count)),
        as_rows(held.astype(float)),
        as_rows(np.resize(table, (size, count))),
    )


@st.composite
def shares(draw: st.DrawFn) -> Case:
    """Votes of ten people, so that there are ties and labels that nobody gives; some answers are the gold label."""
    count, random, size = draw(st.sampled_from([2, 3])), seeded(draw), draw(st.integers(1, 30))
    gold, found = (random.multinomial(10, random.dirichlet(np.ones(count)), size) / 10 for _ in range(2))
    is_same = random.random(size) < draw(st.sampled_from([0.0, 0.5]))
    found[is_same] = gold[is_same]
    return Case(SoftLabels(label_names(count)), as_rows(gold), as_rows(found))


@st.composite
def lists_of_labels(draw: st.DrawFn) -> Case:
    count, random = draw(st.sampled_from([2, 5, 100])), seeded(draw)
    output, size = ManyLabels(label_names(count)), draw(st.integers(1, 30))
    y_true, y_pred = output.examples(size, random), output.examples(size, random)
    is_same = random.random(size) < draw(st.sampled_from([0.0, 0.5]))
    y_pred[is_same] = y_true[is_same]
    y_pred[:] = y_pred[:1] if draw(st.booleans()) else y_pred
    return Case(output, y_true, y_pred)


@st.composite
def token_entities(draw: st.DrawFn) -> Case:
    """Gold labels of whatever scheme, right or not, and predictions that are the same at half of the tokens."""
    types = draw(st.sampled_from([("place",), ("place", "creative-work", "x")]))
    return labelled_tokens(TokenEntities(types, draw(st.sampled_from(Scheme))), seeded(draw))


@st.composite
def token_labels(draw: st.DrawFn) -> Case:
    return labelled_tokens(TokenLabels(("NOUN", "VERB", "X")[: draw(st.sampled_from([2, 3]))]), seeded(draw))


@st.composite
def frames(draw: st.DrawFn) -> Case:
    random, size = seeded(draw), draw(st.integers(1, 30))
    output = Frames(("Book", "Ask"), ("city", "day", "name"))

    def drawn() -> str:
        slots = {
            slot: [f"w{word}" for word in random.integers(2, size=random.integers(1, 4))]
            for slot in output.slots
            if random.random() < 0.4
        }
        return frame_text(output.names[random.integers(2)], slots)

    y_true = output.array(drawn() for _ in range(size))
    y_pred = output.array(drawn() if random.random() < 0.5 else gold for gold in y_true.tolist())
    return Case(output, y_true, y_pred)


@st.composite
def character_spans(draw: st.DrawFn) -> Case:
    """Spans that overlap, touch and stand twice, of two types or of none; some answers are the gold label."""
    random, types = seeded(draw), draw(st.sampled_from([(), ("a", "b")]))
    output = CharacterSpans(types)

    def drawn() -> str:
        starts = random.integers(12, size=random.integers(4)).tolist()
        ends = [start + int(random.integers(1, 6)) for start in starts]
        names = [str(random.choice(types)) if types else "" for _ in starts]
        return spans_text(map(CharacterSpan, starts, ends, names))

    y_true = output.array(drawn() for _ in range(draw(st.integers(1, 30))))
    y_pred = output.array(drawn() if random.random() < 0.7 else gold for gold in y_true.tolist())
    return Case(output, y_true, y_pred)


@st.composite
def text_tuples(draw: st.DrawFn) -> Case:
    """Up to three pairs of words of a few; some answers are the gold label."""
    random = seeded(draw)
    output = TextTuples(("aspect", "opinion"))

    def drawn() -> str:
        return tuples_text(
            (str(one), str(other)) for one, other in random.integers(3, size=(random.integers(4), 2))
        )

    y_true = output.array(drawn() for _ in range(draw(st.integers(1, 30))))
    y_pred = output.array(drawn() if random.random() < 0.7 else gold for gold in y_true.tolist())
    return Case(output, y_true, y_pred)


@st.composite
def clusters(draw: st.DrawFn) -> Case:
    """Up to six clusters a side, as letters and as numbers; now and then the same clusters with other names."""
    output, cluster = ClusterId(), st.integers(0, draw(st.integers(0, 5)))
    y_true, y_pred = draw(answers(cluster, st.integers(0, draw(st.integers(0, 5)))))
    found = y_true if draw(st.integers(0, 4)) == 0 else y_pred
    return Case(output, output.array("abcdef"[of] for of in y_true), output.array(map(str, found)))


@st.composite
def places(draw: st.DrawFn) -> Case:
    """Places of one half of the earth, where distances are exact; some answers are the gold label."""
    output, random, size = PlaceOnEarth(), seeded(draw), draw(st.integers(1, 30))
    y_true, y_pred = output.examples(size, random), output.examples(size, random)
    is_same = random.random(size) < draw(st.sampled_from([0.0, 0.5]))
    y_pred[is_same] = y_true[is_same]
    return Case(output, y_true, y_pred)


def labelled_tokens(output: AnswerKind, random: np.random.Generator) -> Case:
    sides: tuple[list[str], list[str]] = [], []
    outside = random.choice([0.0, 0.5])
    for length in random.integers(1, 9, size=random.integers(1, 20)):
        gold = random.integers(len(output.labels), size=length)
        gold[random.random(length) < outside] = 0
        found = np.where(random.random(length) < 0.5, gold, random.integers(len(output.labels), size=length))
        for side, codes in zip(sides, (gold, found), strict=True):
            side.append(" ".join(output.labels[code] for code in codes))
    return Case(output, *map(output.array, sides))


def seeded(draw: st.DrawFn) -> np.random.Generator:
    """What draws many numbers in less time than hypothesis."""
    return np.random.default_rng(draw(st.integers(0, 2**32 - 1)))


def gold_labels(case: Case) -> np.ndarray:
    return case.y_true


def one_hot(case: Case) -> np.ndarray:
    return as_rows(np.eye(len(case.output.labels))[case.y_true])


def likely_labels(kind: AnswerKind, answers: np.ndarray) -> np.ndarray:
    return as_rows((as_table(answers) > 0.5).astype(float))


def sure_where_right(case: Case) -> np.ndarray:
    """The gold labels; sure of each that can be right, and unsure of others."""
    answers = case.y_true.copy()
    never_right = [case.output.labels.index(label) for label in case.output.never_right]
    answers["confidence"] = ~np.isin(answers["label"], never_right)
    return answers


def answers_themselves(kind: AnswerKind, answers: np.ndarray) -> np.ndarray:
    return answers


def likeliest_labels(kind: AnswerKind, answers: np.ndarray) -> np.ndarray:
    return kind.positions(answers).astype(kind.gold.dtype)


@dataclass(frozen=True)
class Facts:
    """What one kind is tested with.

    `declared` is what a definition says of it, `refused` are cells that it refuses, and `packed` is the digest of two
    stored answers. `cases` draws gold labels with predictions, and `few` is an instance with three answers of it;
    `few_gold` are three gold labels where these are of another kind. `own_columns` are the columns of answers in a
    table where the kind has its own. `best` gives the answers that score best, and `gold_for` gold labels for which
    answers are right.
    """

    declared: str
    signature: str
    refused: tuple[str, ...]
    packed: str
    cases: st.SearchStrategy[Case]
    few: tuple[AnswerKind, np.ndarray]
    few_gold: np.ndarray | None = None
    own_columns: str = ""
    best: Callable[[Case], np.ndarray] = gold_labels
    gold_for: Callable[[AnswerKind, np.ndarray], np.ndarray] = answers_themselves


FACTS = {
    "one_label": Facts(
        "labels: [good, bad, odd one]",
        "LabelSet(names=('good', 'bad', 'odd one'), never_right=())",
        ("", "NaN", "goodd"),
        "31990d6102f6",
        cases=label_sets(),
        few=(Label(names=label_names(3)), np.array([0, 1, 2], dtype=np.uint8)),
    ),
    "ordered_classes": Facts(
        "output: {kind: ordered_classes, low: -2, high: 3}",
        "OrderedClasses(low=-2, high=3)",
        ("", "NaN", "4", "1.5"),
        "b0a7776fdb33",
        cases=classes(),
        few=(OrderedClass(low=-1, high=1), np.array([-1, 0, 1], dtype=np.int16)),
    ),
    "ordered_labels": Facts(
        "output: {kind: ordered_labels}\n    labels: [low, middle, high]",
        "OrderedLabels(names=('low', 'middle', 'high'), never_right=())",
        ("", "NaN", "1", "Low"),
        "31990d6102f6",
        cases=labels_in_order(),
        few=(OrderedLabel(names=("low", "middle", "high")), np.array([0, 1, 2], dtype=np.uint8)),
    ),
    "number": Facts(
        "output: {kind: number, low: -1, high: 1}",
        "Number(low=-1.0, high=1.0)",
        ("", "NaN", "inf", "1.01", "x"),
        "a485f6b2592a",
        cases=numbers(),
        few=(Number(low=0.0, high=1.0), np.array([0.0, 0.25, 1.0])),
    ),
    "label_subset": Facts(
        "output: {kind: label_subset}\n    labels: [joy, fear]",
        "LabelSubset(names=('joy', 'fear'))",
        ("", "NaN", "2"),
        "0f5509f4e764",
        cases=label_subsets(),
        few=(LabelSubset(names=label_names(3)), np.array([0, 1, 6], dtype=np.uint64)),
        own_columns="joy, fear",
    ),
    "label_with_confidence": Facts(
        "output: {kind: label_with_confidence}\n    labels: [good, bad]",
        "LabelWithConfidence(names=('good', 'bad'), never_right=())",
        ("", "NaN", "goodd"),
        "36afdaf0beb0",
        cases=confidences(),
        few=(
            ConfidentLabel(names=label_names(3)),
            np.array([(0, 1), (1, 0.5), (2, 0)], dtype=LABEL_WITH_CONFIDENCE),
        ),
        best=sure_where_right,
    ),
    "span": Facts(
        "output: {kind: span}",
        "Span()",
        ("", " "),
        "5b598283af0f",
        cases=spans(),
        few=(Span(), np.array(["", "a", "a b"], dtype=np.dtypes.StringDType())),
    ),
    "probabilities": Facts(
        "output: {kind: probabilities, positive: good}\n    labels: [good, bad, odd one]",
        "Probabilities(names=('good', 'bad', 'odd one'), positive='good', sum_within=1e-05, is_positive_alone=False)",
        ("", "NaN", "inf", "1.01", "x", "0.9999999"),
        "e5809a9119b2",
        cases=probabilities(),
        few=(
            Probabilities(label_names(2), positive="FAVOR"),
            as_rows(np.array([[1.0, 0.0], [0.5, 0.5], [0.25, 0.75]])),
        ),
        few_gold=np.array([0, 1, 1], dtype=np.uint8),
        own_columns="good, bad, odd one",
        best=one_hot,
        gold_for=likeliest_labels,
    ),
    "subset_probabilities": Facts(
        "output: {kind: subset_probabilities}\n    labels: [joy, fear]",
        "SubsetProbabilities(names=('joy', 'fear'))",
        ("", "NaN", "inf", "1.01", "x"),
        "9bd0492d0c0c",
        cases=likely_subsets(),
        few=(
            SubsetProbabilities(label_names(2)),
            as_rows(np.array([[1.0, 0.0], [0.5, 0.5], [0.25, 0.75]])),
        ),
        few_gold=as_rows(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])),
        own_columns="joy, fear",
        gold_for=likely_labels,
    ),
    "soft_labels": Facts(
        "output: {kind: soft_labels}\n    labels: [good, bad, odd one]",
        "SoftLabels(names=('good', 'bad', 'odd one'), sum_within=1e-05)",
        ("", "NaN", "inf", "1.01", "x", "0.9999999"),
        "e5809a9119b2",
        cases=shares(),
        few=(SoftLabels(label_names(2)), as_rows(np.array([[1.0, 0.0], [0.5, 0.5], [0.25, 0.75]]))),
        own_columns="good, bad, odd one",
    ),
    "many_labels": Facts(
        "output: {kind: many_labels}\n    labels: [joy, fear, great joy]",
        "ManyLabels(names=('joy', 'fear', 'great joy'))",
        ("", "joyy", "NaN"),
        "c1e132fda261",
        cases=lists_of_labels(),
        few=(
            ManyLabels(label_names(3)),
            ManyLabels(label_names(3)).array(["", "unrelated", "FAVOR|AGAINST"]),
        ),
    ),
    "frames": Facts(
        "output: {kind: frames, slots: [city, day]}\n    labels: [Book, Ask]",
        "Frames(names=('Book', 'Ask'), slots=('city', 'day'))",
        ("", "book", "Call"),
        "69d0af9d8961",
        cases=frames(),
        few=(
            Frames(("Book", "Ask"), ("city",)),
            Frames(("Book", "Ask"), ("city",)).array(
                ['["Book",{}]', '["Book",{"city":["Bath"]}]', '["Ask",{"city":["Rome"]}]']
            ),
        ),
    ),
    "character_spans": Facts(
        "output: {kind: character_spans, types: [slogan, doubt]}",
        "CharacterSpans(types=('slogan', 'doubt'), listed='ranges', keys=())",
        ("", "x", "[[0, 4]]", "[[4, 4, slogan]]", "NaN"),
        "81bda0d1153d",
        cases=character_spans(),
        few=(
            CharacterSpans(),
            CharacterSpans().array(["[]", "[[0,4]]", "[[2,6],[8,9]]"]),
        ),
    ),
    "tuples": Facts(
        "output: {kind: tuples, parts: [aspect, view], values: {view: [good, bad]}}",
        "TextTuples(parts=('aspect', 'view'), keyed=False, values=(('view', ('good', 'bad')),), ignore_case=False)",
        ("", "x", '["a"]', '[["screen", "fair"]]', "NaN"),
        "d9414f015602",
        cases=text_tuples(),
        few=(TextTuples(), TextTuples().array(["[]", '[["screen"]]', '[["price"],["screen"]]'])),
    ),
    "place": Facts(
        "output: {kind: place, columns: [lat, lon]}",
        "PlaceOnEarth(columns_of_place=('lat', 'lon'))",
        ("", "NaN", "inf", "181", "91", "x"),
        "aefee342aee7",
        cases=places(),
        few=(PlaceOnEarth(), PlaceOnEarth().array([(0, 0), (51.5, -0.1), (-90, 180)])),
        own_columns="lat, lon",
    ),
    "cluster_id": Facts(
        "output: {kind: cluster_id}",
        "ClusterId()",
        ("", " 1", "NaN"),
        "4dd3bb0ce962",
        cases=clusters(),
        few=(ClusterId(), ClusterId().array(["1", "2", "b"])),
    ),
    "token_labels": Facts(
        "output: {kind: token_labels}\n    labels: [NOUN, VERB]",
        "TokenLabels(names=('NOUN', 'VERB'))",
        ("", "Noun", "ADV"),
        "49d4d7487f72",
        cases=token_labels(),
        few=(
            TokenLabels(("NOUN", "VERB")),
            TokenLabels(("NOUN", "VERB")).array(["NOUN NOUN", "NOUN VERB", "VERB VERB"]),
        ),
    ),
    "token_entities": Facts(
        "output: {kind: token_entities, scheme: bioes, types: [place, creative-work]}",
        "TokenEntities(types=('place', 'creative-work'), scheme='bioes')",
        ("", "place", "L-place", "B-person"),
        "cfa4490c8bb1",
        cases=token_entities(),
        few=(
            TokenEntities(("place",)),
            TokenEntities(("place",)).array(["O O", "B-place I-place", "O B-place"]),
        ),
    ),
    "ranked_list": Facts(
        "output: {kind: ranked_list}",
        "RankedList(missing='refused', level=1, depth=1000)",
        ("", "d1 d2 d1", "d1  d2"),
        "d28eedfb2b62",
        cases=rankings(),
        few=(RankedList(Missing.LEFT_OUT.value), RankedList().array(["", "a b", "c b"])),
        few_gold=RankedList().array(["a:1", "b:2 a:0", "c:-1"]),
        best=highest_grades_first,
        gold_for=all_relevant,
    ),
    "preference": Facts(
        "output: {kind: preference}\n    labels: [A, tie, B]",
        "Preference(names=('A', 'B', 'tie'), never_right=())",
        ("", "NaN", "a", "C"),
        "31990d6102f6",
        cases=preferences(Preference),
        few=(Preference(("A", "B", "tie")), np.array([0, 1, 2], dtype=np.uint8)),
    ),
    "scored_preference": Facts(
        "output: {kind: scored_preference, tie: same}\n    labels: [A, B, same]",
        "ScoredPreference(names=('A', 'B', 'same'), never_right=(), scores=('score_1', 'score_2'))",
        ("", "NaN", "inf", "1e999", "x"),
        "31990d6102f6",
        cases=preferences(ScoredPreference),
        few=(ScoredPreference(("A", "B", "same")), np.array([0, 1, 2], dtype=np.uint8)),
        own_columns="score_1, score_2",
    ),
    "text": Facts(
        "output: {kind: text}",
        "Text()",
        (),  # any text is an answer
        "d26f855a36b1",
        cases=texts(),
        few=(FreeText(), FreeText().array(["", "a", "a b"])),
        few_gold=FreeText().array(['["a"]', '["a b","b"]', '["c"]']),
        best=first_references,
        gold_for=only_references,
    ),
}
CASES: dict[type[AnswerKind], st.SearchStrategy[Case]] = {KINDS[key]: FACTS[key].cases for key in FACTS}
EACH_KIND = pytest.mark.parametrize("kind", CASES, ids=lambda kind: kind.key)


def few_items(kind: type[AnswerKind]) -> Iterator[Case]:
    """Every file of one to three items and every answer to it, of three answers of the kind."""
    facts = FACTS[kind.key]
    output, answers = facts.few
    gold_labels = answers if facts.few_gold is None else facts.few_gold
    for count in (1, 2, 3):
        codes = [list(chosen) for chosen in product(range(len(answers)), repeat=count)]
        for gold, predicted in product(codes, codes):
            yield Case(output, gold_labels[gold], answers[predicted])
