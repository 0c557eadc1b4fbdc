"""An independent way to each registered metric's number: scikit-learn, scipy, or the rule written out row by row."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise, permutations
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import kendalltau, pearsonr, spearmanr
from sklearn.metrics import (
    accuracy_score,
    average_precision_score,
    brier_score_loss,
    cohen_kappa_score,
    f1_score,
    hamming_loss,
    jaccard_score,
    label_ranking_average_precision_score,
    log_loss,
    matthews_corrcoef,
    mean_absolute_error,
    precision_score,
    r2_score,
    recall_score,
    roc_auc_score,
    roc_curve,
    root_mean_squared_error,
)

from catalogue.answers import (
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
from catalogue.answers.arrays import as_table
from tests.catalogue.metrics import information_oracles, open_ended_oracles, soft_label_oracles
from tests.catalogue.metrics.cluster_oracles import CLUSTERS
from tests.catalogue.metrics.oracles_of_lists import FRAMES, TOKEN_ENTITIES, TOKEN_LABELS, TUPLES
from tests.catalogue.metrics.place_oracles import PLACES
from tests.catalogue.metrics.span_oracles import SPANS_OF_CHARACTERS


class Case(NamedTuple):
    output: Any
    y_true: np.ndarray
    y_pred: np.ndarray


Oracle = Callable[[Case], float | None]


def one_label(function: Callable[..., float], **options: Any) -> Oracle:
    """A scikit-learn function of label codes."""
    return lambda case: float(function(*codes(case), **options))


def codes(case: Case) -> tuple[np.ndarray, np.ndarray]:
    if isinstance(case.output, ConfidentLabel):
        return case.y_true["label"], case.y_pred["label"]
    return case.y_true, case.y_pred


def accuracy_where_right_is_possible(case: Case) -> float:
    y_true, y_pred = codes(case)
    impossible = [case.output.names.index(label) for label in case.output.never_right]
    return float(
        accuracy_score(y_true, np.where(np.isin(y_true, impossible), len(case.output.names), y_pred))
    )


def f1_over(names: Callable[[Any], list[str]]) -> Oracle:
    def oracle(case: Case) -> float:
        labels = [case.output.names.index(name) for name in names(case.output)]
        return float(f1_score(*codes(case), labels=labels, average="macro", zero_division=0))

    return oracle


def declared(output: Any) -> list[str]:
    return [name for name in output.names if name not in output.never_right]


def balanced(case: Case) -> float:
    y_true, y_pred = codes(case)
    return float(recall_score(y_true, y_pred, labels=np.unique(y_true), average="macro", zero_division=0))


def fnc1_points(gold: np.ndarray, predicted: np.ndarray, names: tuple[str, ...]) -> float:
    """Row by row, as the challenge's rules are told."""
    points = 0.0
    for one, other in zip(gold, predicted, strict=True):
        stance, answer = names[one], names[other]
        if stance == answer:
            points += 0.25
            points += 0.5 if stance != "unrelated" else 0.0
        if stance != "unrelated" and answer != "unrelated":
            points += 0.25
    return points


def fnc1(case: Case) -> float:
    return fnc1_points(*codes(case), case.output.names)


def fnc1_relative(case: Case) -> float:
    y_true, _ = codes(case)
    return 100 * fnc1(case) / fnc1_points(y_true, y_true, case.output.names)


def rmse(case: Case) -> float:
    aims = [
        0.0 if case.output.names[gold] in case.output.never_right else float(gold == answer)
        for gold, answer in zip(*codes(case), strict=True)
    ]
    given_confidences = [
        confidence if aim or case.output.names[gold] in case.output.never_right else 1.0
        for aim, gold, confidence in zip(aims, case.y_true["label"], case.y_pred["confidence"], strict=True)
    ]
    return float(root_mean_squared_error(aims, given_confidences))


def indicators(case: Case) -> tuple[np.ndarray, np.ndarray]:
    bits = range(len(case.output.names))
    y_true, y_pred = (
        np.array([[int(mask) >> bit & 1 for bit in bits] for mask in masks])
        for masks in (case.y_true, case.y_pred)
    )
    return y_true, y_pred


