"""The commands. Exit status: 0 fine, 1 the predictions have problems, 2 the command could not do its work."""

import io
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from benchmarks.spec import BundleRule
from client import show
from client.errors import ClientError, Refused
from client.files.check_data import TEST, CheckData, for_check, for_submit
from client.files.fact_sheet import check_sheet
from client.files.fixing import fix
from client.files.packing import Upload, read_upload_at
from client.files.pairs import check_pairs
from client.files.texts import fetch_texts
from client.log.keys import keep_keys
from client.log.receipts import keep_receipt
from client.login import Login, checked_url, load, store
from client.proofs import audit, receipt, seal, verify
from client.server import Server
from submissions.intake import IntakeResult, read_upload
from submissions.intake.predictions.zip_directory import is_zip

WAIT_SECONDS = 30
UNFINISHED = ("accepted", "scoring", "scored")

out, err = Console(), Console(stderr=True)


class Commands(typer.core.TyperGroup):
    """Says why a command could not do its work, instead of showing a traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except ClientError as error:
            show.line(err, f"Error: {error}")
        except (LookupError, TypeError, ValueError) as error:
            # An answer without what this program looks for: an older or a newer server, or none of ours.
            show.line(err, f"Error: the answer could not be read ({error!r}). Is this program up to date?")
        raise typer.Exit(2)


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Check predictions on your own machine, submit them to a Heldout server, and follow them.",
)

PathArgument = Annotated[Path, typer.Argument(help="A folder, a zip, or one task's CSV file.")]
TaskOption = Annotated[
    str | None, typer.Option(help="What a single file answers, if its name does not say so.")
]
SplitOption = Annotated[
    str | None, typer.Option(help="Which split of the task a single file answers, such as spelling.")
]

KeyOption = Annotated[
    str | None,
    typer.Option(help="The public key, name+hash+base64; without it, those of servers met before."),
]


@app.command()
def login(
    url: Annotated[str, typer.Argument(help="The server, such as https://heldout.example.org.")],
    email: Annotated[str, typer.Option(prompt="E-mail address")],
    password: Annotated[str, typer.Option(prompt=True, hide_input=True, help="Better left to be asked for.")],
) -> None:
    """Exchange your password for a token and store the token, readable by you alone."""
    url = checked_url(url)
    token = Server(Login(url)).sign_in(email, password)
    show.line(out, f"Signed in. The token is stored in {store(Login(url, token))}.")


@app.command()
def check(
    path: PathArgument,
    benchmark: Annotated[str, typer.Option(help="Such as raft.")],
    ids: Annotated[
        Path | None, typer.Option(help="A folder of <task>.txt files with one id a line, or a JSON file.")
    ] = None,
    task: TaskOption = None,
    split: SplitOption = None,
    phase: Annotated[
        str | None, typer.Option(help="Check for this phase alone, such as score; else for all of them.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Read predictions exactly as the server would. Nothing is sent."""
    known = load()
    server = Server(known) if known.url else None
    named = phase.rpartition("/")[2] if phase else None
    material = for_check(benchmark, ids=ids, server=server, phase=named)
    result = _read(read_upload_at(path), material, task, split)
    if as_json:
        typer.echo(
            json.dumps(
                {
                    "ok": result.ok,
                    "tasks": list(dict.fromkeys(result.tasks_fine)),
                    "seeds": list(result.seeds),
                    "labels_read": result.labels_read,
                    "problems": [problem.as_dict() for problem in result.problems],
                    "more": result.more,
                    "causes": [cause.as_dict() for cause in result.causes],
                },
                ensure_ascii=False,
                indent=2,
            )
        )
    elif result.ok:
        show.show_fine(out, result)
    _exit_if_bad(result, silent=as_json)


