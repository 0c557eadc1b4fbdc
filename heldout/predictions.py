"""Predictions that stand on disk or in memory: checked, and sent."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console

from client.files.check_data import CheckData, for_check
from client.files.packing import Upload, read_upload_at
from client.files.tables import upload_of
from client.login import load
from client.server import Server
from client.uploads import Destination, judged, judged_for, kept_receipt, sent
from heldout.results import CheckResult, NotAccepted, SubmissionReceipt
from heldout.session import server


def check(
    predictions: Any,
    *,
    benchmark: str,
    task: str | None = None,
    split: str | None = None,
    phase: str | None = None,
    ids: str | Path | None = None,
) -> CheckResult:
    """Read predictions exactly as the server would. Nothing is sent.

    Parameters
    ----------
    predictions
        The path of a folder, a zip or one task's file; or a mapping from task to its answers, which are a mapping from
        item id to label, or a data frame with the columns of the task's file; or the answers of `task` alone. Where
        several seeds are asked for, a mapping from seed (1, 2, ...) to such a mapping.
    benchmark
        Its name, such as "raft".
    task, split
        What answers are for that do not say so themselves; without a split the test set.
    phase
        Check for this phase alone.
    ids
        A folder of <task>.txt files with one id a line; without it ids are fetched from the server, once.

    Raises
    ------
    ClientError
        If there is nothing to check, or too little is known to do it.
    """
    known = load()
    material = for_check(
        benchmark,
        ids=Path(ids) if ids is not None else None,
        server=Server(known) if known.url else None,
        phase=phase.rpartition("/")[2] if phase else None,
    )
    upload = _upload(predictions, material, task, split)
    return CheckResult.of(judged(upload, material, *_named(predictions, task, split)))


def submit(
    predictions: Any,
    *,
    phase: str,
    system: str,
    task: str | None = None,
    split: str | None = None,
    track: str | None = None,
    fact_sheet: str | Path | Mapping[str, Any] | None = None,
    progress: bool = True,
) -> SubmissionReceipt:
    """Check predictions, and send them if nothing is wrong with them.

    Parameters
    ----------
    predictions, task, split
        As for `check`.
    phase
        benchmark/phase, such as "raft/main".
    system
        The name or the id of one of your systems.
    track
        Which part of the training data the system has seen, where there are tracks.
    fact_sheet
        What the system is made of, where that is asked: a JSON file, or what stands in one.
    progress
        Whether a bar is shown while the file is sent.

    Raises
    ------
    NotAccepted
        If there are problems. Nothing was sent.
    Refused
        If the server takes nothing for another reason: a closed phase, a quota that is used up, terms.
    ClientError
        If the server cannot be reached, or knows none of what was named.
    """
    its_server = server()
    to = Destination(phase, system, *_named(predictions, task, split), track)
    sheet = _sheet(fact_sheet)
    upload, found = judged_for(
        lambda material: _upload(predictions, material, task, split), to, its_server, sheet
    )
    if not found.ok:
        raise NotAccepted(CheckResult.of(found))
    console = Console(stderr=True, quiet=not progress)
    answer = sent(upload, to, its_server, sheet, console)
    return SubmissionReceipt.of(answer, kept_receipt(its_server, answer))


def _upload(predictions: Any, material: CheckData, task: str | None, split: str | None) -> Upload:
    if isinstance(predictions, str | Path):
        return read_upload_at(Path(predictions))
    return upload_of(predictions, material, task=task, split=split)


def _named(predictions: Any, task: str | None, split: str | None) -> tuple[str | None, str | None]:
    """What a file is told to answer: a zip that was made from memory names all by itself."""
    return (task, split) if task or isinstance(predictions, str | Path) else (None, None)


def _sheet(given: str | Path | Mapping[str, Any] | None) -> Upload | None:
    if given is None:
        return None
    if isinstance(given, Mapping):
        return Upload("fact_sheet.json", json.dumps(given).encode())
    return read_upload_at(Path(given), one_file="A fact sheet is one JSON file.")
