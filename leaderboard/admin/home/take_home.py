"""Take home: what there is to take away, as files."""

from dataclasses import dataclass

from accounts.formats.instants import in_words
from leaderboard.admin.home.acts import Act, HomeLinks
from leaderboard.models import Release
from leaderboard.take_home.made_archives import ordered_archive


@dataclass(frozen=True, slots=True)
class TakeHome:
    """Files with a sentence on what is in each."""

    lines: tuple[Act, ...]


def take_home(links: HomeLinks) -> TakeHome:
    """Everything as one zip, the definition, and the tables of the newest release where there is one."""
    benchmark = links.benchmark
    lines = [
        *links.button(
            "take_home",
            "Make the archive…",
            "Everything, as one zip",
            "Scores and standings with all digits, submissions with predictions, people, fact sheets and items; made "
            "by a worker.",
        ),
        *_archive(links),
        *links.button(
            "export_definition",
            "Download",
            "The definition",
            "One YAML file with tasks, metrics, phases and terms, from which the benchmark can be set up elsewhere.",
        ),
    ]
    newest = Release.objects.of(benchmark.pk).first()
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


def _archive(links: HomeLinks) -> tuple[Act, ...]:
    order = ordered_archive(links.benchmark)
    if order is None:
        return ()
    if order.made_at is None:
        waits = order.said or f"Ordered on {in_words(order.asked_at)}; a worker has yet to make it."
        return links.button("take_home", "Order it anew…", "The archive", waits)
    made = f"Made on {in_words(order.made_at)}; kept for a day."
    return links.button("fetch_home", "Download…", "The archive", made)
