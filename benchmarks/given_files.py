"""What organisers give to everybody is loaded here, version by version."""

import datetime as dt
import zlib
from hashlib import sha256

from django.db import transaction

from benchmarks.models import Benchmark, GivenBytes, GivenFile, GivenVersion
from benchmarks.notices.markdown import Surroundings
from benchmarks.notices.pages import standing_pages
from benchmarks.services import mark_stale


class CannotGive(Exception):
    """The bytes are no new version; the message says why."""


@transaction.atomic
def load_given_file(*, given_file: GivenFile, data: bytes, now: dt.datetime) -> GivenVersion:
    """Make these bytes the newest version of a file, which everybody may load from its instant on.

    Raises
    ------
    CannotGive
        If there are none, or they are those of the newest version already.
    """
    GivenFile.objects.select_for_update().get(pk=given_file.pk)
    if not data:
        raise CannotGive("The file is empty. Please choose another one.")
    newest = GivenVersion.objects.filter(file=given_file).first()
    digest = sha256(data).hexdigest()
    if newest is not None and newest.sha256 == digest:
        raise CannotGive(f"These are the bytes of version {newest.number}, which is given already.")
    version = GivenVersion.objects.create(
        file=given_file,
        number=newest.number + 1 if newest else 1,
        loaded_at=now,
        size=len(data),
        sha256=digest,
    )
    GivenBytes.objects.create(version=version, packed=zlib.compress(data))
    mark_stale(given_file.benchmark_id)
    return version


def given_files(benchmark: Benchmark) -> list[GivenFile]:
    """The files of a benchmark by when they are given, each with its versions."""
    return list(benchmark.given_files.prefetch_related("versions"))


def surroundings(benchmark: Benchmark) -> Surroundings:
    """What a page about a benchmark can link to by name: its other pages, and the files that are given with it."""
    return Surroundings(
        pages={version.page.slug: version.page.get_absolute_url() for version in standing_pages(benchmark)},
        files={file.name: file.get_absolute_url() for file in given_files(benchmark)},
    )
