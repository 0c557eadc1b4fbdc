"""Definitions that organisers make or edit in the admin: read, held against what is there, and synced."""

import datetime as dt
import json
from typing import Any

import yaml
from django.db import transaction

from accounts.models import User
from benchmarks.models import Benchmark
from benchmarks.notices.pages import as_parts
from benchmarks.notices.services import current_terms
from benchmarks.services import SyncReport, sync_benchmark
from benchmarks.spec import BenchmarkSpec
from benchmarks.spec.document import DefinitionError, parse_yaml
from benchmarks.spec.loader import build_spec
from scoring.definitions.beginnings import CannotBegin, begin_row

MAX_BYTES = 256 * 1024  # the longest that comes with the project has an eighth of it; reading takes a second
_LONGEST_TITLE = 120


def spec_of(document: dict[str, Any], file_name: str) -> BenchmarkSpec:
    """The specification that a document gives on this server. DefinitionError with one line per mistake."""
    _refuse_what_cannot_be_kept(document, file_name)
    spec = build_spec(document, file_name)
    titles = [("title", spec.title)]
    for name in ("tasks", "phases", "attacks", "fact_lists"):
        titles += [(f"{name}[{part.id}].title", part.title) for part in getattr(spec, name)]
    long = [key for key, title in titles if len(title) > _LONGEST_TITLE]
    if long:
        raise DefinitionError(
            [f"{file_name}: {key}: expected at most {_LONGEST_TITLE} characters" for key in long]
        )
    return spec


def as_yaml(benchmark: Benchmark) -> str:
    """The definition as a file, with the terms and pages that stand; reading it gives the same definition."""
    terms, pages = current_terms(benchmark), as_parts(benchmark)
    document = {key: value for key, value in benchmark.definition.document.items() if key != "pages"}
    return yaml.safe_dump(
        document | ({"terms": terms.text} if terms else {}) | ({"pages": pages} if pages else {}),
        sort_keys=False,
        allow_unicode=True,
        width=100,
    )


def read_edited(benchmark: Benchmark, data: bytes, file_name: str) -> dict[str, Any]:
    """The document of an edited definition of this benchmark. DefinitionError with one line per mistake."""
    document, spec = read_definition(data, file_name)
    if spec.id != benchmark.pk:
        raise DefinitionError(
            [f"{file_name}: id: expected {benchmark.pk!r}, whose page this is, found {spec.id!r}"]
        )
    return document


def read_definition(data: bytes, file_name: str) -> tuple[dict[str, Any], BenchmarkSpec]:
    """The document of a file and what it gives here. DefinitionError with one line per mistake."""
    if len(data) > MAX_BYTES:
        raise DefinitionError([f"{file_name}: a definition has at most {MAX_BYTES >> 10} KB."])
    try:
        document = parse_yaml(data.decode("utf-8-sig"), file_name)
        spec = spec_of(document, file_name)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DefinitionError(
            [f"{file_name}, line {line}: this is not UTF-8. Save the file as UTF-8."]
        ) from None
    except (RecursionError, TypeError, AttributeError):  # keys that are lists, endless nesting
        raise DefinitionError(
            [
                f"{file_name}: a key is a list or mapping, or nests too deep; expected what an export looks like."
            ]
        ) from None
    return document, spec


@transaction.atomic
def begin_benchmark(
    document: dict[str, Any],
    *,
    file_name: str,
    user: User | None,
    now: dt.datetime,
    is_draft: bool = False,
) -> Benchmark:
    """A new benchmark from its definition, which belongs to whoever made it. DefinitionError if its id is taken."""
    spec = spec_of(document, file_name)
    refuse_taken_id(spec, file_name)
    try:
        benchmark = begin_row(spec, document, user, is_draft=is_draft)
    except CannotBegin as error:
        raise DefinitionError([f"{file_name}: {error}"]) from None
    sync_benchmark(spec=spec, document=document, position=benchmark.position, now=now)
    benchmark.refresh_from_db()
    return benchmark


def refuse_taken_id(spec: BenchmarkSpec, file_name: str) -> None:
    if Benchmark.objects.filter(pk=spec.id).exists():
        raise DefinitionError([f"{file_name}: id: a benchmark has the id {spec.id} already; choose another"])


def what_would_change(benchmark: Benchmark, document: dict[str, Any], now: dt.datetime) -> SyncReport:
    """What importing the document would do, without doing it."""
    with transaction.atomic():
        report = import_edited(benchmark, document, now)
        transaction.set_rollback(True)
    return report


@transaction.atomic
def import_edited(benchmark: Benchmark, document: dict[str, Any], now: dt.datetime) -> SyncReport:
    """Sync the benchmark, as whoever edits it has seen it, from an edited document of its own.

    Raises
    ------
    DefinitionError
        With one line per mistake; or where somebody else has changed the definition meanwhile, which this would undo.
    """
    current = Benchmark.objects.select_for_update().get(pk=benchmark.pk)
    if current.definition_sha256 != benchmark.definition_sha256:
        raise DefinitionError(
            [f"{benchmark.pk}: somebody has changed it at this very moment. Nothing was changed; look again."]
        )
    return sync_benchmark(
        spec=spec_of(document, benchmark.pk), document=document, position=benchmark.position, now=now
    )


def _refuse_what_cannot_be_kept(document: dict[str, Any], file_name: str) -> None:
    """Dates, NUL and numbers without end have no place in the database."""
    try:
        text = json.dumps(document, allow_nan=False)
    except (TypeError, ValueError):
        raise DefinitionError([f"{file_name}: holds a number that is not finite, such as .inf"]) from None
    if "\\u0000" in text:
        raise DefinitionError([f"{file_name}: holds a NUL character; remove it"])
