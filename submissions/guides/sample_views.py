"""Downloads of sample submissions, for everybody."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from benchmarks.models import Benchmark, Phase
from submissions.exceptions import SubmissionError
from submissions.guides.samples import sample_file, sample_zip


@require_safe
def whole(request: HttpRequest, benchmark: str, phase: str) -> HttpResponse:
    """A zip that the phase takes as it is."""
    found = _phase(benchmark, phase)
    try:
        data, digest = sample_zip(found)
    except SubmissionError as error:
        raise Http404(str(error)) from None
    return _download(request, f"{benchmark}-{phase}-sample.zip", data, digest, "application/zip")


@require_safe
def of_task(request: HttpRequest, benchmark: str, phase: str, task: str) -> HttpResponse:
    """One task's file, which the phase takes alone as it is."""
    found = _phase(benchmark, phase)
    try:
        name, data, digest = sample_file(found, task)
    except (SubmissionError, LookupError) as error:
        raise Http404(str(error)) from None
    return _download(request, name, data, f"{digest}-{task}", "application/octet-stream")


def _phase(benchmark: str, phase: str) -> Phase:
    phases = Phase.objects.filter(benchmark__in=Benchmark.objects.ready()).select_related("benchmark")
    found: Phase = get_object_or_404(phases, benchmark=benchmark, slug=phase)
    return found


def _download(request: HttpRequest, name: str, data: bytes, digest: str, kind: str) -> HttpResponse:
    """A file to be saved and not shown; 304 for whoever has it already."""
    etag = f'"{digest}"'
    answer: HttpResponse
    if etag in request.headers.get("If-None-Match", ""):
        answer = HttpResponseNotModified()
    else:
        answer = HttpResponse(data, content_type=kind)
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
        answer["X-Content-Type-Options"] = "nosniff"
    answer["ETag"] = etag
    patch_cache_control(answer, public=True, no_cache=True)
    return answer
