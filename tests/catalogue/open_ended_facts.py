"""What tests must know of ranked lists and texts: gold labels with answers, and which answers are the best."""

import numpy as np
from hypothesis import strategies as st

from catalogue.answers import AnswerKind, FreeText, RankedList
from catalogue.answers.open_ended.free_text import as_references, references_in
from catalogue.answers.open_ended.ranked_list import BETWEEN, Missing, grades_in, with_grades
from tests.catalogue.metrics.oracles import Case

DOCUMENTS = [f"d{number}" for number in range(1, 15)]
WORDS = ["a", "the", "old", "Dogs", "running", "cook,", "fed", "3.5", "Ann's"]


@st.composite
def rankings(draw: st.DrawFn) -> Case:
    """Few queries; some without a relevant document, some without an answer where that counts 0."""
    missing = draw(st.sampled_from([Missing.REFUSED, Missing.ZERO]))
    judged = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-1, 3), min_size=1)
    ranked = st.lists(st.sampled_from(DOCUMENTS), min_size=missing is Missing.REFUSED, unique=True)
    pairs = draw(st.lists(st.tuples(judged, ranked), min_size=1, max_size=6))
    output = RankedList(missing.value, level=draw(st.integers(1, 2)))
    return Case(
        output,
        output.array(with_grades(grades) for grades, _ in pairs),
        output.array(BETWEEN.join(documents) for _, documents in pairs),
    )


@st.composite
def texts(draw: st.DrawFn) -> Case:
    """References are long enough for every length of n-grams, so that the answer that is one scores best."""
    reference = st.lists(st.sampled_from(WORDS), min_size=4, max_size=8).map(" ".join)
    answer = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
    pairs = draw(
        st.lists(st.tuples(st.lists(reference, min_size=1, max_size=3), answer), min_size=1, max_size=5)
    )
    output = FreeText()
    return Case(
        output,
        output.array(as_references(references) for references, _ in pairs),
        output.array(text for _, text in pairs),
    )


def all_relevant(kind: AnswerKind, answers: np.ndarray) -> np.ndarray:
    """Gold labels of which these rankings hold all, and nothing else."""
    ranked = (answer.split(BETWEEN) for answer in answers.tolist())
    return kind.array(with_grades(dict.fromkeys(documents, 1)) for documents in ranked)


def only_references(kind: AnswerKind, answers: np.ndarray) -> np.ndarray:
    return kind.array(as_references([text]) for text in answers.tolist())


def highest_grades_first(case: Case) -> np.ndarray:
    return case.output.array(BETWEEN.join(grades_in(gold)) for gold in case.y_true.tolist())


def first_references(case: Case) -> np.ndarray:
    return case.output.array(references_in(gold)[0] for gold in case.y_true.tolist())
