"""BLEU, chrF and TER of a whole split: sacrebleu counts each item, and scores follow from sums of its counts.

The counts are sacrebleu's own, but for the edits of TER (`edits`), the formulas those of its `corpus_score` along an
axis of resamples.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from itertools import zip_longest
from typing import Any

import numpy as np

from catalogue.answers.open_ended.free_text import references_in
from catalogue.metrics.statistics import Floats, SumsOfItems, quotient
from catalogue.metrics.texts.edits import edit_count
from catalogue.metrics.texts.reading import Texts, kept, mean_metric, summed_metric

SACREBLEU = "2.6.0"
"""The version that the numbers are of; `tests/catalogue/metrics/test_open_ended.py` holds the installed one to it."""
_ORDERS = 4
_CHARACTERS, _CHARACTERS_AND_WORDS = 6, 8
_SQUARED_BETA = 4
_LEAST = 1e-16
_LIBRARIES = ("sacrebleu",)
_PERCENT: dict[str, Any] = {"high": 100.0, "libraries": _LIBRARIES}


@lru_cache
def _scorer(name: str, options: tuple[tuple[str, Any], ...]) -> Any:
    from sacrebleu import metrics

    return getattr(metrics, name)(**dict(options))


def _counts(name: str, **options: Any) -> Callable[[Iterable[str], Iterable[str]], Floats]:
    """What sacrebleu counts of each item: shape (n_counts, n_items)."""

    def of_items(y_true: Texts, y_pred: Texts) -> Floats:
        scorer = _scorer(name, tuple(options.items()))
        streams = list(zip_longest(*map(references_in, y_true)))
        counts = scorer._extract_corpus_statistics(list(y_pred), streams)  # noqa: SLF001  # pinned; only it has counts
        return np.array(counts, dtype=np.float64).T

    return kept(of_items)


@kept
def edits_of_items(y_true: Texts, y_pred: Texts) -> Floats:
    """Of each item the edits to the nearest reference, and the mean length of its references: shape (2, n_items)."""
    words = _scorer("TER", ())._preprocess_segment  # noqa: SLF001  # pinned; only it has the words that TER compares
    counts = []
    for gold, answer in zip(y_true, y_pred, strict=True):
        said = words(answer).split()
        wanted = [words(text).split() for text in references_in(gold)]
        counts.append((min(edit_count(said, one) for one in wanted), sum(map(len, wanted)) / len(wanted)))
    return np.array(counts, dtype=np.float64).T


def bleu_of_sums(sums: Floats, *, effective_order: bool = False) -> Floats:
    """BLEU from lengths of answers and references, matches of n-grams and n-grams: shape (10, ...)."""
    length, reference, matches, possible = sums[0], sums[1], sums[2 : 2 + _ORDERS], sums[2 + _ORDERS :]
    logs, orders, halved = np.zeros(length.shape), np.zeros(length.shape), np.zeros(length.shape)
    goes_on = np.ones(length.shape, dtype=np.bool_)
    with np.errstate(divide="ignore", invalid="ignore"):
        for found, of in zip(matches, possible, strict=True):
            goes_on = goes_on & (of > 0)
            halved = halved + (goes_on & (found == 0))
            precision = np.where(found > 0, found / of, 2.0**-halved / of)
            logs = logs + np.where(goes_on, np.log(100 * precision), 0.0)
            orders = orders + goes_on
        brevity = np.where(length < reference, np.exp(1 - reference / length), 1.0)
        score = brevity * np.exp(logs / np.maximum(orders, 1))
    has_all = orders > 0 if effective_order else orders == _ORDERS
    return np.where(has_all & (matches.sum(axis=0) > 0) & (length > 0), score, 0.0)


def chrf_of_sums(sums: Floats) -> Floats:
    """chrF from n-grams of answers, of references and of both, order after order: shape (3 * orders, ...)."""
    answers, references, matches = sums[0::3], sums[1::3], sums[2::3]
    has_both = (answers > 0) & (references > 0)
    orders = np.maximum(has_both.sum(axis=0), 1)
    precision = np.divide(matches, answers, out=np.zeros(matches.shape), where=has_both).sum(axis=0) / orders
    recall = np.divide(matches, references, out=np.zeros(matches.shape), where=has_both).sum(axis=0) / orders
    below = _SQUARED_BETA * precision + recall
    above = (1 + _SQUARED_BETA) * precision * recall
    return 100 * quotient(above, below, 0.0)


def ter_of_sums(sums: Floats) -> Floats:
    """TER from edits and lengths of references: shape (2, ...)."""
    edits, length = sums
    without_words = np.asarray(edits > 0, dtype=np.float64)
    return np.asarray(100 * np.divide(edits, length, out=without_words, where=length > 0))


def bleu(y_true: Iterable[str], y_pred: Iterable[str]) -> float:
    """BLEU of all items together: matches of n-grams up to length 4, and a penalty for answers that are too short.

    From 0 to 100. Never undefined: 0 where there is no match, or no answer has four words. Orders without a match are
    smoothed exponentially. Of several references an n-gram matches any, and the nearest in length counts as the length.

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
    Papineni et al. (2002), doi:10.3115/1073083.1073135; Post (2018), doi:10.18653/v1/W18-6319: sacrebleu 2.6.0.

    Examples
    --------
    >>> round(bleu(['["the dog sat on the mat"]'], ["the dog sat on a mat"]), 4)
    53.7285
    """
    return SumsOfItems(_counts("BLEU", force=True), bleu_of_sums).of_all(tuple(y_true), tuple(y_pred))


def chrf(y_true: Iterable[str], y_pred: Iterable[str]) -> float:
    """chrF2 of all items together: n-grams of characters up to length 6, recall counting twice as much as precision.

    From 0 to 100. Never undefined. Of several references the one with the best score of the item counts. chrF++ adds
    words, alone and in pairs.

    Parameters
    ----------
    y_true, y_pred
        As for `bleu`.

    Returns
    -------
    float

    References
    ----------
    Popović (2015), doi:10.18653/v1/W15-3049, and (2017), doi:10.18653/v1/W17-4770; sacrebleu 2.6.0.

    Examples
    --------
    >>> round(chrf(['["the dog sat"]'], ["the dog sat"]), 4)
    100.0
    """
    return SumsOfItems(_counts("CHRF"), chrf_of_sums).of_all(tuple(y_true), tuple(y_pred))


def ter(y_true: Iterable[str], y_pred: Iterable[str]) -> float:
    """Edits that make the answers a reference, shifts of several words among them, per 100 words of references.

    From 0 without an upper end; the lower, the better. Never undefined: without a word in any reference it is 100
    where an answer has words, and 0 where none has. Of several references the nearest counts, at their mean length.

    Parameters
    ----------
    y_true, y_pred
        As for `bleu`.

    Returns
    -------
    float

    References
    ----------
    Snover et al. (2006), Proceedings of AMTA; sacrebleu 2.6.0.

    Examples
    --------
    >>> ter(['["the dog sat down"]'], ["the dog sat"])
    25.0
    """
    return SumsOfItems(edits_of_items, ter_of_sums).of_all(tuple(y_true), tuple(y_pred))


def sentence_bleu_mean(y_true: Iterable[str], y_pred: Iterable[str]) -> float:
    """Mean over items of the BLEU of each, in which orders count for which an answer is long enough.

    From 0 to 100. Never undefined.

    Parameters
    ----------
    y_true, y_pred
        As for `bleu`.

    Returns
    -------
    float

    References
    ----------
    sacrebleu 2.6.0, `BLEU(effective_order=True).sentence_score`.

    Examples
    --------
    >>> round(sentence_bleu_mean(['["the dog"]'], ["the dog"]), 4)
    100.0
    """
    return float(np.mean(_sentence_bleus(y_true, y_pred)))


_bleu_counts = _counts("BLEU", force=True)


def _sentence_bleus(y_true: Iterable[str], y_pred: Iterable[str]) -> Floats:
    return bleu_of_sums(_bleu_counts(y_true, y_pred), effective_order=True)


def _signature(words: str) -> str:
    return f"sacrebleu, {words}|version:{SACREBLEU}; nrefs is what the gold labels have"


def _bleu(name: str, title: str, counts: Callable[..., Floats], case: str, tokens: str) -> Any:
    signature = _signature(f"case:{case}|eff:no|tok:{tokens}|smooth:exp")
    return summed_metric(name, title, bleu, SumsOfItems(counts, bleu_of_sums), signature, **_PERCENT)


def _chrf(name: str, title: str, counts: Callable[..., Floats], words: int) -> Any:
    signature = _signature(f"case:mixed|eff:yes|nc:6|nw:{words}|space:no")
    return summed_metric(name, title, chrf, SumsOfItems(counts, chrf_of_sums), signature, **_PERCENT)


_tokenized = partial(_counts, "BLEU", force=True)

METRICS = (
    _bleu("bleu", "BLEU", _bleu_counts, "mixed", "13a"),
    _bleu("bleu_lc", "BLEU without case", _tokenized(lowercase=True), "lc", "13a"),
    _bleu("bleu_tok_none", "BLEU of words as they stand", _tokenized(tokenize="none"), "mixed", "none"),
    _chrf("chrf", "chrF", _counts("CHRF"), 0),
    _chrf("chrf_plus_plus", "chrF++", _counts("CHRF", word_order=2), 2),
    summed_metric(
        "ter",
        "TER",
        ter,
        SumsOfItems(edits_of_items, ter_of_sums),
        _signature("case:lc|tok:tercom|norm:no|punct:yes|asian:no"),
        high=float("inf"),
        higher_is_better=False,
        libraries=_LIBRARIES,
    ),
    mean_metric(
        "sentence_bleu_mean",
        "Mean BLEU of items",
        sentence_bleu_mean,
        _sentence_bleus,
        _signature("case:mixed|eff:yes|tok:13a|smooth:exp"),
        **_PERCENT,
    ),
)
OTHERS = (
    _bleu("bleu_tok_intl", "BLEU, international words", _tokenized(tokenize="intl"), "mixed", "intl"),
    _bleu("bleu_tok_char", "BLEU of characters", _tokenized(tokenize="char"), "mixed", "char"),
    _bleu("bleu_tok_zh", "BLEU, Chinese words", _tokenized(tokenize="zh"), "mixed", "zh"),
)