def subsets(function: Callable[..., float], **options: Any) -> Oracle:
    return lambda case: float(function(*indicators(case), **options))


def f1_micro_of_subsets(case: Case) -> float | None:
    y_true, y_pred = indicators(case)
    if not y_true.any() and not y_pred.any():
        return None
    return float(f1_score(y_true, y_pred, average="micro", zero_division=0))


def correlation(function: Callable[..., Any], stratum: Callable[[np.ndarray], np.ndarray]) -> Oracle:
    def oracle(case: Case) -> float | None:
        chosen = stratum(case.y_true)
        gold, predicted = case.y_true[chosen].astype(float), case.y_pred[chosen].astype(float)
        if len(set(gold.tolist())) < 2:
            return None
        return float(function(gold, predicted)[0]) if len(set(predicted.tolist())) > 1 else 0.0

    return oracle


def everything(gold: np.ndarray) -> np.ndarray:
    return np.ones(len(gold), dtype=bool)


def kappa(stratum: Callable[[np.ndarray], np.ndarray]) -> Oracle:
    def oracle(case: Case) -> float | None:
        seen = sorted(set(case.y_true.tolist()))
        chosen = stratum(case.y_true)
        gold, predicted = case.y_true[chosen], case.y_pred[chosen]
        kept = np.isin(predicted, seen)
        if not len(gold):
            return None
        if not kept.any():
            return 0.0 if len(set(predicted.tolist())) == 1 else None
        if len({*gold[kept].tolist(), *predicted[kept].tolist()}) == 1:
            return None
        return float(cohen_kappa_score(gold, predicted, labels=seen, weights="quadratic"))

    return oracle


def kappa_unweighted(case: Case) -> float | None:
    y_true, y_pred = codes(case)
    if len({*y_true.tolist(), *y_pred.tolist()}) == 1:
        return None
    return float(cohen_kappa_score(y_true, y_pred))


def kappa_of_scale(weights: str, *, is_of_scale: bool) -> Oracle:
    def oracle(case: Case) -> float | None:
        if len({*case.y_true.tolist(), *case.y_pred.tolist()}) == 1:
            return None
        scale = list(range(case.output.low, case.output.high + 1)) if is_of_scale else None
        return float(cohen_kappa_score(case.y_true, case.y_pred, labels=scale, weights=weights))

    return oracle


def mae_macro(case: Case) -> float:
    of_class = [case.y_true == gold for gold in np.unique(case.y_true)]
    return float(np.mean([mean_absolute_error(case.y_true[items], case.y_pred[items]) for items in of_class]))


def kendall(case: Case) -> float | None:
    if min(len(set(case.y_true.tolist())), len(set(case.y_pred.tolist()))) < 2:
        return None
    return float(kendalltau(case.y_true, case.y_pred, variant="b").statistic)


def r2(case: Case) -> float | None:
    return float(r2_score(case.y_true, case.y_pred)) if len(set(case.y_true.tolist())) > 1 else None


def ccc(case: Case) -> float | None:
    gold, predicted = case.y_true.astype(float), case.y_pred.astype(float)
    if len({*gold.tolist(), *predicted.tolist()}) == 1:
        return None
    covariance = np.mean((gold - gold.mean()) * (predicted - predicted.mean()))
    return float(2 * covariance / (gold.var() + predicted.var() + (gold.mean() - predicted.mean()) ** 2))


def matthews(case: Case) -> float:
    """scikit-learn warns where there is one label alone, and says 0."""
    y_true, y_pred = codes(case)
    return float(matthews_corrcoef(y_true, y_pred)) if len({*y_true.tolist(), *y_pred.tolist()}) > 1 else 0.0


def exact_match(case: Case) -> float:
    pairs = zip(case.y_true.tolist(), case.y_pred.tolist(), strict=True)
    return float(np.mean([" ".join(gold.split()) == " ".join(found.split()) for gold, found in pairs]))


