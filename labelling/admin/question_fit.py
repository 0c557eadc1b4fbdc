"""Whether what a question asks can become labels of a task: asked before people are, not after."""

from benchmarks.models import Task
from labelling.core.questions.question import Question
from labelling.outcomes.gold_labels import cells_of
from submissions.intake.canonical import answer_reader


def labels_of(task: Task) -> tuple[str, ...]:
    """The labels that a task knows, as its gold files write them; empty where it has none."""
    output = task.spec.output
    return output.gold_labels or output.labels or output.classes


def misfit(task: Task, question: Question) -> str:
    """Why values of the question are no labels of the task; empty where nothing is known to be wrong."""
    spec = task.spec
    reader = answer_reader(spec.output, spec.gold)
    known = ", ".join(labels_of(task))
    if question.kind == "several_labels":
        chosen = [option.value for option in question.options if not option.alone]
        wrong = [value for value in chosen if value not in reader.columns]
        if not spec.output.is_subset:
            return f"{task.title} takes one answer per item, and this question any number of labels."
    elif question.kind in ("one_label", "ordered_class"):
        if spec.output.is_subset:
            return f"{task.title} takes any number of labels per item, and this question one."
        wrong = [value for value in question.labels if reader.value(cells_of(value, reader.columns)) is None]
    else:
        ends = (repr(question.lowest), repr(question.highest))
        is_number = spec.output.has_bounds and spec.output.is_continuous
        unread = [end for end in ends if reader.value((end,)) is None] if is_number else ends
        return f"{task.title} takes other answers than numbers from {ends[0]} to {ends[1]}." if unread else ""
    if not wrong:
        return ""
    return f"“{wrong[0]}” is no label of {task.title}; these are {known}."
