"""Which tasks a bundle's tasks become, and which of them are splits of one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from submissions.intake.bundles.competition import BundleTask
from submissions.intake.bundles.parts import slug
from submissions.intake.bundles.proposal.drafting import Drafting, PlannedTask
from submissions.intake.bundles.reference import labels_of_subtasks
from submissions.intake.bundles.report import Fate


def planned_tasks(drafting: Drafting) -> list[PlannedTask]:
    """The tasks of a bundle, and where their reference data are those of several subtasks one for each."""
    planned = _by_phases(drafting)
    taken = {"overall", *(task.id for task in planned)}
    return [one for task in planned for one in _by_files(drafting, task, taken)]


def _by_files(drafting: Drafting, planned: PlannedTask, taken: set[str]) -> list[PlannedTask]:
    archive = drafting.reading.archive
    members = {
        split: labels_of_subtasks(archive, task.reference) if task.reference else {}
        for split, task in planned.splits.items()
    }
    names, *others = (list(of_split) for of_split in members.values())
    if not names or any(other != names for other in others):
        return [planned]
    drafting.note(
        f"{next(iter(planned.splits.values())).place}.reference_data",
        Fate.OTHERWISE,
        f"{planned.title} has labels of {len(names)} subtasks, {', '.join(names)}: each is a task here",
        "Participants send a file for each, in one zip.",
    )
    return [
        PlannedTask(
            slug(f"{planned.id} {name}", "task", taken),
            f"{planned.title}: {name}",
            planned.summary,
            {split: replace(task, member=members[split][name]) for split, task in planned.splits.items()},
        )
        for name in names
    ]


def _by_phases(drafting: Drafting) -> list[PlannedTask]:
    """Tasks that successive phases have one each of, with the same program, are splits of one; others stay."""
    tasks = {task.key: task for task in drafting.competition.tasks}
    of_phases = [phase.tasks for phase in drafting.competition.phases]
    taken: set[str] = {"overall"}
    if len(tasks) > 1 and _is_a_series(tasks, of_phases):
        ordered = [tasks[keys[0]] for keys in of_phases]
        ids = _split_ids(len(ordered))
        title = drafting.competition.title
        drafting.note(
            "tasks",
            Fate.OTHERWISE,
            "the phases have a task each, scored by one program: they are splits of one task here, "
            + ", ".join(f"{split} of {task.title}" for split, task in zip(ids, ordered, strict=True)),
        )
        return [
            PlannedTask(
                slug(title, "task", taken),
                title,
                drafting.competition.summary,
                dict(zip(ids, ordered, strict=True)),
            )
        ]
    if len(tasks) == 1:
        (task,) = tasks.values()
        name = drafting.competition.title if drafting.competition.version == "1.5" else task.title
        return [PlannedTask(slug(name, "task", taken), name, task.summary, {"test": task})]
    return [
        PlannedTask(slug(task.title, "task", taken), task.title, task.summary, {"test": task})
        for task in tasks.values()
    ]


def _is_a_series(tasks: Mapping[str, BundleTask], of_phases: Sequence[tuple[str, ...]]) -> bool:
    if any(len(keys) != 1 for keys in of_phases) or len({keys[0] for keys in of_phases}) != len(of_phases):
        return False
    return len(of_phases) == len(tasks) and len({task.program for task in tasks.values()}) == 1


def _split_ids(count: int) -> list[str]:
    """The last phase has the test set, what comes before it development data."""
    before = ["dev", *(f"dev-{number}" for number in range(2, count))]
    return [*before[: count - 1], "test"]
