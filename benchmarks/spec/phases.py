"""What is handed in during a phase, by its kind."""

from collections.abc import Iterable

from benchmarks.spec.model import DEV, BenchmarkSpec, PhaseKind, TaskSpec

HANDED_IN = {
    PhaseKind.PREDICTIONS: "predictions",
    PhaseKind.BUILD: "predictions for the development data",
    PhaseKind.BREAK: "minimal pairs",
    PhaseKind.SCORE: "predictions for the pairs of all breakers",
}
"""What a phase takes, in words."""


def takes(kind: PhaseKind, task: TaskSpec, split_id: str) -> bool:
    """Whether a phase of this kind takes predictions for a split of the task.

    Development data are answered while systems are built, everything else when they are scored; what a breaker has
    withdrawn is still taken, so that no file that was right becomes wrong.
    """
    if kind is PhaseKind.BUILD:
        return bool(task.pairs) and split_id == DEV
    return kind is PhaseKind.PREDICTIONS or (kind is PhaseKind.SCORE and split_id != DEV)


def taken_elsewhere(
    spec: BenchmarkSpec, kind: PhaseKind, phases: Iterable[tuple[str, PhaseKind]]
) -> dict[tuple[str, str], str]:
    """By task and split that a phase of this kind does not take, a sentence that names the phase that does.

    `phases` are all of the benchmark, as title and kind.
    """
    found: dict[tuple[str, str], str] = {}
    known = list(phases)
    for task in spec.tasks:
        for split in task.splits:
            title = next((title for title, other in known if takes(other, task, split.id)), None)
            if title is not None and not takes(kind, task, split.id):
                found[task.id, split.id] = (
                    f"Predictions for the split {split.id} of {task.id} belong to the phase {title}; "
                    f"this one takes {HANDED_IN[kind]}."
                )
    return found
