"""Take home: what there is to take away, as files."""

from collections.abc import Iterator
from dataclasses import dataclass

from accounts.formats.instants import in_words
from benchmarks.models import Benchmark
from leaderboard.admin.home.acts import Act, button_of
from leaderboard.admin.take_home import ready_archive
from leaderboard.models import Release


@dataclass(frozen=True, slots=True)
class TakeHome:
    """Files with a sentence on what is in each."""

    lines: tuple[Act, ...]


def take_home(benchmark: Benchmark) -> TakeHome:
    """Everything as one zip, the definition, and the tables of the newest release where there is one."""
    lines = [
        Act(
            "Make the archive…",
            button_of(benchmark, "take_home"),
            "Everything, as one zip",
            "Scores and standings with all digits, submissions with predictions, people, fact sheets and items; made "
            "by a worker.",
        ),
        *_archive(benchmark),
        Act(
            "Load",
            button_of(benchmark, "export_definition"),
            "The definition",
            "One YAML file with tasks, metrics, phases and terms, from which the benchmark can be set up elsewhere.",
        ),
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


def _archive(benchmark: Benchmark) -> Iterator[Act]:
    order = ready_archive(benchmark)
    if order and order.made_at:
        url = button_of(benchmark, "fetch_home")
        yield Act("Download…", url, "The archive", f"Made on {in_words(order.made_at)}; kept for a day.")