def token_f1(case: Case) -> float:
    """By precision and recall, which the metric does without."""
    scores = []
    for gold, found in zip(case.y_true.tolist(), case.y_pred.tolist(), strict=True):
        wanted, given_tokens = Counter(gold.split()), Counter(found.split())
        shared = sum(min(count, given_tokens[token]) for token, count in wanted.items())
        if not wanted or not given_tokens:
            scores.append(float(wanted == given_tokens))
        elif not shared:
            scores.append(0.0)
        else:
            precision, recall = shared / given_tokens.total(), shared / wanted.total()
            scores.append(2 * precision * recall / (precision + recall))
    return float(np.mean(scores))


def closeness(case: Case) -> float:
    """Amigó et al., item by item: what a prediction tells, by what its gold label tells of itself."""
    gold, found = case.y_true.tolist(), case.y_pred.tolist()
    counts = Counter(gold)

    def bits(answer: int, label: int) -> float:
        step = 1 if label >= answer else -1
        between = sum(counts[at] for at in range(answer + step, label + step, step)) if label != answer else 0
        return -float(np.log2((counts[answer] / 2 + between) / len(gold)))

    return sum(map(bits, found, gold)) / sum(bits(label, label) for label in gold)


def of_steps(oracle: Oracle) -> Oracle:
    """An oracle of labels, of classes counted from the lowest."""

    def of_classes(case: Case) -> float | None:
        low, high = case.output.low, case.output.high
        steps = ((side - low).astype(np.uint8) for side in (case.y_true, case.y_pred))
        return oracle(Case(OrderedLabel(tuple(map(str, range(low, high + 1)))), *steps))

    return of_classes


def as_numbers(oracle: Oracle) -> Oracle:
    """An oracle of classes, of labels that are so many steps above the lowest."""

    def of_labels(case: Case) -> float | None:
        steps = (side.astype(np.int16) for side in (case.y_true, case.y_pred))
        return oracle(Case(OrderedClass(0, len(case.output.names) - 1), *steps))

    return of_labels


# Probabilities


def one_hot(case: Case) -> np.ndarray:
    return np.eye(len(case.output.names))[case.y_true]


def likeliest(case: Case) -> list[int]:
    rows = case.y_pred.tolist()
    return [row.index(max(row)) for row in rows]


def pan_counts(case: Case) -> Counter[str]:
    """How many items are true and false positives, false negatives, undecided and right, item by item."""
    counts: Counter[str] = Counter()
    for is_same, value in zip(*of_positive(case), strict=True):
        if value == 0.5:
            counts["undecided"] += 1
            continue
        counts["right"] += (value > 0.5) == is_same
        counts["tp"] += value > 0.5 and is_same
        counts["fp"] += value > 0.5 and not is_same
        counts["fn"] += value < 0.5 and is_same
    return counts


def c_at_1(case: Case) -> float:
    """Peñas and Rodrigo: undecided items are as right as all items are on average."""
    counts, items = pan_counts(case), len(case.y_true)
    return (counts["right"] + counts["undecided"] * counts["right"] / items) / items


def f05u(case: Case) -> float | None:
    """By precision and recall, where what is undecided was missed."""
    counts = pan_counts(case)
    found, missed = counts["tp"], counts["fn"] + counts["undecided"]
    if not found + counts["fp"] + missed:
        return None
    if not found:
        return 0.0
    precision, recall = found / (found + counts["fp"]), found / (found + missed)
    return 1.25 * precision * recall / (0.25 * precision + recall)


def f1_decided(case: Case) -> float | None:
    gold, given = of_positive(case)
    gold, given = gold[given != 0.5], given[given != 0.5] > 0.5
    return float(f1_score(gold, given)) if (gold | given).any() else None


def log_loss_of_labels(case: Case) -> float:
    table = as_table(case.y_pred)
    return float(log_loss(case.y_true, y_proba=table, labels=range(table.shape[1])))


