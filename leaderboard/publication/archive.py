"""The permanent pages of a release, drawn from what it has frozen, whatever its benchmark has become since.

The predictions behind it are among them where they are public: they bear names, which may be removed or shown later.
"""

import csv
import datetime as dt
import io
import json
import zipfile
from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks.models import Split
from leaderboard.board.model.board import Board
from leaderboard.models import Page, Release, ReleaseCell
from leaderboard.pages.benchmark_pages import render_release
from leaderboard.pages.board_pages import predictions_path
from leaderboard.pages.rendered_release import print_release
from leaderboard.pages.score_cards import provenance_pages
from leaderboard.rendering.public_names import Naming, naming
from leaderboard.rendering.rendered_page import RenderedPage
from leaderboard.reports.definition import defined_as
from scoring.models import Score
from submissions.models import Submission
from submissions.uploads.expected_splits import item_ids

MANIFEST = "predictions.json"
ZIP_TYPE = "application/zip"
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # the same predictions give the same bytes


def archive_pages(key: int, known: Sequence[Board] | None = None) -> list[RenderedPage]:
    """All permanent pages of the release with that primary key, by the definition of its time.

    `known` are the `heads` of the benchmark's releases, where they are at hand.
    """
    release = Release.objects.whole().select_related("phase", "benchmark__definition").get(pk=key)
    defined_as(release.benchmark, release.reports)
    earlier = None if known is None else [board for board in known if board.release < release.number]
    printed = print_release(release, earlier=earlier)
    path = predictions_path(release.benchmark_id, release.number)
    are_public = Page.objects.filter(pk=path).exists()
    predictions = [predictions_page(release)] if are_public else []
    return [*render_release(printed), *provenance_pages(printed), *predictions]


def predictions_page(release: Release) -> RenderedPage:
    """The zip: a table `id,label` for each answer of the release, and a list of them with their exact scores."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        files = []
        for number, (cell, about) in enumerate(_answers(release), start=1):
            name = f"{cell.task.slug}/{cell.split.slug}/{number}.csv"
            archive.writestr(zipfile.ZipInfo(name, _FIRST_DAY), _table(cell), zipfile.ZIP_DEFLATED)
            files.append(about | {"file": name})
        manifest = {
            "benchmark": release.benchmark_id,
            "release": release.number,
            "definition": release.reports["definition"]["document"],
            "files": files,
            "removed": [
                {"submission": str(pk), "removed_at": at.isoformat(), "reason": reason}
                for pk, at, reason in _removed(release)
            ],
        }
        text = json.dumps(manifest, ensure_ascii=False, allow_nan=False, indent=1)
        archive.writestr(zipfile.ZipInfo(MANIFEST, _FIRST_DAY), text, zipfile.ZIP_DEFLATED)
    return RenderedPage(predictions_path(release.benchmark_id, release.number), ZIP_TYPE, buffer.getvalue())


def _answers(release: Release) -> list[tuple[ReleaseCell, dict[str, Any]]]:
    """The cells whose predictions are kept, each with what is said of it.

    Anonymous systems stand by their numbers: the order of the cells is that in which their submissions were scored.
    """
    names = naming(release.benchmark)
    answers = [(cell, _about(cell, names)) for cell in _cells(release)]
    if names.names is not None:
        answers.sort(key=lambda answer: (len(answer[1]["system"]), answer[1]["system"]))
    return answers


def _cells(release: Release) -> Iterable[ReleaseCell]:
    related = ("submission", "system__team", "task__benchmark", "split", "score__run__predictions__codes")
    kept = ReleaseCell.objects.of(release).filter(submission__file_removed_at=None)
    return kept.select_related(*related, "score__run__gold_version").order_by("place")


def _removed(release: Release) -> Iterable[tuple[Any, dt.datetime, str]]:
    """Submissions of the release whose files are gone: the id, since when and why."""
    standing = ReleaseCell.objects.of(release).values("submission")
    gone = Submission.objects.filter(pk__in=standing, file_removed_at__isnull=False)
    return gone.order_by("pk").values_list("pk", "file_removed_at", "file_removed_because")


def _about(cell: ReleaseCell, names: Naming) -> dict[str, Any]:
    """What is said of one file: whose it is, as pages name it, and its scores."""
    run = cell.score.run
    said = {
        "system": cell.system.name,
        "system_id": str(cell.system.pk),
        "team": cell.system.team.name,
        "submission": str(cell.submission_id),
    }
    scores = Score.objects.filter(run=run).order_by("metric").values_list("metric", "value")
    return {
        **names.report(said),
        "task": cell.task.slug,
        "split": cell.split.slug,
        "track": cell.track,
        "seed": cell.seed,
        "part": run.part,
        "gold_version": run.gold_version.number,
        "scores": dict(scores),
    }


def _table(cell: ReleaseCell) -> bytes:
    split: Split = cell.split.as_of(cell.score.run.gold_version.number)
    output = cell.task.spec.output
    buffer = io.StringIO(newline="")
    rows = csv.writer(buffer, lineterminator="\n")
    rows.writerow(("id", "label"))
    ids = item_ids(split.pk, split.ids_sha256).ids
    rows.writerows(zip(ids, output.texts(cell.score.run.predictions.canonical().codes), strict=True))
    return buffer.getvalue().encode()
