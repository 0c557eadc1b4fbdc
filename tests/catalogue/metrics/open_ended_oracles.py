"""The numbers of ranked lists and of texts by the field's own packages: trec_eval, sacrebleu and rouge-score."""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import zip_longest
from math import log2
from string import punctuation
from typing import Any

import numpy as np
import pytrec_eval
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER


def of_trec_eval(measure: str, called: str, cut: int | None = None) -> Callable[[Any], float | None]:
    """The mean over all queries; `cut`, lists end behind so many documents.

    A query whose grades are all below 0 counts 0 and is not handed on: trec_eval then reads memory that it never
    wrote, and may look at it for ever.
    """

    def oracle(case: Any) -> float:
        judged = [
            {document: int(grade) for document, _, grade in map(split_grade, pairs.split(" "))}
            for pairs in case.y_true.tolist()
        ]
        qrels = {str(at): grades for at, grades in enumerate(judged) if max(grades.values()) >= 0}
        runs = {
            str(at): {name: 1.0 / rank for rank, name in enumerate(ranked.split(" ")[:cut], start=1)}
            for at, ranked in enumerate(case.y_pred.tolist())
            if ranked
        }
        evaluator = pytrec_eval.RelevanceEvaluator(qrels, {called}, relevance_level=case.output.level)
        return sum(found[measure] for found in evaluator.evaluate(runs).values()) / len(judged)

    return oracle


def split_grade(pair: str) -> tuple[str, str, str]:
    return pair.rpartition(":")


def rbp(case: Any) -> float:
    total = 0.0
    for judged, ranked in zip(case.y_true.tolist(), case.y_pred.tolist(), strict=True):
        grades = {document: int(grade) for document, _, grade in map(split_grade, judged.split(" "))}
        for rank, document in enumerate(ranked.split(" ")):
            total += 0.2 * 0.8**rank * (grades.get(document, 0) >= case.output.level)
    return total / len(case.y_true)


RANKING: dict[str, Callable[[Any], float | None]] = {
    "ndcg": of_trec_eval("ndcg", "ndcg"),
    "map": of_trec_eval("map", "map"),
    "recip_rank": of_trec_eval("recip_rank", "recip_rank"),
    "Rprec": of_trec_eval("Rprec", "Rprec"),
    "recip_rank_cut_10": of_trec_eval("recip_rank", "recip_rank", 10),
    "rbp": rbp,
    **{
        f"{stem}_{cut}": of_trec_eval(f"{stem}_{cut}", f"{stem}.{cut}")
        for stem, cut in (("ndcg_cut", 10), ("recall", 100), ("P", 10), ("success", 1))
    },
}


def f1_at(cut: int) -> Callable[[Any], float]:
    """Of each query, the harmonic mean of precision and recall of the first documents."""

    def oracle(case: Any) -> float:
        found = []
        for judged, ranked in zip(case.y_true.tolist(), case.y_pred.tolist(), strict=True):
            pairs = map(split_grade, judged.split(" "))
            wanted = {document for document, _, grade in pairs if int(grade) >= case.output.level}
            first = ranked.split(" ")[:cut]
            precision = len(wanted & {*first}) / cut
            recall = len(wanted & {*first}) / len(wanted) if wanted else 0.0
            found.append(2 * precision * recall / (precision + recall) if precision else 0.0)
        return sum(found) / len(found)

    return oracle


RANKING["f1_5"] = f1_at(5)


def of_queries(of_query: Callable[[list[int], list[int], int], float]) -> Callable[[Any], float]:
    """The mean over queries of a number of the grades of the list, of all grades from the highest, and of the level."""

    def oracle(case: Any) -> float:
        found = []
        for judged, ranked in zip(case.y_true.tolist(), case.y_pred.tolist(), strict=True):
            grades = {document: int(grade) for document, _, grade in map(split_grade, judged.split(" "))}
            listed = [grades.get(document, 0) for document in ranked.split(" ")] if ranked else []
            found.append(of_query(listed, sorted(grades.values(), reverse=True), case.output.level))
        return sum(found) / len(found)

    return oracle


def exponential(cut: int | None) -> Callable[[list[int], list[int], int], float]:
    def gain(grades: list[int]) -> float:
        return sum((2 ** max(grade, 0) - 1) / log2(rank + 1) for rank, grade in enumerate(grades[:cut], 1))

    return lambda listed, best, level: gain(listed) / gain(best) if gain(best) else 0.0


def capped(cut: int, *, is_precision: bool) -> Callable[[list[int], list[int], int], float]:
    """As Kaggle's rules are told: at each relevant document of the first k, its precision, by what k can hold."""

    def of_query(listed: list[int], best: list[int], level: int) -> float:
        relevant, hits, points = sum(grade >= level for grade in best), 0, 0.0
        for rank, grade in enumerate(listed[:cut], 1):
            if grade >= level:
                hits += 1
                points += hits / rank if is_precision else 1
        return points / min(cut, relevant) if relevant else 0.0

    return of_query


