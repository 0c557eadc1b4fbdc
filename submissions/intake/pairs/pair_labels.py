"""The labels that the items of minimal pairs may have."""

from collections.abc import Callable
from functools import partial

from benchmarks.spec import TaskSpec
from catalogue.answers.label_names import LabelNames
from catalogue.problems import Finding, ProblemCode, quoted, visible


class PairLabels:
    """The labels that the items of a task's pairs may have: those of its set that can be right, or any span."""

    def __init__(self, task: TaskSpec) -> None:
        if not task.output.is_one_text:
            raise ValueError(f"The items of {task.id} have neither one label of a set nor a span.")
        self._set: LabelNames | None = None
        if task.output.is_one_label:
            names = task.output.gold_labels
            self._set = LabelNames(names, (pair for pair in task.gold.also_written if pair[1] in names))

    def is_one(self, cell: str) -> bool:
        return self._set is not None and cell in self._set.code_of

    def read(self, cell: str, text: str) -> str | None:
        """The label of that sentence as the task lists it; None if the cell is wrong."""
        if self._set is None:
            return cell if cell.strip() and cell in text else None
        return self._set.names[self._set.code_of[cell]] if cell in self._set.code_of else None

    def fault(self, cell: str, text: str) -> Callable[[], Finding] | None:
        return partial(self.explain, cell) if self.read(cell, text) is None else None

    def explain(self, cell: str) -> Finding:
        """What is wrong with a cell that is no label."""
        if self._set is not None:
            return self._set.explain(cell)
        if not cell.strip():
            return Finding(
                ProblemCode.EMPTY_LABEL,
                "The span is empty. Give a part of the sentence.",
                visible(cell),
                "a part of the sentence",
            )
        return Finding(
            ProblemCode.SPAN_NOT_IN_TEXT,
            f"{quoted(cell)} does not stand in the sentence. Give a part of it, letter by letter.",
            visible(cell),
            "a part of the sentence",
        )
