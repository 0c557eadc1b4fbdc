"""Sample submissions that are taken as they are: made from public ids and declared labels, never from gold labels."""

import io
import zipfile
from hashlib import sha256

from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from accounts.server.clock import database_now
from benchmarks.models import Benchmark, Phase
from submissions.exceptions import SubmissionError
from submissions.intake import SplitTarget
from submissions.intake.predictions.file_writer import STAR, sample_files, zip_of
from submissions.intake.predictions.seeds import folder_of
from submissions.uploads.expected_splits import split_targets

_KEPT_SECONDS = 3600


def sample_zip(phase: Phase) -> tuple[bytes, str]:
    """A zip that the phase would take, and the digest of what it depends on.

    It is kept for an hour, because whoever asks is anybody.

    Raises
    ------
    WrongPhase, PhaseNotReady
    """
    targets, spec = split_targets(phase), phase.benchmark.spec
    parts = [phase.benchmark.definition_sha256, *(f"{one.path}\n{one.ids.sha256}" for one in targets)]
    digest = sha256("\n".join(parts).encode()).hexdigest()
    key = f"sample:{phase.pk}:{digest}"
    cache = caches["samples"]
    found = cache.get(key)
    if found is None:
        found = zip_of(sample_files(targets, seeds=spec.seeds))
        cache.set(key, found, _KEPT_SECONDS)
    return found, digest


def sample_file(phase: Phase, task: str) -> tuple[str, bytes, str]:
    """The file of that zip that answers a task: what to call it when it is sent alone, itself, and the digest.

    It is that of the first split that the phase takes, with several seeds that of the first.

    Raises
    ------
    WrongPhase, PhaseNotReady
    LookupError
        If the phase takes nothing for such a task.
    """
    target = next((one for one in split_targets(phase) if one.task.id == task), None)
    if target is None:
        raise LookupError(f"The phase {phase.title} takes no predictions for a task {task}.")
    data, digest = sample_zip(phase)
    path = target.path.replace("*", STAR)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        folder = folder_of(1) if phase.benchmark.spec.seeds > 1 else ""
        return name_alone(target), archive.read(folder + path), digest


def name_alone(target: SplitTarget) -> str:
    """What a file may be called when it is sent alone, so that its name says what it answers."""
    is_first = target.split == target.task.splits[0].id
    if is_first and target.task.file.layout.task_ending:
        return target.task.id + target.task.file.layout.task_ending
    return target.path.replace("*", STAR).rpartition("/")[2]


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
    try:
        found = Phase.objects.filter(benchmark__in=Benchmark.objects.ready()).named(f"{benchmark}/{phase}")
    except Phase.DoesNotExist:
        raise Http404("There is no such phase.") from None
    if not found.taking().places.isdisjoint(Phase.objects.withheld(benchmark, database_now())):
        raise Http404("The ids of this phase are given when it opens.")
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
