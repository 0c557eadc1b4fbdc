"""Which versions of packages made the scores of a release: said where a column mixes two, or has others than before."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NotRequired, TypedDict

from benchmarks.spec import BenchmarkSpec
from catalogue.metrics.choice import metric_for
from leaderboard.models import Release, ReleaseCell
from leaderboard.reports.report import BoardPlace, ReleaseDraft, ReleaseReport, ReportPart, Slot
from scoring.disclosure.standings import Standing
from scoring.models import ScoringRun

Noted = tuple[str, str, Mapping[str, str] | None]
"""Of a score its task and split, and the versions of libraries that were noted when it was made."""


class UsedPackage(TypedDict):
    """A package whose code made scores of a set of items: how many of them each version made.

    `before` are the versions that made those of the release before, where they were others.
    """

    task: str
    split: str
    title: str
    package: str
    versions: dict[str, int]
    before: NotRequired[list[str]]


class MetricPackagesPayload(TypedDict):
    """The packages of which something is to be said, since the release of that number; 0 where there is none before."""

    since: int
    packages: list[UsedPackage]


class MetricPackages(ReleaseReport[MetricPackagesPayload]):
    """A note on the overall board and those of the tasks: scores of one column were made by two versions of a package,
    or by another version than those of the release before."""

    key = "packages"

    def make(self, draft: ReleaseDraft) -> MetricPackagesPayload | None:
        """What the release says; None where each column was made by one version, and by the same as before."""
        spec, before = draft.release.benchmark.spec, draft.before
        used = packages_behind(spec, draft.rows)
        then = _versions_of(before, used) if before is not None and used else {}
        for one in used:
            was = then.get((one["task"], one["split"], one["package"]))
            if was and was != list(one["versions"]):
                one["before"] = was
        told = [one for one in used if "before" in one or len(one["versions"]) > 1]
        return {"since": before.number if before else 0, "packages": told} if told else None

    def parts(self, stored: MetricPackagesPayload, place: BoardPlace) -> Iterator[ReportPart]:
        told = [one for one in stored["packages"] if place.is_overall or one["task"] == place.board.task]
        if told:
            said = [sentence for one in told for sentence in sentences(one, stored["since"])]
            yield ReportPart(Slot.NOTICES, "public/reports/metric_packages.html", said)


def packages_behind(spec: BenchmarkSpec, rows: Iterable[Standing]) -> list[UsedPackage]:
    """The packages that made the scores that rows stand with. No query where no metric of a task uses any."""
    names = _used_by(spec)
    places = {
        run: (answer.task.slug, answer.split.slug)
        for row in rows
        for answer in row.answers.values()
        if answer.task.slug in names
        for run in answer.run_ids.values()
    }
    if not places:
        return []
    noted = ScoringRun.objects.filter(pk__in=places).values_list("pk", "libraries")
    return used_packages(spec, ((*places[run], libraries) for run, libraries in noted))


def used_packages(spec: BenchmarkSpec, noted: Iterable[Noted]) -> list[UsedPackage]:
    """By set of items and package how many scores each version made, in the order of the tasks.

    Scores from before versions were noted say none. numpy and scipy, which every score needs, are no such packages.
    """
    names, counts = _used_by(spec), defaultdict[tuple[str, str, str], Counter[str]](Counter)
    for task, split, libraries in noted:
        for package in names.get(task, ()):
            if libraries and package in libraries:
                counts[task, split, package][libraries[package]] += 1
    order = {task.id: at for at, task in enumerate(spec.tasks)}
    return [
        {
            "task": task,
            "split": split,
            "title": f"{spec.task(task).title}, {spec.task(task).split(split).title}",
            "package": package,
            "versions": dict(sorted(versions.items())),
        }
        for (task, split, package), versions in sorted(
            counts.items(), key=lambda one: (order[one[0][0]], one[0])
        )
    ]


def sentences(used: UsedPackage, since: int = 0) -> Iterator[str]:
    """What is to be said of a package; nothing where one version made all scores, and those before too."""
    versions, package = used["versions"], used["package"]
    if len(versions) > 1:
        parts = [f"{count} with {version}" for version, count in versions.items()]
        yield (
            f"{used['title']}: scores were made by {len(versions)} versions of {package}, {_listed(parts)}, and may "
            "not be comparable."
        )
    if before := used.get("before"):
        yield (
            f"{used['title']}: scores of release {since} were made by {package} {_listed(before)}, these by "
            f"{_listed(list(versions))}."
        )


def _versions_of(release: Release, used: Iterable[UsedPackage]) -> dict[tuple[str, str, str], list[str]]:
    """The versions of these packages that made the scores of a release that is out, by task, split and package."""
    places = {(one["task"], one["split"]) for one in used}
    cells = ReleaseCell.objects.of(release).filter(task__slug__in={task for task, _ in places})
    noted = cells.values_list("task__slug", "split__slug", "score__run__libraries")
    own = [one for one in noted if one[:2] in places]
    found = used_packages(release.benchmark.spec, own)
    return {(one["task"], one["split"], one["package"]): list(one["versions"]) for one in found}


def _used_by(spec: BenchmarkSpec) -> dict[str, list[str]]:
    """Of each task the packages whose own code makes numbers of its metrics; of most tasks none."""
    used = {
        task.id: sorted(
            {name for use in task.metrics for name in metric_for(task.output, use.name).libraries}
        )
        for task in spec.tasks
    }
    return {task: names for task, names in used.items() if names}


def _listed(texts: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))
