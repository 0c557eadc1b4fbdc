"""Whether what a question asks can become labels of a task: asked before people are, not after."""

from collections.abc import Sequence

from benchmarks.models import Task
from labelling.core.cut_points import ordered_classes
from labelling.core.questions import QUESTION_KINDS
from labelling.core.questions.question import CampaignQuestion
from labelling.outcomes.gold_labels import cells_of
from submissions.intake.canonical import answer_reader


def labels_of(task: Task) -> tuple[str, ...]:
    """The labels that a task knows, as its gold files write them; empty where it has none."""
    output = task.spec.output
    return output.gold_labels or output.labels or output.classes


def uncut(task: Task) -> str:
    """Why no scores can be cut into classes of a task; empty where they can."""
    output = task.spec.output
    return (
        ""
        if ordered_classes(output.classes)
        else f"{task.title} takes {output.describe()}. Choose a task of ordered classes."
    )


def misfit(task: Task, question: CampaignQuestion, no_labels: Sequence[str]) -> str:
    """Why values of the question, but for `no_labels`, are no labels of the task; empty where nothing is known."""
    spec = task.spec
    reader = answer_reader(spec.output.gold, spec.gold)
    known = ", ".join(labels_of(task))
    kind = QUESTION_KINDS[question.kind]
    if not question.options:
        ends = (repr(question.lowest), repr(question.highest))
        is_number = spec.output.has_bounds and spec.output.is_continuous
        are_read = is_number and all(reader.value((end,)) is not None for end in ends)
        return (
            "" if are_read else f"{task.title} takes other answers than numbers from {ends[0]} to {ends[1]}."
        )
    wrong = []
    for option in question.options:
        if option.value in no_labels:
            continue
        value = kind.read(kind.sent(dict.fromkeys(kind.fields, option.value)), question, ())
        if isinstance(value, tuple) != spec.output.is_subset:
            takes, asks = ("any number of labels", "one") if spec.output.is_subset else ("one", "any number")
            return f"{task.title} takes {takes} per item, and this question asks for {asks}."
        if isinstance(value, tuple):
            wrong += [label for label in value if label not in reader.columns and not option.alone]
        elif reader.value(cells_of(value, reader.columns)) is None:
            wrong.append(option.value)
    if not wrong:
        return ""
    return f"“{wrong[0]}” is no label of {task.title}; these are {known}."
