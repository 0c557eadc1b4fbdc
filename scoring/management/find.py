"""What the arguments of a command name."""

from django.core.management.base import CommandError

from benchmarks.models import Task


def task_or_error(benchmark: str, task: str) -> Task:
    """The task of that name. CommandError, with those there are, where there is none."""
    found = Task.objects.select_related("benchmark").filter(benchmark_id=benchmark, is_retired=False)
    try:
        return found.get(slug=task)
    except Task.DoesNotExist:
        known = ", ".join(found.values_list("slug", flat=True)) or "none; run sync_benchmarks first"
        raise CommandError(f"There is no task {benchmark}/{task}. Known tasks: {known}.") from None
