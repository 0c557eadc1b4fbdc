"""Predictions on their way to a server: read exactly as it would read them, then sent."""

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

from rich.console import Console
from rich.progress import Progress

from benchmarks.spec import BundleRule
from client.errors import ClientError, Refused
from client.files.check_data import CheckData, for_submit
from client.files.fact_sheet import check_sheet
from client.files.packing import Upload
from client.log.keys import keep_keys
from client.log.receipts import keep_receipt
from client.server import Server
from submissions.intake import IntakeResult, read_upload
from submissions.intake.predictions.zip_directory import is_zip


class Destination(NamedTuple):
    """Where predictions go: `phase` is benchmark/phase, `system` a name or an id, `track` empty for the main one."""

    phase: str
    system: str
    task: str | None = None
    split: str | None = None
    track: str | None = None

    @property
    def benchmark(self) -> str:
        return self.phase.partition("/")[0]

    @property
    def fields(self) -> dict[str, str]:
        """What the API is told of it."""
        named = {"phase": self.phase, "system": self.system, "task": self.task, "split": self.split}
        return {name: value for name, value in {**named, "track": self.track}.items() if value}


def judged(upload: Upload, material: CheckData, task: str | None, split: str | None) -> IntakeResult:
    """What the server would say of an upload. ClientError where too little is known to tell."""
    known = {target.task.id for target in material.targets} | {task for task, _ in material.elsewhere}
    missing = [one.id for one in material.spec.tasks if one.id not in known]
    if missing and material.spec.bundle is BundleRule.COMPLETE and is_zip(upload.data):
        raise ClientError(f"The ids of {', '.join(missing)} are not known, so a whole zip cannot be checked.")
    return read_upload(
        upload.data,
        file_name=upload.file_name,
        benchmark=material.spec,
        targets=material.targets,
        task=task,
        split=split,
        elsewhere=material.elsewhere,
    )


def judged_for(
    upload: Callable[[CheckData], Upload], to: Destination, server: Server, sheet: Upload | None
) -> tuple[Upload, IntakeResult]:
    """An upload, made once it is known what is asked for, and what the server would say of it and its fact sheet."""
    material = for_submit(to.benchmark, server, to.phase.partition("/")[2])
    made = upload(material)
    result = judged(made, material, to.task, to.split)
    return made, (result.beside(check_sheet(sheet, to.benchmark, server)) if sheet else result)


def as_document(result: IntakeResult) -> dict[str, Any]:
    """What was found in an upload, for programs."""
    return {
        "ok": result.ok,
        "tasks": list(dict.fromkeys(result.tasks_fine)),
        "seeds": list(result.seeds),
        "labels_read": result.labels_read,
        "problems": [problem.as_dict() for problem in result.problems],
        "more": result.more,
        "causes": [cause.as_dict() for cause in result.causes],
    }


def post(data: bytes, send: Callable[[IO[bytes]], dict[str, Any]], console: Console) -> dict[str, Any]:
    """The answer to an upload, which is sent with a bar on the console.

    Raises
    ------
    Refused
        If the server takes nothing.
    ClientError
        If the terms are still to be accepted.
    """
    try:
        with Progress(
            console=console, transient=True, disable=not console.is_terminal or console.quiet
        ) as progress:
            bar = progress.add_task("Sending", total=len(data))
            return send(progress.wrap_file(io.BytesIO(data), task_id=bar))
    except Refused as refusal:
        if refusal.answer.get("code") == "terms_not_accepted":
            benchmark = str(refusal.answer["terms_url"]).rstrip("/").split("/")[-2]
            raise ClientError(
                f"Nothing was taken: you have yet to accept version {refusal.answer['terms_version']} of the terms. "
                f"Read them with `heldout terms {benchmark}`, accept them with `heldout terms {benchmark} --accept`, "
                "and send the file again."
            ) from None
        raise


def sent(
    upload: Upload, to: Destination, server: Server, sheet: Upload | None, console: Console
) -> dict[str, Any]:
    """What the server answers to predictions that it takes. Raises as `post`."""

    def send(file: IO[bytes]) -> dict[str, Any]:
        return server.upload("submissions/", to.fields, upload.file_name, file, sheet)

    return post(upload.data, send, console)


def kept_receipt(server: Server, answer: Mapping[str, Any]) -> Path | None:
    """Where the signed receipt of an accepted upload was stored; None where the server signs none."""
    if not answer.get("receipt"):
        return None
    keep_keys(server.url, server.log_keys())
    return keep_receipt(answer["id"], answer["receipt"])


def status_of(server: Server, submission: str) -> dict[str, Any]:
    """What has become of a submission, as the API tells it. ClientError where that is no id."""
    if not submission.replace("-", "").isalnum():
        raise ClientError(f"{submission!r} is no submission's id. `heldout status` lists yours.")
    return server.get(f"submissions/{submission}/")
