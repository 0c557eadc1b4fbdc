"""The commands. Exit status: 0 fine, 1 the predictions have problems, 2 the command could not do its work."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from catalogue.problems import counted
from client import show
from client.errors import ClientError, Refused
from client.files.check_data import TEST, for_check, for_submit
from client.files.fixing import fix
from client.files.packing import read_upload_at
from client.files.pairs import check_pairs
from client.files.texts import fetch_texts
from client.login import Login, checked_url, load, store
from client.proofs import audit, checksums, receipt, seal, verify
from client.reporting import Document, Failed, err, out, print_document, reporting
from client.server import Server
from client.uploads import Destination, as_document, judged, judged_for, kept_receipt, post, sent, status_of
from submissions.intake import IntakeResult

WAIT_SECONDS = 30
UNFINISHED = ("accepted", "scoring", "scored")


class Commands(typer.core.TyperGroup):
    """Says why a command could not do its work, instead of showing a traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except ClientError as error:
            said = str(error)
        except (LookupError, TypeError, ValueError) as error:
            # An answer without what this program looks for: an older or a newer server, or none of ours.
            said = f"the answer could not be read ({error!r}). Is this program up to date?"
        if out.quiet:
            print_document({"ok": False, "error": said})
        show.line(err, f"Error: {said}")
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
@reporting
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
) -> Document:
    """Read predictions exactly as the server would. Nothing is sent."""
    known = load()
    server = Server(known) if known.url else None
    named = phase.rpartition("/")[2] if phase else None
    result = judged(
        read_upload_at(path), for_check(benchmark, ids=ids, server=server, phase=named), task, split
    )
    if not result.ok:
        raise _refused(result)
    show.show_fine(out, result)
    return as_document(result)


@app.command()
@reporting
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
) -> Document:
    """Check predictions, then send them."""
    server = Server(load())
    found = read_upload_at(path)
    sheet = read_upload_at(fact_sheet, one_file="A fact sheet is one JSON file.") if fact_sheet else None
    to = Destination(phase, system, task, split, track)
    upload, result = judged_for(lambda _: found, to, server, sheet)
    if not result.ok:
        raise _refused(result)
    answer = _taken(lambda: sent(upload, to, server, sheet, err))
    show.show_receipt(out, answer)
    if kept := kept_receipt(server, answer):
        show.line(out, f"The signed receipt is in {kept}; check it with: heldout receipt {kept}")
    if not wait:
        return answer
    current = status_of(server, answer["id"])
    while current["status"] in UNFINISHED:
        time.sleep(WAIT_SECONDS)
        current = status_of(server, answer["id"])
    show.show_status(out, current)
    if current["status"] != "published":
        raise Failed(current)
    return current


@app.command()
@reporting
def pairs(
    path: Annotated[Path, typer.Argument(help="One task's file of minimal pairs, CSV or TSV.")],
    phase: Annotated[str, typer.Option(help="benchmark/phase, such as bibi/break.")],
    task: Annotated[str, typer.Option(help="The task that the pairs are for.")],
    team: Annotated[str | None, typer.Option(help="The name or the id of one of your teams.")] = None,
    check_only: Annotated[bool, typer.Option("--check-only", help="Check the file; send nothing.")] = False,
) -> Document:
    """Check minimal pairs against the starter data, then hand them in."""
    if team is None and not check_only:
        raise ClientError("Whose pairs are they? Give --team, or --check-only.")
    server = Server(load())
    upload = read_upload_at(path, one_file="Pairs are handed in as one file for each task.")
    read = check_pairs(upload, phase.partition("/")[0], task, server)
    if read.content is None:
        problems = [problem.as_dict() for problem in read.problems]
        show.show_problems(err, problems, read.more)
        raise Failed({"problems": problems, "more": read.more})
    count = len(read.content)
    if team is None or check_only:
        show.line(out, f"No problem found: {count:,} pair{'' if count == 1 else 's'}. Nothing was sent.")
        return {"pair_count": count, "sent": False}
    fields = {"phase": phase, "task": task, "team": team}
    answer = _taken(
        lambda: post(upload.data, lambda file: server.upload("pairs/", fields, upload.file_name, file), err)
    )
    show.show_pairs_receipt(out, answer)
    return answer


@app.command()
@reporting
def status(
    submission: Annotated[str | None, typer.Argument(help="A submission's id; all without it.")] = None,
) -> Document:
    """Say what has become of a submission and what happens next."""
    server = Server(load())
    if submission is None:
        listed = server.get("submissions/", limit="20")
        show.show_submissions(out, listed["results"])
        return {"submissions": listed["results"]}
    told = status_of(server, submission)
    show.show_status(out, told)
    return told


