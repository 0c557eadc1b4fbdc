"""A task of every kind and dialect, and a short way to read a file for it."""

from benchmarks.spec import FileFormat, MetricUse, TaskSpec
from catalogue.answers import AnswerKind, ConfidentLabel, Label, LabelSubset, Number, OrderedClass, Span
from catalogue.layouts import JSON, JSON_LINES, TSV
from submissions.intake import (
    CanonicalPredictions,
    GoldFile,
    ItemIds,
    Problem,
    SplitTarget,
    read_gold_file,
    read_labels,
)


def task_of(output: AnswerKind, file: FileFormat, metric: str = "accuracy") -> TaskSpec:
    return TaskSpec(
        id="task", code="T", title="Task", summary="", instructions="", licence="", citation="", test_size=3,
        output=output, file=file, metrics=(MetricUse(metric, metric),),
    )  # fmt: skip


TWEETS = FileFormat(
    "tweets.txt", "ID", "Score", layout=TSV,
    columns=("ID", "Tweet", "Affect", "Score"), fixed=(("Affect", "joy"),),
)  # fmt: skip
NUMBER = task_of(Number(0, 1), TWEETS, "pearson")
CLASSES = task_of(OrderedClass(-3, 3), TWEETS, "pearson")
SUBSET = task_of(
    LabelSubset(("anger", "joy", "trust")),
    FileFormat("e.txt", "ID", "anger", layout=TSV, columns=("ID", "Tweet", "anger", "joy", "trust")),
    "jaccard",
)
STANCE = task_of(
    Label(("AGAINST", "FAVOR", "NONE", "UNKNOWN"), never_right=("UNKNOWN",)),
    FileFormat(
        "s.txt", "ID", "Stance", encoding="latin-1", layout=TSV, columns=("ID", "Tweet", "Stance"),
    ),
)  # fmt: skip
NEWS = task_of(
    Label(("agree", "disagree")),
    FileFormat(
        "news.csv", "Headline", "Stance", columns=("Headline", "Body ID", "Stance"),
        more_id_columns=("Body ID",), repeats=True, line_breaks=True,
    ),
)  # fmt: skip
RUMOUR = task_of(
    ConfidentLabel(("true", "false", "unverified"), never_right=("unverified",)),
    FileFormat("answer.json", "id", "subtaskb", layout=JSON, other_keys=("subtaska", "subtaskc")),
    "rmse",
)
POSTS = task_of(
    Label(("support", "deny")),
    FileFormat("answer.json", "id", "subtaska", layout=JSON, other_keys=("subtaskb", "subtaskc")),
)
SENTENCES = task_of(
    Label(("positive", "negative", "neutral")),
    FileFormat("s.jsonl", "text_id", "gold_label", layout=JSON_LINES),
)
SPANS = task_of(Span(), FileFormat("spans.csv", "id", "span"), "token_f1")

IDS = ("a1", "a2", "a3")


def read(data: bytes | str, task: TaskSpec, ids: tuple[str, ...] = IDS) -> CanonicalPredictions:
    """The predictions in an acceptable file."""
    raw = data if isinstance(data, bytes) else data.encode()
    read = read_labels(raw, file_name="file", target=SplitTarget(task, "test", ItemIds(ids)))
    assert read.content is not None, read.problems
    return read.content


def problems_in(data: bytes | str, task: TaskSpec, ids: tuple[str, ...] = IDS) -> list[Problem]:
    """The problems of a file that is refused."""
    raw = data if isinstance(data, bytes) else data.encode()
    read = read_labels(raw, file_name="file", target=SplitTarget(task, "test", ItemIds(ids)))
    assert read.content is None
    return list(read.problems)


def places(
    data: bytes | str, task: TaskSpec, ids: tuple[str, ...] = IDS
) -> list[tuple[str, int | None, str | None]]:
    """Code, line and column of each problem."""
    return [(each.code.value, each.line, each.column) for each in problems_in(data, task, ids)]


def gold(data: bytes | str, task: TaskSpec) -> GoldFile:
    """An acceptable gold file."""
    raw = data if isinstance(data, bytes) else data.encode()
    result = read_gold_file(raw, file_name="gold", task=task)
    assert result.content is not None, result.problems
    return result.content.gold


def tweets(*cells: str, dimension: str = "joy") -> str:
    """A file of tweets with these answers to the ids."""
    rows = [f"{item}\tsome text\t{dimension}\t{cell}" for item, cell in zip(IDS, cells, strict=True)]
    return "\n".join(["ID\tTweet\tAffect\tScore", *rows]) + "\n"
