"""Public downloads for breakers."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from benchmarks.downloads import packed_csv
from benchmarks.models import Task
from breaking.models import StarterData
from breaking.pairs.starter_data import StarterRefused, starter_file
from submissions.intake.pairs.minimal_pairs import layout_of_pairs, makes_pairs
from submissions.intake.pairs.pair_template import pairs_template

_TEMPLATE_ROWS = 3


@require_safe
def starter(request: HttpRequest, benchmark: str, task: str) -> HttpResponseBase:
    """The starter data of a task as a CSV file, to be saved and not shown."""
    found = StarterData.objects.filter(
        task__benchmark=benchmark, task__slug=task, task__is_retired=False
    ).first()
    if found is None:
        raise Http404("No starter data is loaded for this task.")
    name = f"{benchmark}-{task}-starter.csv"
    return packed_csv(request, bytes(found.packed), sha256=found.sha256, file_name=name)


@require_safe
def template(request: HttpRequest, benchmark: str, task: str, ending: str) -> HttpResponse:
    """A file of pairs to begin with, of sentences that are still to be changed."""
    found = get_object_or_404(Task, benchmark=benchmark, slug=task, is_retired=False)
    if not makes_pairs(found.spec) or ending != layout_of_pairs(found.spec).key:
        raise Http404("There is no such template.")
    try:
        text = pairs_template(found.spec, starter_file(found), _TEMPLATE_ROWS)
    except StarterRefused as refused:
        raise Http404(refused.sentences[0]) from None
    kind = "csv" if ending == "csv" else "tab-separated-values"
    answer = HttpResponse(text, content_type=f"text/{kind}; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{benchmark}-{task}-pairs.{ending}"'
    return answer
