"""Public downloads of what is evaluated."""

from django.http import Http404, HttpRequest, HttpResponseBase
from django.views.decorators.http import require_safe

from benchmarks.downloads import packed_csv
from benchmarks.models import Texts


@require_safe
def texts(request: HttpRequest, benchmark: str, task: str, split: str) -> HttpResponseBase:
    """The texts of a split as a CSV file, to be saved and not shown."""
    found = Texts.objects.filter(
        split__slug=split,
        split__task__slug=task,
        split__task__benchmark=benchmark,
        split__task__is_retired=False,
    ).first()
    if found is None:
        raise Http404("No texts are loaded for this split.")
    name = f"{benchmark}-{task}-{split}.csv"
    return packed_csv(request, bytes(found.packed), sha256=found.sha256, file_name=name)
