"""From a bundle to a definition, gold labels and a report: what a bundle says, and what is guessed of the rest."""

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

from benchmarks.spec import BenchmarkSpec
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import build_spec
from benchmarks.spec.read_phases import MOST_SUBMISSIONS
from catalogue.answers import KINDS, AnswerKind
from catalogue.answers.span import MANY_LABELS
from submissions.intake.bundles.archive import Archive
from submissions.intake.bundles.codabench import read_codabench
from submissions.intake.bundles.codalab import read_codalab
from submissions.intake.bundles.competition import (
    BundlePhase,
    BundleTask,
    Competition,
    OfferedFile,
    Reading,
    slug,
)
from submissions.intake.bundles.metric_clues import (
    Clue,
    column_clues,
    fitting,
    is_time,
    meanings,
    page_clues,
    program_clues,
    ranked,
    result_clues,
)
from submissions.intake.bundles.reference import Reference, read_reference
from submissions.intake.bundles.report import BundleRefused, Fate, Note, refused
from submissions.intake.bundles.texts import decoded
from submissions.intake.bundles.yaml_reader import LARGEST_YAML, read_yaml
from submissions.intake.tables.labelled import read_labelled
from submissions.intake.tables.task_proposal import Draft, bounds, labels_of, propose, task_document

_YAML = (".yaml", ".yml")
_MOST_LABELS = 200


@dataclass(frozen=True, slots=True)
class ProposedGold:
    """Labels of a split as a CSV file, and the member of the bundle that they come from."""

    task: str
    split: str
    source: str
    item_count: int
    data: bytes


@dataclass(frozen=True, kw_only=True)
class ImportProposal:
    """What a bundle becomes here, if its organiser agrees.

    `document` is a definition that the loader takes, `notes` the report in the order of the bundle, `files` what
    everybody could load there, each with its bytes still in the archive.
    """

    document: dict[str, Any]
    spec: BenchmarkSpec
    competition: Competition
    gold: tuple[ProposedGold, ...]
    notes: tuple[Note, ...]
    files: tuple[OfferedFile, ...]


@dataclass(frozen=True, slots=True)
class _Planned:
    """A task of ours: splits by their ids, each with the task of the bundle that has its labels."""

    id: str
    title: str
    summary: str
    splits: Mapping[str, BundleTask]


def read_bundle(file: BinaryIO, name: str, *, gold_is_public: bool = False) -> ImportProposal:
    """Read a bundle of CodaLab (1.5) or Codabench (2); no program in it is run.

    Raises
    ------
    BundleRefused
        If it is none, or names what it does not hold; with a note for each fault.
    """
    archive = Archive(file, name)
    path = _definition_path(archive)
    base = path.rpartition("/")[0]
    reading = Reading(archive, f"{base}/" if base else "", path)
    text, encoding = decoded(archive.read(path, at_most=LARGEST_YAML))
    values = read_yaml(text, path)
    if encoding != "UTF-8":
        reading.note(
            "yaml", Fate.OTHERWISE, "it is not UTF-8, and was read as Latin-1", "Look at its letters."
        )
    for double in archive.doubles:
        reading.note("member", Fate.OTHERWISE, f"{double} stands twice in the zip; the last one was read")
    is_new = str(values.get("version", "")).strip() in ("2", "2.0") or isinstance(values.get("phases"), list)
    competition = (read_codabench if is_new else read_codalab)(values, reading)
    if faults := [note for note in reading.notes if note.outcome is Fate.REFUSED]:
        unknown = (note for note in reading.notes if note.outcome is Fate.UNKNOWN)
        raise BundleRefused(*faults, *unknown)
    return _Proposing(reading, competition, gold_is_public=gold_is_public).proposal()


def _definition_path(archive: Archive) -> str:
    """competition.yaml at the top, or in the one folder that everything stands in; else the only YAML file there."""
    root = archive.root()
    found = [
        path
        for path in archive.paths
        if path.startswith(root) and "/" not in path.removeprefix(root) and path.lower().endswith(_YAML)
    ]
    named = [
        path for path in found if path.removeprefix(root).lower() in ("competition.yaml", "competition.yml")
    ]
    if named or len(found) == 1:
        return (named or found)[0]
    why = f"several YAML files: {', '.join(found[:5])}" if found else "no competition.yaml in the zip"
    raise refused(archive.name, "competition.yaml", why)


