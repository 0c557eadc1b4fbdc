"""A task as its labels and the clues of a metric make it, and these labels as files of gold labels."""

from collections.abc import Mapping, Sequence
from typing import Any

from catalogue.answers import KINDS, AnswerKind
from catalogue.answers.span import MANY_LABELS
from catalogue.gold_column import CellShape
from catalogue.layouts import CSV
from submissions.intake.bundles.competition import BundleTask
from submissions.intake.bundles.metric_clues import (
    Clue,
    column_clues,
    fitting,
    meanings,
    program_clues,
    ranked,
)
from submissions.intake.bundles.proposal.drafting import Drafting, PlannedTask, ProposedGold
from submissions.intake.bundles.reference import Reference, read_reference
from submissions.intake.bundles.report import Fate
from submissions.intake.tables.labelled import LabelledTable
from submissions.intake.tables.task_proposal import (
    Draft,
    bounds,
    labels_of,
    propose,
    stated_of,
    task_document,
)

_MOST_LABELS = 200


class TaskDrafting:
    """Makes the tasks of a definition, and collects their labels in `gold`. `clues` speak of all tasks."""

    def __init__(self, drafting: Drafting, clues: Sequence[Clue]) -> None:
        self._drafting, self._clues = drafting, clues
        self.gold: list[ProposedGold] = []

    def document(self, planned: PlannedTask, number: int) -> dict[str, Any]:
        """The task of that number as the definition has it; its labels are kept in `gold`."""
        references = {split: self._reference(task) for split, task in planned.splits.items()}
        readable = {split: reference for split, reference in references.items() if reference}
        programs = [
            program_clues(self._drafting.reading.archive, task.program)
            for task in planned.splits.values()
            if task.program
        ]
        evidence = [*self._clues, *(clue for some in programs for clue in some)]
        text = {
            "title": planned.title[:120],
            "summary": planned.summary[:500],
            "task_id": planned.id,
            "code": f"T{number}",
        }
        drawn = self._drawn(planned, readable, evidence, text) if readable else None
        task = drawn or _unknown(planned, text)
        if self._drafting.gold_is_public:
            task["gold"] = "public"
        if len(planned.splits) > 1:
            ending = task["file"]["path"].rpartition(".")[2]
            task["splits"] = [
                {"id": split, "title": source.title}
                | (
                    {}
                    if split == "test"
                    else {
                        "file": f"{planned.id}_{split}.{ending}",
                        "gold_file": f"{planned.id}_{split}.{ending}",
                    }
                )
                for split, source in planned.splits.items()
            ]
        return task

    def _reference(self, task: BundleTask) -> Reference | None:
        key = f"{task.place}.reference_data"
        if not task.reference:
            self._drafting.note(
                key,
                Fate.TO_DECIDE,
                "the task has no reference data: its program makes its own truth",
                "Load a file of gold labels, and correct the kind of answer.",
            )
            return None
        found, why = read_reference(self._drafting.reading.archive, task.reference, task.member)
        if found is None:
            self._drafting.note(
                key,
                Fate.TO_DECIDE,
                f"no labels could be read: {why}",
                "Correct the kind of answer in the definition, and load a file of ids and labels.",
            )
            return None
        self._drafting.note(
            key,
            Fate.OTHERWISE,
            f"{found.path} was read as {'; '.join(found.assumed)} ({len(found.table.rows):,} items)",
            f"Participants send {'files of that layout' if found.table.seen else 'a table of ids and labels'}; look "
            "at the sample file.",
        )
        return found

    def _drawn(
        self,
        planned: PlannedTask,
        references: Mapping[str, Reference],
        clues: Sequence[Clue],
        text: dict[str, str],
    ) -> dict[str, Any] | None:
        """The task as its labels and the clues of a metric make it; None where the labels are of no kind."""
        main = references.get("test") or next(iter(references.values()))
        guess = propose(main.table, main.path)
        columns, id_column = guess.label_columns, guess.id_column
        own = {split: _columns_like(main, one, (id_column, *columns)) for split, one in references.items()}
        alike = {split: one for split, one in references.items() if own[split]}
        for split in references.keys() - alike.keys():
            path = references[split].path
            self._drawn_not(planned, path, f"its layout or its columns are not those of {main.path}")
        if not main.table.seen and len(main.table.header) > 1 + len(columns):
            self._drafting.note(
                f"{planned.id}.reference_data",
                Fate.OTHERWISE,
                f"{main.path}: ids are taken from {id_column}, labels from {', '.join(columns)}",
                "Correct the definition where they stand in other columns, and load the labels anew.",
            )
        cells = [cell for split, one in alike.items() for cell in one.table.column(own[split][1])]
        if len(columns) == 1 and len(set(cells)) < 2:
            self._drawn_not(planned, main.path, f"all {len(cells):,} items have the same label")
            return None
        kinds = self._kinds(main.table, guess.kind, columns, cells)
        order = ranked(clues, kinds)
        kind = order[0][1] if order else kinds[0]
        metrics = [name for name, of, _ in order if of is kind] or [kind.metric]
        self._tell_of_metric(planned, order, metrics, kind)
        low, high = bounds(kind, cells)
        found = [labels_of(one.table, kind, own[split][1:], ()) for split, one in alike.items()]
        labels = labels_of(main.table, kind, columns, [label for some in found for label in some])
        output, options = stated_of(main.table, kind, id_column, columns, labels)
        draft = Draft(
            kind=kind,
            id_column=id_column,
            label_columns=columns,
            text_columns=(),
            labels=labels,
            low=low,
            high=high,
            metric=metrics[0],
            metric_title=fitting(kind)[metrics[0]].title if metrics[0] in fitting(kind) else metrics[0],
            instructions=text["summary"],
            licence="The bundle states none.",
            citation="The bundle states none.",
            title=text["title"],
            summary=text["summary"],
            task_id=text["task_id"],
            code=text["code"],
            layout=main.table.layout if main.table.seen else CSV,
            output=output,
            options=options if main.table.seen else {},
        )
        task = task_document(draft, root="", size=len(main.table.rows))
        known = self._metrics_in_columns(kind)
        task["metrics"] += [
            {"name": name, "title": fitting(kind)[name].title} for name in metrics[1:] if name in known
        ]
        self.gold += [
            ProposedGold(
                planned.id,
                split,
                one.path,
                len(one.table.rows),
                one.as_file(own[split], (id_column, *columns)),
            )
            for split, one in alike.items()
        ]
        return task

    def _drawn_not(self, planned: PlannedTask, path: str, why: str) -> None:
        self._drafting.note(
            f"{planned.id}.reference_data",
            Fate.TO_DECIDE,
            f"{path}: {why}",
            "Correct the kind of answer in the definition, and load a file of ids and labels.",
        )

    def _kinds(
        self, table: LabelledTable, guess: type[AnswerKind], columns: Sequence[str], cells: Sequence[str]
    ) -> list[type[AnswerKind]]:
        """The kinds that the labels can be of, the one that they look like first."""
        if len(columns) > 1 or table.gold_column(columns[0]).shape is not CellShape.TEXT:
            return [guess]
        label = next(kind for kind in KINDS if kind.is_one_label)
        numbers = [kind for kind in KINDS if kind.has_bounds and kind.is_continuous and kind.suits(cells, [])]
        count = len(set(cells))
        are_fractions = bool(numbers) and not all(float(cell).is_integer() for cell in cells)
        further = [label] if count <= _MOST_LABELS and not are_fractions else []
        further += numbers
        ordered = [
            kind for kind in KINDS if kind.has_bounds and not kind.is_continuous and kind.suits(cells, [])
        ]
        if count <= MANY_LABELS and ordered:
            return list(dict.fromkeys([label, *ordered, *further]))  # classes that are called by numbers
        return list(dict.fromkeys([guess, *further]))

    def _metrics_in_columns(self, kind: type[AnswerKind]) -> set[str]:
        """Metrics of columns that are shown; what a program alone names is no column."""
        shown = [column for column in self._drafting.competition.columns if not column.hidden]
        return {name for clue in column_clues(shown) for name in clue.metrics if name in fitting(kind)}

    def _tell_of_metric(
        self,
        planned: PlannedTask,
        order: Sequence[tuple[str, type[AnswerKind], Clue]],
        metrics: Sequence[str],
        kind: type[AnswerKind],
    ) -> None:
        key = f"tasks[{planned.id}].metrics"
        confirm = "Confirm it with a submission whose score there you know, or choose another."
        if not order:
            self._drafting.note(
                key,
                Fate.TO_DECIDE,
                f"nothing names a metric that is known; {metrics[0]} is what is usual for {kind.phrase}",
                confirm,
            )
            return
        name, _, clue = order[0]
        self._drafting.note(
            key, Fate.TO_DECIDE, f"{name} is proposed, because {clue.source} says “{clue.words}”", confirm
        )
        lower = {
            column.lower
            for column in self._drafting.competition.columns
            if any(name in some for some in meanings(column.key))
        }
        if lower == {fitting(kind)[name].higher_is_better}:
            self._drafting.note(
                key, Fate.TO_DECIDE, f"the column is sorted the other way round than {name} is", confirm
            )


def _unknown(planned: PlannedTask, text: dict[str, str]) -> dict[str, Any]:
    """A task whose answers are not known yet: any text, so that nothing is claimed of them."""
    return {
        "id": planned.id,
        "code": text["code"],
        "title": text["title"],
        "summary": text["summary"],
        "instructions": text["summary"],
        "licence": "The bundle states none.",
        "citation": "The bundle states none.",
        "test_size": 1,
        "output": {"kind": "span"},
        "file": {"path": f"{planned.id}.csv", "id_column": "id", "label_column": "label"},
        "metrics": [{"name": "exact_match", "title": "Exact match"}],
    }


def _columns_like(main: Reference, other: Reference, columns: tuple[str, ...]) -> tuple[str, ...]:
    """The columns of another split that are those of the main file: of the same names, or in a table with one column of
    labels what seem to be its ids and labels; none where there are no such."""
    if (main.table.seen or other.table.seen) and other.table.layout is not main.table.layout:
        return ()
    if {*columns} <= {*other.table.header}:
        return columns
    guess = propose(other.table, other.path)
    is_alike = not other.table.seen and len(columns) == 1 + len(guess.label_columns) == 2
    return (guess.id_column, *guess.label_columns) if is_alike else ()