@app.command()
def submit(
    path: PathArgument,
    phase: Annotated[str, typer.Option(help="benchmark/phase, such as raft/main.")],
    system: Annotated[str, typer.Option(help="The name or the id of one of your systems.")],
    task: TaskOption = None,
    split: SplitOption = None,
    track: Annotated[
        str | None,
        typer.Option(help="Which part of the training data the system has seen, where there are tracks."),
    ] = None,
    fact_sheet: Annotated[
        Path | None,
        typer.Option(help="A JSON file: what the system is made of, where that is asked."),
    ] = None,
    wait: Annotated[bool, typer.Option(help="Stay until it is published or has failed.")] = False,
) -> None:
    """Check predictions, then send them."""
    server = Server(load())
    benchmark = phase.partition("/")[0]
    upload = read_upload_at(path)
    sheet = read_upload_at(fact_sheet, one_file="A fact sheet is one JSON file.") if fact_sheet else None
    result = _read(upload, for_submit(benchmark, server, phase.partition("/")[2]), task, split)
    if sheet:
        result = result.beside(check_sheet(sheet, benchmark, server))
    _exit_if_bad(result)
    named = {"task": task, "split": split, "track": track}
    fields = {"phase": phase, "system": system, **{name: value for name, value in named.items() if value}}
    answer = _send(upload, lambda file: server.upload("submissions/", fields, upload.file_name, file, sheet))
    show.show_receipt(out, answer)
    if answer.get("receipt"):
        keep_keys(server.url, server.log_keys())
        kept = keep_receipt(answer["id"], answer["receipt"])
        show.line(out, f"The signed receipt is in {kept}; check it with: heldout receipt {kept}")
    if not wait:
        return
    current = _status_of(server, answer["id"])
    while current["status"] in UNFINISHED:
        time.sleep(WAIT_SECONDS)
        current = _status_of(server, answer["id"])
    show.show_status(out, current)
    if current["status"] != "published":
        raise typer.Exit(1)


@app.command()
def pairs(
    path: Annotated[Path, typer.Argument(help="One task's file of minimal pairs, CSV or TSV.")],
    phase: Annotated[str, typer.Option(help="benchmark/phase, such as bibi/break.")],
    task: Annotated[str, typer.Option(help="The task that the pairs are for.")],
    team: Annotated[str | None, typer.Option(help="The name or the id of one of your teams.")] = None,
    check_only: Annotated[bool, typer.Option("--check-only", help="Check the file; send nothing.")] = False,
) -> None:
    """Check minimal pairs against the starter data, then hand them in."""
    if team is None and not check_only:
        raise ClientError("Whose pairs are they? Give --team, or --check-only.")
    server = Server(load())
    upload = read_upload_at(path, one_file="Pairs are handed in as one file for each task.")
    read = check_pairs(upload, phase.partition("/")[0], task, server)
    if read.content is None:
        show.show_problems(err, [problem.as_dict() for problem in read.problems], read.more)
        raise typer.Exit(1)
    count = len(read.content)
    if team is None or check_only:
        show.line(out, f"No problem found: {count:,} pair{'' if count == 1 else 's'}. Nothing was sent.")
        return
    fields = {"phase": phase, "task": task, "team": team}
    answer = _send(upload, lambda file: server.upload("pairs/", fields, upload.file_name, file))
    show.show_pairs_receipt(out, answer)


@app.command()
def status(
    submission: Annotated[str | None, typer.Argument(help="A submission's id; all without it.")] = None,
) -> None:
    """Say what has become of a submission and what happens next."""
    server = Server(load())
    if submission is None:
        show.show_submissions(out, server.get("submissions/", limit="20")["results"])
    else:
        show.show_status(out, _status_of(server, submission))


@app.command()
def benchmarks() -> None:
    """List the server's benchmarks and their phases."""
    server = Server(load())
    for benchmark in server.get("benchmarks/")["results"]:
        show.line(out, f"{benchmark['id']}: {benchmark['summary']}")
        for phase in server.get(f"benchmarks/{benchmark['id']}/")["phases"]:
            show.line(out, f"  {phase['name']}: {_state(phase)}")


