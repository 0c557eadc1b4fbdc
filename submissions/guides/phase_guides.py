"""What a phase wants to be sent, with the commands that send it, filled in for whoever reads them."""

import re
import shlex
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse

from benchmarks.models import Benchmark, Phase, Texts
from benchmarks.spec import TaskSpec
from submissions.exceptions import SubmissionError
from submissions.models import System
from submissions.uploads.expected_splits import split_targets

_MANY_LABELS = 12
_ANY_SYSTEM = "My system"
_PLAIN_NAME = re.compile(r"[A-Za-z0-9][\w .-]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class TaskGuide:
    """One task's file. `labels` are the declared ones where they are few, else empty and `answer` counts them."""

    spec: TaskSpec
    path: str
    answer: str
    labels: tuple[str, ...]
    texts: tuple[Texts, ...]
    sample_url: str


@dataclass(frozen=True, slots=True)
class Guide:
    """One phase: its files and its commands."""

    phase: Phase
    tasks: tuple[TaskGuide, ...]
    sample_url: str
    curl: str
    login: str
    heldout: str


def guides(phases: Collection[Phase], systems: Sequence[System], chosen: str = "") -> list[Guide]:
    """One guide per phase whose files can be checked already.

    The commands name the system `chosen` by its id, else the first of `systems`, else “My system”.
    """
    system = next((one for one in systems if str(one.pk) == chosen), systems[0] if systems else None)
    name = _ANY_SYSTEM if system is None else _name_of(system, systems)
    texts = {
        benchmark: Texts.objects.by_task(benchmark) for benchmark in {phase.benchmark for phase in phases}
    }
    built = (_guide(phase, name, texts[phase.benchmark]) for phase in phases)
    return [guide for guide in built if guide is not None]


def public_guides(benchmark: Benchmark) -> dict[str, dict[str, str]]:
    """By task what everybody may read: samples, and commands with a name in place of the reader's system.

    Of several phases that take a task it is the last. Tasks whose files cannot be checked yet are left out.
    """
    by_task: dict[str, dict[str, str]] = {}
    for phase in benchmark.phases.all():
        phase.benchmark = benchmark
        if guide := _guide(phase, _ANY_SYSTEM, {}):
            facts = {name: getattr(guide, name) for name in ("curl", "login", "heldout")}
            facts["whole_url"] = guide.sample_url
            by_task |= {task.spec.id: facts | {"sample_url": task.sample_url} for task in guide.tasks}
    return by_task


def _guide(phase: Phase, system: str, texts: Mapping[str, Sequence[Texts]]) -> Guide | None:
    """One phase's guide, with `texts` by task; None where its files cannot be checked yet: submitters are told why."""
    try:
        targets = split_targets(phase)
    except SubmissionError:
        return None
    paths: dict[str, str] = {}
    for target in targets:
        paths.setdefault(target.task.id, target.path)
    slug = phase.benchmark_id
    return Guide(
        phase=phase,
        tasks=tuple(
            _task_guide(
                phase.benchmark.spec.task(task),
                path,
                texts.get(task, ()),
                reverse("submissions:sample_file", args=[slug, phase.slug, task]),
            )
            for task, path in paths.items()
        ),
        sample_url=reverse("submissions:sample", args=[slug, phase.slug]),
        curl=(
            'curl -H "Authorization: Token $HELDOUT_TOKEN" \\\n'
            f"     -F phase={phase} -F {shlex.quote(f'system={system}')} -F file=@predictions.zip \\\n"
            f"     {settings.SITE_URL}/api/v1/submissions/"
        ),
        login=f"heldout login {settings.SITE_URL}",
        heldout=f"heldout submit predictions.zip --phase {phase} --system {shlex.quote(system)}",
    )


def _task_guide(task: TaskSpec, path: str, texts: Sequence[Texts], sample_url: str) -> TaskGuide:
    labels = task.output.labels
    few = labels if len(labels) <= _MANY_LABELS else ()
    return TaskGuide(task, path, task.output.describe(), few, tuple(texts), sample_url)


def _name_of(system: System, systems: Sequence[System]) -> str:
    """Its name where that says it all and needs no thought in a shell, else its id."""
    is_alone = Counter(one.name for one in systems)[system.name] == 1
    return system.name if is_alone and _PLAIN_NAME.fullmatch(system.name) else str(system.pk)
