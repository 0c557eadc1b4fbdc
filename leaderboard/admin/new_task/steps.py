"""The screens of the wizard: what each asks, in their order."""

from collections.abc import Sequence
from dataclasses import dataclass

FILE, COLUMNS, METRIC, TEXTS, PLACE, PHASE, CHECK = (
    "file",
    "columns",
    "metric",
    "texts",
    "place",
    "phase",
    "check",
)


@dataclass(frozen=True, slots=True)
class Step:
    """A screen: its key, title, what it is for, the fields it asks for, and those that are folded away."""

    key: str
    title: str
    lead: str
    fields: tuple[str, ...]
    folded: tuple[str, ...] = ()


STEPS = (
    Step(FILE, "File", "", ("file", "layout", "first_line")),
    Step(
        COLUMNS,
        "Columns and kind",
        "What each column is, and what a system answers. All is a guess that you correct.",
        (
            "layout",
            "first_line",
            "id_column",
            "label_columns",
            "has_unscored",
            "text_columns",
            "kind",
            "column_names",
        ),
    ),
    Step(
        METRIC,
        "Metric",
        "What ranks the systems. The list holds what fits the kind of answer, and nothing else.",
        ("metric", "low", "high", "more_labels"),
    ),
    Step(
        TEXTS,
        "Texts and licence",
        "What everybody reads about the task. Nothing of it is made up for you.",
        ("title", "summary", "instructions", "licence", "citation"),
    ),
    Step(
        PLACE,
        "Benchmark",
        "A benchmark has one task or several, each with a file and a metric of its own.",
        ("into", "benchmark_title", "benchmark_summary", "benchmark_id"),
        ("task_id", "code", "url"),
    ),
    Step(
        PHASE,
        "Dates and limits",
        "When systems answer, how often, and what is shown before the end. All can be changed later.",
        ("opens", "lasts_days", "weekday", "quota", "disclosure", "states_share"),
    ),
    Step(CHECK, "Check", "", ("is_sure",)),
)
KEYS = tuple(step.key for step in STEPS)


def steps_for(*, joins: bool) -> Sequence[Step]:
    """The screens; a task that joins a benchmark finds its phases there."""
    return tuple(step for step in STEPS if not (joins and step.key == PHASE))
