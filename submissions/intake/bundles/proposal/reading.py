"""A bundle read, and what it becomes here: a definition, gold labels and a report."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from benchmarks.spec import BenchmarkSpec
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import build_spec
from submissions.intake.bundles.archive import Archive
from submissions.intake.bundles.codabench import read_codabench
from submissions.intake.bundles.codalab import read_codalab
from submissions.intake.bundles.competition import Competition, OfferedFile
from submissions.intake.bundles.metric_clues import column_clues, page_clues, result_clues
from submissions.intake.bundles.parts import Reading, slug
from submissions.intake.bundles.proposal.columns import average, tell_of_columns
from submissions.intake.bundles.proposal.drafting import Drafting, PlannedTask, ProposedGold
from submissions.intake.bundles.proposal.phases import phase_document
from submissions.intake.bundles.proposal.splits import planned_tasks
from submissions.intake.bundles.proposal.tasks import TaskDrafting
from submissions.intake.bundles.report import BundleRefused, Fate, Note, refused
from submissions.intake.bundles.texts import decoded
from submissions.intake.bundles.yaml_reader import LARGEST_YAML, read_yaml

_YAML = (".yaml", ".yml")


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
            "yaml", Fate.OTHERWISE, f"it is not UTF-8, and was read as {encoding}", "Look at its letters."
        )
    for double in archive.doubles:
        reading.note("member", Fate.OTHERWISE, f"{double} stands twice in the zip; the last one was read")
    is_new = str(values.get("version", "")).strip() in ("2", "2.0") or isinstance(values.get("phases"), list)
    competition = (read_codabench if is_new else read_codalab)(values, reading)
    if faults := [note for note in reading.notes if note.outcome is Fate.REFUSED]:
        unknown = (note for note in reading.notes if note.outcome is Fate.UNKNOWN)
        raise BundleRefused(*faults, *unknown)
    return _proposal(Drafting(reading, competition, gold_is_public))


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


def _proposal(drafting: Drafting) -> ImportProposal:
    planned = planned_tasks(drafting)
    if drafting.competition.takes_code:
        drafting.note(
            "phases",
            Fate.TO_DECIDE,
            "the competition takes code, and runs it",
            "Here participants run their systems themselves and hand in files of answers.",
        )
    document, gold = _document(drafting, planned)
    spec = _spec(document, drafting.reading.file)
    if gold:
        drafting.note(
            "reference_data",
            Fate.TO_DECIDE,
            "labels stand in the bundle in clear",
            "If the bundle was ever public, so are they: say `gold: public` for its tasks.",
        )
    for offered in drafting.competition.files:
        drafting.reading.notes.append(
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
        competition=drafting.competition,
        gold=tuple(gold),
        notes=tuple(dict.fromkeys(drafting.reading.notes)),
        files=drafting.competition.files,
    )


def _document(
    drafting: Drafting, planned: Sequence[PlannedTask]
) -> tuple[dict[str, Any], list[ProposedGold]]:
    """The definition, and the labels of its tasks."""
    found, taken = drafting.competition, set[str]()
    document: dict[str, Any] = {
        "id": slug(found.title, "competition", taken),
        "title": found.title,
        "summary": found.summary[:500],
        "url": "https://www.codabench.org/" if found.version == "2" else "https://codalab.lisn.upsaclay.fr/",
        "citation": "The bundle states none.",
        "bundle": {"files": "any"},
        **({"registration": "approval"} if found.approval else {}),
        **({"anonymous": True} if found.anonymous else {}),
        **({"terms": found.terms} if found.terms else {}),
    }
    drafting.note(
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
        *result_clues(drafting.reading.archive),
        *page_clues(page.text for page in found.pages),
    ]
    tasks = TaskDrafting(drafting, clues)
    document["tasks"] = [tasks.document(one, number) for number, one in enumerate(planned, start=1)]
    tell_of_columns(drafting, document["tasks"])
    if mean := average(drafting, document["tasks"]):
        document["averages"] = [mean]
    places = defaultdict[str, list[tuple[str, str]]](list)
    for one in planned:
        for split, task in one.splits.items():
            places[task.key].append((one.id, split))
    document["phases"] = [
        phase_document(drafting, phase, place, places) for place, phase in enumerate(found.phases)
    ]
    if found.questions:
        document["fact_sheet"] = [
            {"id": one.id, "title": one.title, "options": list(one.options)} for one in found.questions
        ]
    return document, tasks.gold


def _spec(document: dict[str, Any], file: str) -> BenchmarkSpec:
    try:
        return build_spec(document, file)
    except DefinitionError as error:
        notes = (Note(file, "definition", Fate.REFUSED, mistake) for mistake in error.mistakes)
        raise BundleRefused(*notes) from None