class _Proposing:
    """Makes a definition of a competition that was read."""

    def __init__(self, reading: Reading, competition: Competition, *, gold_is_public: bool) -> None:
        self.reading, self.competition, self.gold_is_public = reading, competition, gold_is_public
        self.gold: list[ProposedGold] = []
        self.planned = self._planned_tasks()
        self.place_of = {
            task.key: (planned.id, split)
            for planned in self.planned
            for split, task in planned.splits.items()
        }

    def proposal(self) -> ImportProposal:
        if self.competition.takes_code:
            self.note(
                "phases",
                Fate.TO_DECIDE,
                "the competition takes code, and runs it",
                "Here participants run their systems themselves and hand in files of answers.",
            )
        document = self._document()
        spec = _spec(document, self.reading.file)
        if self.gold:
            self.note(
                "reference_data",
                Fate.TO_DECIDE,
                "labels stand in the bundle in clear",
                "If the bundle was ever public, so are they: say `gold: public` for its tasks.",
            )
        for offered in self.competition.files:
            self.reading.notes.append(
                Note(
                    offered.path,
                    "files",
                    Fate.LEFT_OUT,
                    f"{offered.what}: not loaded by itself",
                    "Load it under Files for everybody once you have made sure that no label of a test set is in it.",
                )
            )
        return ImportProposal(
            document=document,
            spec=spec,
            competition=self.competition,
            gold=tuple(self.gold),
            notes=tuple(dict.fromkeys(self.reading.notes)),
            files=self.competition.files,
        )

    def note(self, key: str, outcome: Fate, why: str, what_to_do: str = "") -> None:
        self.reading.note(key, outcome, why, what_to_do)

    def _planned_tasks(self) -> list[_Planned]:
        """Tasks that successive phases have one each of, with the same program, are splits of one; others stay."""
        tasks = {task.key: task for task in self.competition.tasks}
        of_phases = [phase.tasks for phase in self.competition.phases]
        taken: set[str] = {"overall"}
        if len(tasks) > 1 and self._is_a_series(tasks, of_phases):
            ordered = [tasks[keys[0]] for keys in of_phases]
            ids = self._split_ids(len(ordered))
            title = self.competition.title
            self.note(
                "tasks",
                Fate.OTHERWISE,
                "the phases have a task each, scored by one program: they are splits of one task here, "
                + ", ".join(f"{split} of {task.title}" for split, task in zip(ids, ordered, strict=True)),
            )
            return [
                _Planned(
                    slug(title, "task", taken),
                    title,
                    self.competition.summary,
                    dict(zip(ids, ordered, strict=True)),
                )
            ]
        if len(tasks) == 1:
            (task,) = tasks.values()
            name = self.competition.title if self.competition.version == "1.5" else task.title
            return [_Planned(slug(name, "task", taken), name, task.summary, {"test": task})]
        return [
            _Planned(slug(task.title, "task", taken), task.title, task.summary, {"test": task})
            for task in tasks.values()
        ]

    def _is_a_series(self, tasks: Mapping[str, BundleTask], of_phases: Sequence[tuple[str, ...]]) -> bool:
        if any(len(keys) != 1 for keys in of_phases) or len({keys[0] for keys in of_phases}) != len(
            of_phases
        ):
            return False
        return len(of_phases) == len(tasks) and len({task.program for task in tasks.values()}) == 1

    def _split_ids(self, count: int) -> list[str]:
        """The last phase has the test set, what comes before it development data."""
        before = ["dev", *(f"dev-{number}" for number in range(2, count))]
        return [*before[: count - 1], "test"]

    def _document(self) -> dict[str, Any]:
        found, taken = self.competition, set[str]()
        document: dict[str, Any] = {
            "id": slug(found.title, "competition", taken),
            "title": found.title,
            "summary": found.summary[:500],
            "url": "https://www.codabench.org/"
            if found.version == "2"
            else "https://codalab.lisn.upsaclay.fr/",
            "citation": "The bundle states none.",
            "bundle": {"files": "any"},
            **({"registration": "approval"} if found.approval else {}),
            **({"anonymous": True} if found.anonymous else {}),
            **({"terms": found.terms} if found.terms else {}),
        }
        self.note(
            "url",
            Fate.TO_DECIDE,
            "a bundle says neither where the benchmark is described nor how it is cited",
            "Set `url`, `citation` and the `licence` of each task in the definition.",
        )
        if found.pages:
            document["pages"] = [
                {"id": page.id, "title": page.title, "text": page.text} for page in found.pages[:20]
            ]
        clues = [
            *column_clues(found.columns),
            *result_clues(self.reading.archive),
            *page_clues(page.text for page in found.pages),
        ]
        document["tasks"] = [
            self._task(planned, clues, number) for number, planned in enumerate(self.planned, start=1)
        ]
        self._tell_of_columns(document["tasks"])
        if average := self._average(document["tasks"]):
            document["averages"] = [average]
        document["phases"] = [self._phase(phase, place) for place, phase in enumerate(found.phases)]
        if found.questions:
            document["fact_sheet"] = [
                {"id": one.id, "title": one.title, "options": list(one.options)} for one in found.questions
            ]
        return document

    def _task(self, planned: _Planned, clues: Sequence[Clue], number: int) -> dict[str, Any]:
        references = {split: self._reference(task) for split, task in planned.splits.items()}
        readable = {split: reference for split, reference in references.items() if reference}
        programs = [
            program_clues(self.reading.archive, task.program)
            for task in planned.splits.values()
            if task.program
        ]
        evidence = [*clues, *(clue for some in programs for clue in some)]
        text = {
            "title": planned.title[:120],
            "summary": planned.summary[:500],
            "task_id": planned.id,
            "code": f"T{number}",
        }
        drawn = self._drawn(planned, readable, evidence, text) if readable else None
        task = drawn or self._unknown(planned, text)
        if self.gold_is_public:
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
            self.note(
                key,
                Fate.TO_DECIDE,
                "the task has no reference data: its program makes its own truth",
                "Load a file of gold labels, and correct the kind of answer.",
            )
            return None
        found, why = read_reference(self.reading.archive, task.reference)
        if found is None:
            self.note(
                key,
                Fate.TO_DECIDE,
                f"no labels could be read: {why}",
                "Correct the kind of answer in the definition, and load a file of ids and labels.",
            )
            return None
        self.note(
            key,
            Fate.OTHERWISE,
            f"{found.path} was read as {'; '.join(found.assumed)} ({len(found.rows):,} items)",
            "Participants send a table of ids and labels; look at the sample file.",
        )
        return found

    def _drawn(
        self,
        planned: _Planned,
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
            self.note(
                f"{planned.id}.reference_data",
                Fate.TO_DECIDE,
                f"{main.path}: {why}",
                "Correct the kind of answer in the definition, and load a file of ids and labels.",
            )
            return None
        table = read.content
        guess = propose(table, main.path)
        columns = guess.label_columns if main.header[0] not in guess.label_columns else main.header[1:]
        cells = table.column(columns[0])
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
        shown = [column for column in self.competition.columns if not column.hidden]
        return {name for clue in column_clues(shown) for name in clue.metrics if name in fitting(kind)}

    def _tell_of_metric(
        self,
        planned: _Planned,
        order: Sequence[tuple[str, type[AnswerKind], Clue]],
        metrics: Sequence[str],
        kind: type[AnswerKind],
    ) -> None:
        key = f"tasks[{planned.id}].metrics"
        confirm = "Confirm it with a submission whose score there you know, or choose another."
        if not order:
            self.note(
                key,
                Fate.TO_DECIDE,
                f"nothing names a metric that is known; {metrics[0]} is what is usual for {kind.phrase}",
                confirm,
            )
            return
        name, _, clue = order[0]
        self.note(
            key, Fate.TO_DECIDE, f"{name} is proposed, because {clue.source} says “{clue.words}”", confirm
        )
        lower = {
            column.lower
            for column in self.competition.columns
            if any(name in some for some in meanings(column.key))
        }
        if lower == {fitting(kind)[name].higher_is_better}:
            self.note(
                key, Fate.TO_DECIDE, f"the column is sorted the other way round than {name} is", confirm
            )

    def _unknown(self, planned: _Planned, text: dict[str, str]) -> dict[str, Any]:
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

    def _tell_of_columns(self, tasks: Sequence[Mapping[str, Any]]) -> None:
        used = {metric["name"] for task in tasks for metric in task["metrics"]}
        for column in self.competition.columns:
            told = column.title or column.key
            found = {
                name for words in (column.key, column.title) for names in meanings(words) for name in names
            }
            if is_time(column):
                why, do = f"{told} is about what a program took, and none is run here", ""
            elif column.hidden:
                why, do = f"{told} is hidden there", ""
            elif column.computed and column.computed.lower() not in ("avg", "average", "mean"):
                why, do = f"{told} is computed ({column.computed}); averages alone are made here", ""
            elif column.computed or found & used:
                continue
            else:
                why, do = (
                    f"{told} is what the program writes under {column.key}; no metric is known by that name",
                    "Choose a metric for it, or leave it.",
                )
            self.reading.note(column.place, Fate.LEFT_OUT, why, do, line=column.line)

    def _average(self, tasks: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
        """The mean over tasks, where a column is one and all tasks have the same metric first."""
        column = next(
            (one for one in self.competition.columns if one.computed.lower() in ("avg", "average", "mean")),
            None,
        )
        if column is None or len(tasks) < 2 or len({task["metrics"][0]["name"] for task in tasks}) > 1:
            return None
        self.reading.note(
            column.place,
            Fate.OTHERWISE,
            f"{column.title} is the mean of all tasks with equal weights",
            "CodaLab averaged ranks; look at what it is to be.",
            line=column.line,
        )
        return {
            "id": "mean",
            "title": column.title,
            "of": [task["id"] for task in tasks],
            "missing": "unranked",
        }

    def _phase(self, phase: BundlePhase, place: int) -> dict[str, Any]:
        phases = self.competition.phases
        closes = phase.closes or (phases[place + 1].opens if place + 1 < len(phases) else None)
        opens = phase.opens
        if opens and closes and closes <= opens:
            self.note(
                f"phases[{phase.id}].end",
                Fate.LEFT_OUT,
                "the phase ends before it begins",
                "Set its dates.",
            )
            closes = None
        places = [self.place_of[key] for key in phase.tasks if key in self.place_of] or list(
            self.place_of.values()
        )
        is_development = all(split != "test" for _, split in places)
        stated: dict[str, Any] = {"id": phase.id, "title": phase.title}
        stated |= {"opens": _written(opens)} if opens else {}
        stated |= (
            {"closes": _written(closes)}
            if closes
            else {"release": {"when": "weekly", "weekday": "monday", "time": "00:00"}}
        )
        quota = {"total": phase.total, "per_day": phase.per_day}
        stated["quota"] = {key: min(most, MOST_SUBMISSIONS) for key, most in quota.items() if most} or {
            "per_day": 5
        }
        stated["counting"] = (phase.counts or self.competition.counts).value
        stated["one_per_team"] = self.competition.one_per_team
        stated["targets"] = [{"task": task, "split": split} for task, split in places]
        stated["disclosure"] = "exact" if is_development or self.gold_is_public or not closes else "sealed"
        if is_development and not phase.hides_scores:
            stated["feedback"] = {"when": "immediate"}
        self._tell_of_phase(phase, stated)
        return stated

    def _tell_of_phase(self, phase: BundlePhase, stated: Mapping[str, Any]) -> None:
        key = f"phases[{phase.id}]"
        if "closes" not in stated:
            self.note(
                key,
                Fate.TO_DECIDE,
                "the phase has no end, so it is scored and released every Monday",
                "Give it a closing date, if it is to end.",
            )
        elif stated["disclosure"] == "sealed":
            self.note(
                key,
                Fate.TO_DECIDE,
                "scores of the test set are shown when the phase closes; there, after each upload",
                "Choose another rule in `disclosure` before anything is scored.",
            )
        if not (phase.total or phase.per_day):
            self.note(key, Fate.TO_DECIDE, "no limit is stated; five a day were assumed", "Set `quota`.")
        if phase.total or phase.per_day:
            self.note(key, Fate.OTHERWISE, "limits count submissions of a team; there, of a person")


def _with_columns(reference: Reference, header: Sequence[str], columns: Sequence[str]) -> Reference:
    """The id and the columns of labels alone, under the names of the main file."""
    places = [list(header).index(name) for name in columns]
    rows = tuple((row[0], *(row[place] for place in places)) for row in reference.rows)
    return replace(reference, header=(header[0], *columns), rows=rows)


def _written(instant: dt.datetime) -> str:
    return instant.strftime("%Y-%m-%dT%H:%M:%SZ") if instant.year >= 1000 else instant.isoformat()


def _spec(document: dict[str, Any], file: str) -> BenchmarkSpec:
    try:
        return build_spec(document, file)
    except DefinitionError as error:
        notes = (Note(file, "definition", Fate.REFUSED, mistake) for mistake in error.mistakes)
        raise BundleRefused(*notes) from None
