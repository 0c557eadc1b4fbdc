"""What tells of a bundle's metric: keys and titles of columns, words of the scoring program, files of results.

Programs are never run: their text is searched for names of functions.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from catalogue.answers import AnswerKind
from catalogue.metrics import METRICS
from catalogue.metrics.metric import AnyMetric
from submissions.intake.bundles.archive import Archive
from submissions.intake.bundles.competition import BundleColumn
from submissions.intake.bundles.report import BundleRefused
from submissions.intake.bundles.texts import decoded

# Words, and the metrics of ours that they can mean, the likeliest first; those that this version has not are skipped.
_MEANINGS = (
    (r"balanced_?acc(uracy)?|\bbac\b|bac_(multiclass|binary|metric)", ("balanced_accuracy", "recall_macro")),
    (r"macro_?(averaged_?)?f_?1|f_?1_?(score_?)?macro|macro_?f_?score", ("f1_macro",)),
    (r"micro_?(averaged_?)?f_?1|f_?1_?(score_?)?micro", ("f1_micro",)),
    (r"weighted_?f_?1|f_?1_?(score_?)?weighted", ("f1_weighted",)),
    (r"root_?mean_?square|rmse", ("rmse",)),
    (r"mean_?absolute_?error|\bmae\b", ("mae",)),
    (r"mean_?squared?_?error|\bmse\b|mse_metric", ("mse", "rmse")),
    (r"\br2(_score)?\b|r_squared", ("r2",)),
    (r"pearson", ("pearson",)),
    (r"spearman", ("spearman",)),
    (r"kendall", ("kendall_tau_b",)),
    (r"matthews|\bmcc\b", ("mcc", "matthews")),
    (r"quadratic_?(weighted_?)?kappa|\bqwk\b", ("kappa_quadratic",)),
    (r"cohen_?kappa|\bkappa\b", ("kappa", "kappa_quadratic")),
    (r"average_precision", ("average_precision",)),
    (r"roc_?auc|auc_?(score|metric|binary|roc)?\b|auroc", ("auroc", "auc", "roc_auc")),
    (r"log_?loss", ("log_loss",)),
    (r"cross_?entropy", ("cross_entropy", "log_loss")),
    (r"brier", ("brier",)),
    (r"exact_?match|\bem\b", ("exact_match",)),
    (r"jaccard", ("jaccard", "jaccard_samples", "character_jaccard")),
    (r"ndcg_?(at|cut)?_?10", ("ndcg_cut_10",)),
    (r"ndcg", ("ndcg", "ndcg_cut_10")),
    (r"\bm_?a_?p\b|mean_average_precision", ("map",)),
    (r"\bmrr\b|mean_?reciprocal_?rank", ("recip_rank",)),
    (r"p(recision)?_?(at)?_?10", ("P_10",)),
    (r"seqeval|conll_?eval|entity_?f_?1", ("f1_micro",)),
    (r"b_?cubed(_f_?1)?", ("b_cubed_f1",)),
    (r"hamming", ("hamming_loss",)),
    (r"jensen_?shannon|\bjsd?\b", ("js_divergence", "js_distance")),
    (r"token_?f_?1", ("token_f1",)),
    (r"accuracy(_score)?|\bacc\b", ("accuracy", "token_accuracy")),
    (
        r"f_?1(_?(score|measure))?\b|f_?score|f_?measure",
        ("f1_macro", "token_f1", "f1_micro", "span_f1", "slot_f1"),
    ),
    (r"precision(_score)?", ("precision_macro", "precision_micro", "span_precision")),
    (r"recall(_score)?", ("recall_macro", "recall_micro", "span_recall")),
)


def _by_their_names() -> Iterator[tuple[str, tuple[str, ...]]]:
    """The metrics that no word above means first of all, each by its own name, the longest first."""
    meant = {names[0] for _pattern, names in _MEANINGS}
    for name in sorted({metric.name for metric in METRICS} - meant, key=lambda name: (-len(name), name)):
        parts = re.findall("[a-z]+|[A-Z][a-z]*|[0-9.]+", name)
        yield rf"\b{'_?'.join(map(re.escape, parts)).lower()}\b", (name,)


_PATTERNS: list[tuple[re.Pattern[str], tuple[str, ...]]] = [
    (re.compile(pattern.replace(r"\b", "(?:(?<![a-z0-9])|(?![a-z0-9]))")), names)
    for pattern, names in (*_by_their_names(), *_MEANINGS)
]
_AVERAGES = {"macro": "f1_macro", "micro": "f1_micro", "weighted": "f1_weighted"}
_F1_CALL = re.compile(r"f1_score\([^)]*average\s*=\s*[\"'](macro|micro|weighted)")
_TIMES = re.compile(r"duration|time|elapsed|runtime|seconds|memory|energy|submissions|entries", re.IGNORECASE)
_RESULTS = re.compile(r"(^|/)scores\.(txt|json)$")
_SOURCES = (".py", ".txt", ".r", ".m", ".sh", ".yaml", ".yml", "metadata")
_MOST_SOURCE = 1 << 20
IN_A_COLUMN, IN_RESULTS = "the column", "a file of results"
IN_A_PROGRAM, IN_A_PAGE = "the scoring program", "a page"


@dataclass(frozen=True, slots=True)
class Clue:
    """That a word somewhere in the bundle can mean these metrics, the likeliest first."""

    metrics: tuple[str, ...]
    source: str
    words: str


def is_time(column: BundleColumn) -> bool:
    """Whether a column is about how long something took, which no file of answers tells."""
    return bool(_TIMES.search(f"{column.key} {column.title}")) and not meanings(column.key)


def meanings(words: str) -> list[tuple[str, ...]]:
    """What the words can mean; a longer word is not read as a part of it too."""
    rest = re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_")
    found = []
    for pattern, names in _PATTERNS:
        if pattern.search(rest):
            found.append(names)
            rest = pattern.sub("_", rest)
    return found


def column_clues(columns: Iterable[BundleColumn]) -> list[Clue]:
    found = []
    for column in columns:
        for words in (column.key, column.title):
            found += [Clue(names, IN_A_COLUMN, words) for names in meanings(words)]
    return found


def program_clues(archive: Archive, place: str) -> list[Clue]:
    """What the text of a scoring program says; nothing where it cannot be read."""
    try:
        if archive.has(place) and place.lower().endswith(".zip"):
            archive = archive.inner(place)
            paths = archive.paths
        else:
            paths = [place] if archive.has(place) else archive.below(place)
        texts = [
            decoded(archive.read(path, at_most=_MOST_SOURCE))[0]
            for path in paths[:40]
            if path.lower().endswith(_SOURCES)
        ]
    except BundleRefused:
        return []
    found = []
    for text in texts:
        found += [Clue((_AVERAGES[one],), IN_A_PROGRAM, f"f1_score, {one}") for one in _F1_CALL.findall(text)]
        for word in dict.fromkeys(re.findall(r"[A-Za-z][A-Za-z0-9_]{2,40}", text)):
            found += [Clue(names, IN_A_PROGRAM, word) for names in meanings(word)]
    return found


def result_clues(archive: Archive) -> list[Clue]:
    """What files of results in the bundle have as keys."""
    found = []
    for path in archive.paths:
        if _RESULTS.search(path):
            text = decoded(archive.read(path, at_most=_MOST_SOURCE))[0]
            for word in re.findall(r"[\"']?([A-Za-z][A-Za-z0-9_]{1,40})[\"']?\s*:", text):
                found += [Clue(names, IN_RESULTS, word) for names in meanings(word)]
    return found


def page_clues(texts: Iterable[str]) -> list[Clue]:
    """What the pages say in words, which may be about anything."""
    return [Clue(names, IN_A_PAGE, names[0].replace("_", " ")) for text in texts for names in meanings(text)]


def fitting(kind: type[AnswerKind]) -> dict[str, AnyMetric]:
    """The metrics that fit a kind of answer, but those that need labels of certain names."""
    return {metric.name: metric for metric in METRICS if kind in metric.kinds and not metric.labels}


def ranked(
    clues: Sequence[Clue], kinds: Sequence[type[AnswerKind]]
) -> list[tuple[str, type[AnswerKind], Clue]]:
    """Metrics that the clues mean and one of the kinds takes, the best supported first.

    A column says more than a program, which may name functions that it does not use. Of what a word can mean it is
    the metric that is usual for the kind, if that is among them.
    """
    weights = {IN_A_COLUMN: 8, IN_RESULTS: 4, IN_A_PROGRAM: 2, IN_A_PAGE: 1}
    points: dict[tuple[str, type[AnswerKind]], int] = defaultdict(int)
    counted: set[tuple[str, type[AnswerKind], str]] = set()
    first: dict[tuple[str, type[AnswerKind]], Clue] = {}
    for clue in clues:
        meant = (
            (kind.metric if kind.metric in clue.metrics else name, kind)
            for name in clue.metrics
            for kind in kinds
            if name in fitting(kind)
        )
        if key := next(meant, None):
            points[key] += weights[clue.source] if (*key, clue.source) not in counted else 0
            counted.add((*key, clue.source))
            first.setdefault(key, clue)
    ordered = sorted(points, key=lambda key: -points[key])
    return [(name, kind, first[name, kind]) for name, kind in ordered]
