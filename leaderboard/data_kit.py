"""What a data kit says about itself to machines: the files that are given now, in Croissant and RO-Crate."""

import datetime as dt

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from accounts.server.clock import database_now
from benchmarks.given_files import given_files
from benchmarks.models import Benchmark, GivenFile
from leaderboard.take_home.archive_contents import folder_facts
from leaderboard.take_home.crate import FileFacts, FolderFacts, described


@require_safe
def described_kit(request: HttpRequest, benchmark: str, name: str) -> HttpResponse:
    """One of the descriptions of a data kit. 404 where there is nothing that is given, now or later."""
    found = get_object_or_404(Benchmark.objects.seen_by(request.user), pk=benchmark)
    files = given_files(found)
    if not files:
        raise Http404("This benchmark gives no files.")
    documents = described(*kit_facts(found, files, database_now()))
    if name not in documents:
        raise Http404("A data kit has no description of this name.")
    answer = HttpResponse(documents[name], content_type="application/ld+json")
    answer["Access-Control-Allow-Origin"] = "*"
    patch_cache_control(answer, no_cache=True)
    return answer


def kit_facts(
    benchmark: Benchmark, files: list[GivenFile], now: dt.datetime
) -> tuple[FolderFacts, list[FileFacts]]:
    """The kit and its files, of which those that everybody can load at this instant; each in its newest version."""
    given = [
        (file, version)
        for file in files
        if (version := file.newest) and (file.given_at is None or file.given_at <= now)
    ]
    facts = [
        FileFacts(
            file.name,
            version.size,
            version.sha256,
            file.description,
            url=f"{settings.SITE_URL}{version.get_absolute_url()}",
            licence=file.licence,
        )
        for file, version in given
    ]
    made_at = max(
        (max(version.loaded_at, file.given_at or version.loaded_at) for file, version in given), default=now
    )
    licences = sorted({file.licence for file, _ in given if file.licence})
    folder = folder_facts(benchmark, made_at, f"{benchmark.title}: data kit", licence="; ".join(licences))
    return folder, facts
