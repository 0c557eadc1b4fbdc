"""A task as its labels and the clues of a metric make it, and these labels as files of gold labels."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from catalogue.answers import KINDS, AnswerKind
from catalogue.answers.span import MANY_LABELS
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
from submissions.intake.tables.labelled import read_labelled
from submissions.intake.tables.task_proposal import Draft, bounds, labels_of, propose, task_document

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
        found, why = read_reference(self._drafting.reading.archive, task.reference)
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
            f"{found.path} was read as {'; '.join(found.assumed)} ({len(found.rows):,} items)",
            "Participants send a table of ids and labels; look at the sample file.",
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
        alike = {split: one for split, one in references.items() if len(one.header) == len(main.header)}
        rows = [row for one in alike.values() for row in one.rows]
        renamed = replace(main, rows=tuple((f"{place}-{row[0]}", *row[1:]) for place, row in enumerate(rows)))
        read = read_labelled(renamed.as_csv(), file_name=main.path)
        if read.content is None:
            why = read.problems[0].message if read.problems else "it is no table"
            self._drawn_not(planned, main.path, why)
            return None
        table = read.content
        guess = propose(table, main.path)
        columns = guess.label_columns if main.header[0] not in guess.label_columns else main.header[1:]
        cells = table.column(columns[0])
        if len(columns) == 1 and len(set(cells)) < 2:
            self._drawn_not(planned, main.path, f"all {len(cells):,} items have the same label")
            return None
        kinds = self._kinds(guess.kind, columns, cells)
        order = ranked(clues, kinds)
        kind = order[0][1] if order else kinds[0]
        metrics = [name for name, of, _ in order if of is kind] or [kind.metric]
        self._tell_of_metric(planned, order, metrics, kind)
        low, high = bounds(kind, cells)
        draft = Draft(
            kind=kind,
            id_column=main.header[0],
            label_columns=tuple(columns),
            text_columns=(),
            labels=labels_of(table, kind, columns, ()),
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
        )
        task = task_document(
            draft, root="", size=len(references["test"].rows) if "test" in references else len(main.rows)
        )
        known = self._metrics_in_columns(kind)
        task["metrics"] += [
            {"name": name, "title": fitting(kind)[name].title} for name in metrics[1:] if name in known
        ]
        for split, one in alike.items():
            kept = _with_columns(one, main.header, columns)
            self.gold.append(ProposedGold(planned.id, split, one.path, len(one.rows), kept.as_csv()))
        return task

    def _drawn_not(self, planned: PlannedTask, path: str, why: str) -> None:
        self._drafting.note(
            f"{planned.id}.reference_data",
            Fate.TO_DECIDE,
            f"{path}: {why}",
            "Correct the kind of answer in the definition, and load a file of ids and labels.",
        )

    def _kinds(
        self, guess: type[AnswerKind], columns: Sequence[str], cells: Sequence[str]
    ) -> list[type[AnswerKind]]:
        """The kinds that the labels can be of, the one that they look like first."""
        if len(columns) > 1:
            return [guess]
        label = next(kind for kind in KINDS if kind.is_one_label)
        numbers = [kind for kind in KINDS if kind.has_bounds and kind.is_continuous]
        count = len(Counter(cells))
        further = [label] if count <= _MOST_LABELS else []
        further += [kind for kind in numbers if kind.suits(cells, [])]
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


def _with_columns(reference: Reference, header: Sequence[str], columns: Sequence[str]) -> Reference:
    """The id and the columns of labels alone, under the names of the main file."""
    places = [list(header).index(name) for name in columns]
    rows = tuple((row[0], *(row[place] for place in places)) for row in reference.rows)
    return replace(reference, header=(header[0], *columns), rows=rows)