def of_positive(case: Case) -> tuple[np.ndarray, np.ndarray]:
    code = case.output.names.index(case.output.positive)
    return case.y_true == code, case.y_pred[f"p{code}"]


def of_likeliest(case: Case) -> tuple[np.ndarray, np.ndarray]:
    return case.y_true == likeliest(case), np.array([max(row) for row in case.y_pred.tolist()])


def calibration(is_right: np.ndarray, confidence: np.ndarray, bins: int) -> list[tuple[float, float]]:
    """Of each bin with items its share of the items, and how far what is right lies from what was said."""
    found = []
    for number in range(1, bins + 1):
        low = (number - 1) / bins if number > 1 else -1.0
        here = (confidence > low) & (confidence <= number / bins)
        if here.any():
            apart = abs(float(is_right[here].mean()) - float(confidence[here].mean()))
            found.append((float(here.mean()), apart))
    return found


def area(is_found: np.ndarray, scores: np.ndarray) -> float | None:
    return float(roc_auc_score(is_found, scores)) if 0 < is_found.sum() < len(is_found) else None


def equal_error(is_found: np.ndarray, scores: np.ndarray) -> float | None:
    """Where the line from point to point of the ROC curve crosses that of equal errors."""
    if not 0 < is_found.sum() < len(is_found):
        return None
    wrong, right, _ = roc_curve(is_found, scores, drop_intermediate=False)
    for (x, y), (next_x, next_y) in pairwise(zip(wrong, right, strict=True)):
        if next_x + next_y >= 1:
            return float(x + (1 - x - y) / (next_x + next_y - x - y) * (next_x - x))
    return None


def precision(is_found: np.ndarray, scores: np.ndarray) -> float | None:
    return float(average_precision_score(is_found, scores)) if is_found.any() else None


def each_label(case: Case) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    for code in range(len(case.output.names)):
        yield case.y_true == code, case.y_pred[f"p{code}"]


def each_held(case: Case) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    return zip(as_table(case.y_true).T == 1, as_table(case.y_pred).T, strict=True)


def each_pair(case: Case) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    for code, other in permutations(range(len(case.output.names)), 2):
        either = np.isin(case.y_true, [code, other])
        yield case.y_true[either] == code, case.y_pred[f"p{code}"][either]