@app.command()
@reporting
def result(submission: Annotated[str, typer.Argument(help="A submission's id.")]) -> Document:
    """Say where a published submission's system stands, and where it could gain most; before that its feedback.

    Feedback is provisional and no result: the release says what counts.
    """
    told = status_of(Server(load()), submission)
    if told.get("result") is None:
        show.show_status(out, told)
        if told.get("feedback"):
            return {"result": None, "feedback": told["feedback"], "feedback_note": told["feedback_note"]}
        raise Failed({"result": None, "status": told["status"], "status_sentence": told["status_sentence"]})
    show.show_result(out, told)
    return {"result": told["result"]}


@app.command()
@reporting
def benchmarks() -> Document:
    """List the server's benchmarks and their phases."""
    server = Server(load())
    found = [server.benchmark(one["id"]) for one in server.get("benchmarks/")["results"]]
    for benchmark in found:
        show.line(out, f"{benchmark['id']}: {benchmark['summary']}")
        for phase in benchmark["phases"]:
            show.line(out, f"  {phase['name']}: {_state(phase)}")
    return {"benchmarks": found}


@app.command()
@reporting
def ids(benchmark: Annotated[str, typer.Option(help="Such as raft.")]) -> Document:
    """Fetch the ids of all tasks anew, so that checks work without the network."""
    material = for_submit(benchmark, Server(load()))
    for target in material.targets:
        named = target.task.id if target.split == TEST else f"{target.task.id}, {target.split}"
        show.line(out, f"{named}: {len(target.ids):,} ids")
    return {
        "ids": [
            {"task": target.task.id, "split": target.split, "count": len(target.ids)}
            for target in material.targets
        ]
    }


@app.command()
@reporting
def texts(
    benchmark: Annotated[str, typer.Option(help="Such as stance.")],
    folder: Annotated[Path, typer.Option(help="Where files go, as <split>/<task>.csv.")] = Path("texts"),
) -> Document:
    """Download the texts of the test items and of the attack sets, as far as the organisers give them."""
    saved = list(fetch_texts(benchmark, folder, Server(load())))
    for one in saved:
        kept = "" if one.is_new else ", was here already"
        show.line(out, f"{one.path}: {counted(one.item_count, 'item')}{kept}")
    if not saved:
        show.line(out, f"There are no texts of {benchmark} on this server.")
    return {
        "texts": [
            {"path": str(one.path), "item_count": one.item_count, "is_new": one.is_new} for one in saved
        ]
    }


for further in (fix, verify, receipt, audit, checksums, seal):
    app.command()(reporting(further))


@app.command()
@reporting
def terms(
    benchmark: Annotated[str, typer.Argument(help="Such as raft.")],
    accept: Annotated[bool, typer.Option("--accept", help="Accept them, as shown.")] = False,
) -> Document:
    """Show the terms of a benchmark, which are accepted once before the first submission."""
    server = Server(load())
    found = server.benchmark(benchmark, "terms/")
    show.show_terms(out, found)
    if accept:
        found = server.accept_terms(benchmark, found["version"])
        show.line(out, f"Accepted: version {found['version']}, {show.instant(found['accepted_at'])}.")
    elif not found["accepted_at"]:
        show.line(out, f"Not accepted yet. To accept them: heldout terms {benchmark} --accept")
    return found


@app.command()
@reporting
def register(
    benchmark: Annotated[str, typer.Argument(help="Such as raft.")],
    team: Annotated[str, typer.Argument(help="The name of your team.")],
    code: Annotated[
        str, typer.Option(prompt=True, help="From the organisers; asked for where it is not given.")
    ],
) -> Document:
    """Register your team for a benchmark that asks for a code."""
    found = Server(load()).register(benchmark, team, code)
    show.line(out, f"{found['team_name']} takes part in {benchmark}.")
    return found


def _state(phase: dict[str, Any]) -> str:
    if not phase["is_open"]:
        return f"opens {show.instant(phase['opens_at'])}" if show.is_to_come(phase["opens_at"]) else "closed"
    if phase.get("kind") == "break":
        end = f" until {show.instant(phase['closes_at'])}" if phase["closes_at"] else ""
        return f"takes minimal pairs{end}"
    return f"next cut-off {show.instant(phase['next_cut_off_at'])}{show.shown_when(phase)}"


def _refused(result: IntakeResult) -> Failed:
    """The failure of an upload with problems, which the person is told."""
    document = as_document(result)
    show.show_refusal(err, document["problems"], document["more"], document["causes"])
    return Failed(document)


def _taken(send: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The receipt of what is sent. Problems that the server finds are shown, and end the command."""
    try:
        return send()
    except Refused as refusal:
        if "problems" not in refusal.answer:
            raise
        answer = refusal.answer
        show.show_refusal(err, answer["problems"], answer["more"], answer.get("causes", ()))
        raise Failed(answer) from None