RANKING |= {
    "ndcg_exp": of_queries(exponential(None)),
    "ndcg_exp_cut_10": of_queries(exponential(10)),
    "map_capped_10": of_queries(capped(10, is_precision=True)),
    "recall_capped_10": of_queries(capped(10, is_precision=False)),
}


def sides(case: Any) -> tuple[list[list[str]], list[str]]:
    return [json.loads(gold) for gold in case.y_true.tolist()], case.y_pred.tolist()


def of_sacrebleu(metric: Any) -> Callable[[Any], float | None]:
    def oracle(case: Any) -> float:
        references, answers = sides(case)
        return float(metric.corpus_score(answers, list(zip_longest(*references))).score)

    return oracle


def mean_over_items(number: Callable[[list[str], str], float]) -> Callable[[Any], float | None]:
    return lambda case: float(np.mean([number(*pair) for pair in zip(*sides(case), strict=True)]))


def rouge(name: str, *, stems: bool) -> Callable[[Any], float | None]:
    scorer = RougeScorer([name], use_stemmer=stems)
    return mean_over_items(lambda references, answer: scorer.score_multi(references, answer)[name].fmeasure)


def as_squad(text: str) -> str:
    """The normalisation of SQuAD's evaluation script, step by step."""
    bare = "".join(character for character in text.lower() if character not in punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


def f1_of_words(normalised: Callable[[str], str]) -> Callable[[Any], float | None]:
    def one(gold: list[str], found: list[str]) -> float:
        if not gold or not found:
            return float(gold == found)
        shared = (Counter(gold) & Counter(found)).total()
        if not shared:
            return 0.0
        precision, recall = shared / len(found), shared / len(gold)
        return 2 * precision * recall / (precision + recall)

    return mean_over_items(
        lambda references, answer: max(
            one(normalised(text).split(), normalised(answer).split()) for text in references
        )
    )


def distance(found: Sequence[str], wanted: Sequence[str]) -> int:
    """The table of Levenshtein's distance, cell by cell."""
    row = list(range(len(wanted) + 1))
    for at, part in enumerate(found, start=1):
        above, row = row, [at]
        for of, other in enumerate(wanted, start=1):
            row.append(min(above[of - 1] + (part != other), above[of] + 1, row[of - 1] + 1))
    return row[-1]


def error_rate(parts: Callable[[str], Sequence[str]]) -> Callable[[Any], float | None]:
    def oracle(case: Any) -> float:
        edits = length = 0
        for references, answer in zip(*sides(case), strict=True):
            options = [(distance(parts(answer), parts(text)), len(parts(text))) for text in references]
            rates = [one / of if of else (0.0, np.inf)[one > 0] for one, of in options]
            chosen = options[int(np.argmin(rates))]
            edits, length = edits + chosen[0], length + chosen[1]
        return edits / length if length else float(edits > 0)

    return oracle


def as_docvqa(references: Sequence[str], answer: str) -> float:
    """The best likeness of all references to an answer, as the scorer of DocVQA has it, with the table of distances."""
    likenesses = []
    for text in references:
        edits = distance(" ".join(answer.strip().lower().split()), " ".join(text.strip().lower().split()))
        length = max(len(text.upper()), len(answer.upper()))
        likenesses.append(1 - edits / length if length else 1.0)
    return best if (best := max(likenesses)) >= 1 / 2 else 0.0


OTHER_TEXTS = {
    **{f"bleu_tok_{name}": of_sacrebleu(BLEU(tokenize=name)) for name in ("intl", "char", "zh")},
    **{f"{name}_stemmed": rouge(name, stems=True) for name in ("rouge1", "rouge2", "rougeL", "rougeLsum")},
}
TEXTS: dict[str, Callable[[Any], float | None]] = {
    "bleu": of_sacrebleu(BLEU()),
    "bleu_lc": of_sacrebleu(BLEU(lowercase=True)),
    "bleu_tok_none": of_sacrebleu(BLEU(tokenize="none")),
    "chrf": of_sacrebleu(CHRF()),
    "chrf_plus_plus": of_sacrebleu(CHRF(word_order=2)),
    "ter": of_sacrebleu(TER()),
    "sentence_bleu_mean": mean_over_items(
        lambda references, answer: float(BLEU(effective_order=True).sentence_score(answer, references).score)
    ),
    **{name: rouge(name, stems=False) for name in ("rouge1", "rouge2", "rougeL", "rougeLsum")},
    "wer": error_rate(str.split),
    "cer": error_rate(str),
    "edit_distance": mean_over_items(
        lambda references, answer: float(min(distance(answer, text) for text in references))
    ),
    "anls": mean_over_items(as_docvqa),
    "exact_match": mean_over_items(lambda references, answer: float(answer in references)),
    "exact_match_squad": mean_over_items(
        lambda references, answer: float(as_squad(answer) in [as_squad(text) for text in references])
    ),
    "token_f1": f1_of_words(str),
    "token_f1_squad": f1_of_words(as_squad),
}