def mean_of(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


# Lists of labels


def lists_even_if_empty(function: Callable[..., float], **options: Any) -> Oracle:
    return lambda case: float(function(*listed(case), **options))


def lists(function: Callable[..., float], **options: Any) -> Oracle:
    def oracle(case: Case) -> float | None:
        sides = listed(case)
        return (
            float(function(*sides, zero_division=0, **options)) if any(side.any() for side in sides) else None
        )

    return oracle


def f1_weighted_of_lists(case: Case) -> float | None:
    gold, found = listed(case)
    return float(f1_score(gold, found, average="weighted", zero_division=0)) if gold.any() else None


def listed(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """Indicator matrices, gold and predicted."""
    gold, found = (
        np.array([[int(name in text.split("|")) for name in case.output.names] for text in side.tolist()])
        for side in (case.y_true, case.y_pred)
    )
    return gold, found


ONE_LABEL: dict[str, Oracle] = {
    "accuracy": accuracy_where_right_is_possible,
    "f1_macro": one_label(f1_score, average="macro", zero_division=0),
    "f1_macro_declared": f1_over(declared),
    "f1_micro": one_label(f1_score, average="micro"),
    "f1_weighted": one_label(f1_score, average="weighted"),
    "precision_macro": one_label(precision_score, average="macro", zero_division=0),
    "recall_macro": one_label(recall_score, average="macro", zero_division=0),
    "balanced_accuracy": balanced,
    "mcc": matthews,
    "kappa": kappa_unweighted,
}
OF_ANY_LABELS: dict[str, Oracle] = ONE_LABEL | {
    "f1_favor_against": f1_over(lambda output: ["FAVOR", "AGAINST"]),
    "fnc1": fnc1,
    "fnc1_relative": fnc1_relative,
}
CORRELATIONS: dict[str, Oracle] = {
    f"{name}{suffix}": correlation(function, stratum)
    for name, function in (("pearson", pearsonr), ("spearman", spearmanr))
    for suffix, stratum in (
        ("", everything),
        ("_gold_ge_0.5", lambda gold: gold >= 0.5),
        ("_some", lambda gold: gold != 0),
    )
}
ERRORS: dict[str, Oracle] = {
    "mae": lambda case: float(mean_absolute_error(case.y_true, case.y_pred)),
    "rmse": lambda case: float(root_mean_squared_error(case.y_true, case.y_pred)),
    "r2": r2,
    "ccc": ccc,
    "kendall_tau_b": kendall,
}


def without_gold_ties(case: Case) -> float | None:
    asked = case.y_true < 2
    return float(accuracy_score(case.y_true[asked], case.y_pred[asked])) if asked.any() else None


def ties_half(case: Case) -> float:
    worth = [
        1.0 if gold == found else 0.5 * (2 in (gold, found))
        for gold, found in zip(case.y_true.tolist(), case.y_pred.tolist(), strict=True)
    ]
    return float(np.mean(worth))


def signs(case: Case) -> tuple[np.ndarray, np.ndarray]:
    of_label = np.array([-1, 1, 0])
    return of_label[case.y_true], of_label[case.y_pred]


def tau_of_signs(case: Case) -> float | None:
    gold, found = signs(case)
    if len(set(gold.tolist())) < 2 or len(set(found.tolist())) < 2:
        return None
    return float(kendalltau(gold, found).statistic)


def agreement(case: Case) -> float:
    gold, found = signs(case)
    return float(np.mean(gold * found))


PREFERENCES: dict[str, Oracle] = {
    "accuracy_no_gold_ties": without_gold_ties,
    "accuracy_ties_half": ties_half,
    "agreement_sign": agreement,
    "kendall_tau_b": tau_of_signs,
}
ORACLES: dict[type[AnswerKind], dict[str, Oracle]] = {
    CharacterSpans: SPANS_OF_CHARACTERS,
    ClusterId: CLUSTERS,
    PlaceOnEarth: PLACES,
    TextTuples: TUPLES,
    Label: OF_ANY_LABELS | information_oracles.ORACLES,
    ConfidentLabel: OF_ANY_LABELS | {"rmse": rmse},
    Preference: ONE_LABEL | PREFERENCES,
    ScoredPreference: ONE_LABEL | PREFERENCES,
    LabelSubset: {
        "jaccard": subsets(jaccard_score, average="samples", zero_division=1.0),
        "f1_macro": subsets(f1_score, average="macro", zero_division=0),
        "f1_micro": f1_micro_of_subsets,
        "exact_match": subsets(accuracy_score),
        "f1_samples": subsets(f1_score, average="samples", zero_division=0),
        "hamming_loss": subsets(hamming_loss),
    },
    Number: CORRELATIONS | ERRORS,
    OrderedClass: CORRELATIONS
    | ERRORS
    | {name: of_steps(oracle) for name, oracle in ONE_LABEL.items()}
    | {
        "kappa_linear": kappa_of_scale("linear", is_of_scale=False),
        "kappa_linear_scale": kappa_of_scale("linear", is_of_scale=True),
        "kappa_quadratic_scale": kappa_of_scale("quadratic", is_of_scale=True),
    }
    | {"mae_macro": mae_macro, "closeness": closeness}
    | {"kappa_quadratic": kappa(everything), "kappa_quadratic_some": kappa(lambda gold: gold != 0)},
    OrderedLabel: ONE_LABEL
    | {
        name: as_numbers(oracle)
        for name, oracle in ERRORS.items()
        if name in ("mae", "rmse", "kendall_tau_b")
    }
    | {name: as_numbers(CORRELATIONS[name]) for name in ("pearson", "spearman")}
    | {
        "kappa_linear": as_numbers(kappa_of_scale("linear", is_of_scale=False)),
        "kappa_linear_scale": as_numbers(kappa_of_scale("linear", is_of_scale=True)),
        "kappa_quadratic_scale": as_numbers(kappa_of_scale("quadratic", is_of_scale=True)),
        "mae_macro": as_numbers(mae_macro),
        "closeness": as_numbers(closeness),
    },
    Span: {"exact_match": exact_match, "token_f1": token_f1},
    Probabilities: {
        "log_loss": log_loss_of_labels,
        "brier": lambda case: float(brier_score_loss(*of_positive(case))),
        "brier_multiclass": lambda case: float(
            np.square(one_hot(case) - as_table(case.y_pred)).sum(axis=1).mean()
        ),
        "accuracy": lambda case: float(accuracy_score(case.y_true, likeliest(case))),
        "f1_macro": lambda case: float(
            f1_score(case.y_true, likeliest(case), average="macro", zero_division=0)
        ),
        "ece_top_15": lambda case: sum(
            share * apart for share, apart in calibration(*of_likeliest(case), 15)
        ),
        "mce_top_15": lambda case: max(apart for _, apart in calibration(*of_likeliest(case), 15)),
        "ece_positive_10": lambda case: sum(
            share * apart for share, apart in calibration(*of_positive(case), 10)
        ),
        "auroc": lambda case: area(*of_positive(case)),
        "eer": lambda case: equal_error(*of_positive(case)),
        "c_at_1": c_at_1,
        "f05u": f05u,
        "f1_decided": f1_decided,
        "brier_complement": lambda case: 1 - float(brier_score_loss(*of_positive(case))),
        "average_precision": lambda case: precision(*of_positive(case)),
        "auroc_ovr_macro": lambda case: mean_of(area(*of_label) for of_label in each_label(case)),
        "auroc_ovo_macro": lambda case: mean_of(area(*of_pair) for of_pair in each_pair(case)),
        "average_precision_macro": lambda case: mean_of(
            precision(*of_label) for of_label in each_label(case)
        ),
        "average_precision_micro": lambda case: precision(
            one_hot(case).ravel(), as_table(case.y_pred).ravel()
        ),
    },
    SubsetProbabilities: {
        "auroc_macro": lambda case: mean_of(area(*of_label) for of_label in each_held(case)),
        "average_precision_macro": lambda case: mean_of(precision(*of_label) for of_label in each_held(case)),
        "average_precision_micro": lambda case: precision(
            as_table(case.y_true).ravel() == 1, as_table(case.y_pred).ravel()
        ),
        "lrap": lambda case: float(
            label_ranking_average_precision_score(as_table(case.y_true).astype(int), as_table(case.y_pred))
        ),
        "log_loss": lambda case: float(
            np.mean([log_loss(held, given, labels=[False, True]) for held, given in each_held(case)])
        ),
    },
    SoftLabels: soft_label_oracles.ORACLES,
    ManyLabels: {
        "f1_micro": lists(f1_score, average="micro"),
        "precision_micro": lists(precision_score, average="micro"),
        "recall_micro": lists(recall_score, average="micro"),
        "f1_samples": lists_even_if_empty(f1_score, average="samples", zero_division=0),
        "precision_samples": lists_even_if_empty(precision_score, average="samples", zero_division=0),
        "recall_samples": lists_even_if_empty(recall_score, average="samples", zero_division=0),
        "jaccard_samples": lists_even_if_empty(jaccard_score, average="samples", zero_division=0),
        "exact_match": lists_even_if_empty(accuracy_score),
        "hamming_loss": lists_even_if_empty(hamming_loss),
        "f1_macro": lists_even_if_empty(f1_score, average="macro", zero_division=0),
        "f1_weighted": f1_weighted_of_lists,
        **information_oracles.ORACLES,
    },
    Frames: FRAMES,
    TokenLabels: TOKEN_LABELS,
    TokenEntities: TOKEN_ENTITIES,
    RankedList: open_ended_oracles.RANKING,
    FreeText: open_ended_oracles.TEXTS,
}
