"""Take home: what there is to take away, as files."""

from dataclasses import dataclass

from benchmarks.models import Benchmark
from leaderboard.admin.home.acts import Act, button_of
from leaderboard.models import Release


@dataclass(frozen=True, slots=True)
class TakeHome:
    """Files with a sentence on what is in each."""

    lines: tuple[Act, ...]


def take_home(benchmark: Benchmark) -> TakeHome:
    """The definition, and the tables of the newest release where there is one."""
    lines = [
        Act(
            "Load",
            button_of(benchmark, "export_definition"),
            "The definition",
            "One YAML file with tasks, metrics, phases and terms, from which the benchmark can be set up elsewhere.",
        )
    ]
    newest = Release.objects.of(benchmark.pk).defer("boards", "reports").first()
    if newest:
        lines.append(
            Act(
                "Open",
                f"/benchmarks/{benchmark.pk}/releases/{newest.number}/",
                f"Tables of release {newest.number}",
                "Every board as CSV, JSON and LaTeX, with how to cite it.",
            )
        )
    return TakeHome(tuple(lines))
