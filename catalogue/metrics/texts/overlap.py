"""ROUGE, exact match and F1 of words: a number per item, of several references the best, and its mean over items."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import chain, pairwise
from string import punctuation
from typing import Any

import numpy as np

from catalogue.metrics.metric import Metric
from catalogue.metrics.statistics import Floats
from catalogue.metrics.texts.reading import READ_RIGHT, OfItem, Texts, mean_metric, numbers_of

_NO_WORD = re.compile("[^a-z0-9]+")
_LONGEST_UNSTEMMED = 3
_STEMMED = "_stemmed"
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_WITHOUT_PUNCTUATION = str.maketrans("", "", punctuation)
Words = Sequence[str]
Sentences = Sequence[Words]


# ROUGE


@lru_cache
def _stemmer() -> Any:
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    return str(_stemmer().stem(word)) if len(word) > _LONGEST_UNSTEMMED else word


def _words(text: str) -> list[str]:
    return [word for word in _NO_WORD.split(text.lower()) if word]


def _stems(text: str) -> list[str]:
    return [stem for word in _words(text) if (stem := _stem(word))]


def shared_words(one: Iterable[Any], other: Iterable[Any]) -> int:
    """How many of them both have, each as often as both have it."""
    return (Counter(one) & Counter(other)).total()


def longest_common(one: Words, other: Words) -> int:
    """The number of words of the longest sequence that both have, with gaps: a bit for each word of the first.

    Hyyrö (2004), "Bit-parallel LCS-length computation revisited".
    """
    places: dict[str, int] = {}
    for at, word in enumerate(one):
        places[word] = places.get(word, 0) | 1 << at
    full = (1 << len(one)) - 1
    row = full
    for word in other:
        matched = row & places.get(word, 0)
        row = (row + matched | row - matched) & full
    return len(one) - row.bit_count()


def _common_places(places: dict[str, int], size: int, other: Words) -> int:
    """The places of one longest sequence that both have, as bits: that which rouge-score finds.

    `places` has the bits of each of the `size` words of the first. Rows of bits say where the length grows.
    """
    full = (1 << size) - 1
    rows = [full]
    for word in other:
        matched = rows[-1] & places.get(word, 0)
        rows.append((rows[-1] + matched | rows[-1] - matched) & full)

    def length(at: int, of: int) -> int:
        return at - (rows[of] & ((1 << at) - 1)).bit_count()

    found, at, of = 0, size, len(other)
    while at and of:
        if places.get(other[of - 1], 0) >> (at - 1) & 1:
            at, of = at - 1, of - 1
            found |= 1 << at
        elif length(at, of - 1) > length(at - 1, of):
            of -= 1
        else:
            at -= 1
    return found


def common_of_sentences(gold: Sentences, found: Sentences) -> int:
    """How many words stand in the longest sequences that any sentence of the answer shares with one of the reference.

    The union over the answer's sentences counts, and a word no more often than the answer has it.
    """
    union: Counter[str] = Counter()
    for sentence in gold:
        places: dict[str, int] = {}
        for at, word in enumerate(sentence):
            places[word] = places.get(word, 0) | 1 << at
        shared = 0
        for other in found:
            if not places.keys().isdisjoint(other):
                shared |= _common_places(places, len(sentence), other)
        union.update(word for at, word in enumerate(sentence) if shared >> at & 1)
    return (union & Counter(chain.from_iterable(found))).total()


def _rouge(
    parts: Callable[[str], Any], shared: Callable[[Any, Any], int], size: Callable[[Any], int]
) -> OfItem:
    def of_item(references: Sequence[str], answer: str) -> float:
        found = parts(answer)
        count = size(found)
        wanted = map(parts, references)
        return max(
            2 * shared(gold, found) / (length + count) if (length := size(gold)) and count else 0.0
            for gold in wanted
        )

    return of_item


def _alone(words: Callable[[str], list[str]], text: str) -> Words:
    return words(text)


def _pairs(words: Callable[[str], list[str]], text: str) -> list[tuple[str, str]]:
    return list(pairwise(words(text)))


def _by_line(words: Callable[[str], list[str]], text: str) -> Sentences:
    return [words(line) for line in text.split("\n")]


def _word_count(sentences: Sentences) -> int:
    return sum(map(len, sentences))


def rouge_l(y_true: Iterable[str], y_pred: Iterable[str]) -> float:
    """ROUGE-L: mean over items of the F1 of the longest sequence of words, with gaps, that answer and reference share.

    ROUGE-1 and ROUGE-2 are the F1 of words and of pairs of neighbours. ROUGE-Lsum takes every line for a sentence, and
    counts the words that a sentence of the reference shares in sequence with any of the answer. From 0 to 1. Never
    undefined: without a word on either side an item counts 0. Words are letters a to z and digits, without case;
    `_stemmed` takes their stems (Porter's, of more than three letters). Of several references the best counts.

    Parameters
    ----------
    y_true : str of shape (n_items,)
        References of each item, as a list in JSON.
    y_pred : str of shape (n_items,)
        Texts.

    Returns
    -------
    float

    References
    ----------
    Lin (2004), "ROUGE: a package for automatic evaluation of summaries"; rouge-score 0.1.2, `score_multi`.

    Examples
    --------
    >>> rouge_l(['["the old dog sat"]'], ["the dog sat"])
    0.8571428571428571
    """
    return float(np.mean(_ROUGES["rougeL"](y_true, y_pred)))


# Accepted answers


def _is_one(references: Sequence[str], answer: str) -> float:
    return float(answer in references)


def _without_looks(text: str) -> str:
    """As SQuAD compares answers: without case, punctuation, articles and superfluous white space."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_WITHOUT_PUNCTUATION)).split())


def _is_one_in_words(references: Sequence[str], answer: str) -> float:
    return float(_without_looks(answer) in map(_without_looks, references))


def _f1(normalised: Callable[[str], str]) -> OfItem:
    def of_item(references: Sequence[str], answer: str) -> float:
        found = normalised(answer).split()
        wanted = [normalised(text).split() for text in references]
        return max(
            2 * shared_words(gold, found) / (len(gold) + len(found)) if gold or found else 1.0
            for gold in wanted
        )

    return of_item


def exact_match_of_texts(y_true: Iterable[str], y_pred: Iterable[str]) -> float:
    """Share of items whose text is one of the references to the letter.

    From 0 to 1. Never undefined. `exact_match_squad` compares without case, punctuation, articles (a, an, the) and
    superfluous white space.

    Parameters
    ----------
    y_true, y_pred
        As for `rouge_l`.

    Returns
    -------
    float

    References
    ----------
    Rajpurkar et al. (2016), doi:10.18653/v1/D16-1264.

    Examples
    --------
    >>> exact_match_of_texts(['["Ann","Anna"]', '["a dog"]'], ["Anna", "the dog"])
    0.5
    """
    return float(np.mean(numbers_of(_is_one)(y_true, y_pred)))


def token_f1_of_texts(y_true: Iterable[str], y_pred: Iterable[str]) -> float:
    """Mean over items of the F1 of words, each as often as it stands there; of several references the best counts.

    From 0 to 1. Never undefined: two texts without a word count 1, one such beside another 0. Words are what white
    space separates; `token_f1_squad` compares them without case, punctuation and articles (a, an, the).

    Parameters
    ----------
    y_true, y_pred
        As for `rouge_l`.

    Returns
    -------
    float

    References
    ----------
    Rajpurkar et al. (2016), doi:10.18653/v1/D16-1264, and (2018), doi:10.18653/v1/P18-2124.

    Examples
    --------
    >>> token_f1_of_texts(['["the tall tree"]'], ["tall tree"])
    0.8
    """
    return float(np.mean(numbers_of(_f1(str))(y_true, y_pred)))


_Parts = Callable[[Callable[[str], list[str]], str], Any]
_PARTS: dict[str, tuple[_Parts, Callable[[Any, Any], int], Callable[[Any], int]]] = {
    "rouge1": (_alone, shared_words, len),
    "rouge2": (_pairs, shared_words, len),
    "rougeL": (_alone, longest_common, len),
    "rougeLsum": (_by_line, common_of_sentences, _word_count),
}
_ROUGES: dict[str, Callable[[Iterable[str], Iterable[str]], Floats]] = {
    f"{name}{ending}": numbers_of(_rouge(partial(parts, words), shared, size))
    for name, (parts, shared, size) in _PARTS.items()
    for ending, words in (("", _words), (_STEMMED, _stems))
}
_TITLES = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L", "rougeLsum": "ROUGE-Lsum"}
_SQUAD = "doi:10.18653/v1/D16-1264, on texts as {}"


def _rouge_metric(name: str) -> Metric[Texts, Texts]:
    stem = name.removesuffix(_STEMMED)
    title = _TITLES[stem] if stem == name else f"{_TITLES[stem]} of stems"
    libraries = () if stem == name else ("nltk",)
    return mean_metric(
        name, title, rouge_l, _ROUGES[name], "rouge-score 0.1.2, score_multi", libraries=libraries
    )


METRICS = (
    *map(_rouge_metric, _TITLES),
    mean_metric(
        "exact_match",
        "Exact match",
        exact_match_of_texts,
        numbers_of(_is_one),
        _SQUAD.format("they are"),
        statistic=READ_RIGHT,
    ),
    mean_metric(
        "exact_match_squad",
        "Exact match but for looks",
        exact_match_of_texts,
        numbers_of(_is_one_in_words),
        _SQUAD.format("SQuAD compares them"),
        statistic=READ_RIGHT,
    ),
    mean_metric("token_f1", "Token F1", token_f1_of_texts, numbers_of(_f1(str)), _SQUAD.format("they are")),
    mean_metric(
        "token_f1_squad",
        "Token F1 but for looks",
        token_f1_of_texts,
        numbers_of(_f1(_without_looks)),
        _SQUAD.format("SQuAD compares them"),
    ),
)
OTHERS = tuple(_rouge_metric(f"{name}{_STEMMED}") for name in _TITLES)