@app.command()
def ids(benchmark: Annotated[str, typer.Option(help="Such as raft.")]) -> None:
    """Fetch the ids of all tasks anew, so that checks work without the network."""
    material = for_submit(benchmark, Server(load()))
    for target in material.targets:
        named = target.task.id if target.split == TEST else f"{target.task.id}, {target.split}"
        show.line(out, f"{named}: {len(target.ids):,} ids")


@app.command()
def texts(
    benchmark: Annotated[str, typer.Option(help="Such as stance.")],
    folder: Annotated[Path, typer.Option(help="Where files go, as <split>/<task>.csv.")] = Path("texts"),
) -> None:
    """Download the texts of the test items and of the attack sets, as far as the organisers give them."""
    saved = list(fetch_texts(benchmark, folder, Server(load())))
    for one in saved:
        kept = "" if one.is_new else ", was here already"
        show.line(out, f"{one.path}: {one.item_count:,} items{kept}")
    if not saved:
        show.line(out, f"There are no texts of {benchmark} on this server.")


app.command()(fix)

for proof in (verify, receipt, audit, seal):
    app.command()(proof)


@app.command()
def terms(
    benchmark: Annotated[str, typer.Argument(help="Such as raft.")],
    accept: Annotated[bool, typer.Option("--accept", help="Accept them, as shown.")] = False,
) -> None:
    """Show the terms of a benchmark, which are accepted once before the first submission."""
    server = Server(load())
    found = server.get(f"benchmarks/{benchmark}/terms/")
    show.show_terms(out, found)
    if accept:
        found = server.accept_terms(benchmark, found["version"])
        show.line(out, f"Accepted: version {found['version']}, {show.instant(found['accepted_at'])}.")
    elif not found["accepted_at"]:
        show.line(out, f"Not accepted yet. To accept them: heldout terms {benchmark} --accept")


def _state(phase: dict[str, Any]) -> str:
    if not phase["is_open"]:
        return "closed"
    if phase.get("kind") == "break":
        end = f" until {show.instant(phase['closes_at'])}" if phase["closes_at"] else ""
        return f"takes minimal pairs{end}"
    return f"next cut-off {show.instant(phase['next_cut_off_at'])}{show.shown_when(phase)}"


def _read(upload: Upload, material: CheckData, task: str | None, split: str | None) -> IntakeResult:
    missing = [one.id for one in material.spec.tasks if one.id not in {t.task.id for t in material.targets}]
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


def _exit_if_bad(result: IntakeResult, *, silent: bool = False) -> None:
    if not (result.ok or silent):
        show.show_refusal(
            err,
            [problem.as_dict() for problem in result.problems],
            result.more,
            [cause.as_dict() for cause in result.causes],
        )
    if not result.ok:
        raise typer.Exit(1)


def _send(upload: Upload, post: Callable[[IO[bytes]], dict[str, Any]]) -> dict[str, Any]:
    """The receipt of an upload. Problems that the server finds are shown, and end the command."""
    try:
        with Progress(console=err, transient=True, disable=not err.is_terminal) as progress:
            bar = progress.add_task("Sending", total=len(upload.data))
            return post(progress.wrap_file(io.BytesIO(upload.data), task_id=bar))
    except Refused as refusal:
        if refusal.answer.get("code") == "terms_not_accepted":
            benchmark = str(refusal.answer["terms_url"]).rstrip("/").split("/")[-2]
            raise ClientError(
                f"Nothing was taken: you have yet to accept version {refusal.answer['terms_version']} of the terms. "
                f"Read them with `heldout terms {benchmark}`, accept them with `heldout terms {benchmark} --accept`, "
                "and send the file again."
            ) from None
        if "problems" not in refusal.answer:
            raise
        answer = refusal.answer
        show.show_refusal(err, answer["problems"], answer["more"], answer.get("causes", ()))
        raise typer.Exit(1) from None


def _status_of(server: Server, submission: str) -> dict[str, Any]:
    if not submission.replace("-", "").isalnum():
        raise ClientError(f"{submission!r} is no submission's id. `heldout status` lists yours.")
    return server.get(f"submissions/{submission}/")
