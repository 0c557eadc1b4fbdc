"""The command `heldout fix`: slips of writing in predictions are mended where they have one meaning only."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from catalogue.problems import counted
from client import show
from client.errors import ClientError
from client.files.check_data import for_check
from client.files.packing import read_upload_at
from client.login import load
from client.reporting import Document, Failed, out
from client.server import Server
from submissions.intake.predictions.repair import Repair, repaired


def fix(
    path: Annotated[Path, typer.Argument(help="A folder, a zip, or one task's CSV file.")],
    benchmark: Annotated[str, typer.Option(help="Such as raft.")],
    ids: Annotated[
        Path | None, typer.Option(help="A folder of <task>.txt files with one id a line, or a JSON file.")
    ] = None,
    task: Annotated[str | None, typer.Option(help="What a single file answers.")] = None,
    split: Annotated[str | None, typer.Option(help="Which split of the task a single file answers.")] = None,
    folder: Annotated[Path, typer.Option(help="Where the repaired file goes.")] = Path("repaired"),
) -> Document:
    """Mend what can be meant in one way only, and show the difference. Nothing is sent, and your file stays."""
    known = load()
    material = for_check(benchmark, ids=ids, server=Server(known) if known.url else None)
    upload = read_upload_at(path)
    repair = repaired(
        upload.data,
        file_name=upload.file_name,
        benchmark=material.spec,
        targets=material.targets,
        task=task,
        split=split,
        elsewhere=material.elsewhere,
    )
    if repair is None:
        show.line(out, f"There is nothing to mend, or not in one way only. See: heldout check {path}")
        raise Failed({"repaired": None})
    show_difference(out, repair)
    target = _write(folder / repair.file_name, repair.data)
    show.line(out, f"Repaired: {target}. Look at it, then submit it.")
    changed = [
        {"file": one.name_before, "renamed_to": one.name_after, "line_count": one.line_count}
        for one in repair.changes
    ]
    return {"repaired": str(target), "changes": changed, "numbered": repair.numbered}


def show_difference(console: Console, repair: Repair) -> None:
    """The names and the first lines that differ, before and after."""
    for change in repair.changes:
        renamed = f" -> {change.name_after}" if change.name_after != change.name_before else ""
        show.line(console, f"{change.name_before}{renamed}: {counted(change.line_count, 'line')}")
        for pair in change.pairs:
            show.line(console, f"  {pair.line} - {pair.before}")
            show.line(console, f"  {pair.line} + {pair.after}")
    for task, labels in repair.numbered.items():
        meant = ", ".join(f"{number} is {label}" for number, label in labels)
        show.line(console, f"{task}: numbers were read in the order of its labels: {meant}.")


def _write(path: Path, data: bytes) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(data)
    except FileExistsError:
        raise ClientError(f"{path} is there already. Give another folder with --folder.") from None
    except OSError as error:
        raise ClientError(f"{path} cannot be written: {error}.") from None
    return path
