"""The commands that need not believe a server: gold labels, receipts, the log, and what is sealed before it is sent."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from client import show
from client.errors import ClientError
from client.files.check_data import TEST
from client.files.gold_sealing import digest_of, key_of, seal_file_of_gold, task_to_seal
from client.files.verification import matches
from client.log.audit import Audit
from client.log.checksums import check_folder
from client.log.keys import kept_verifiers, named_verifiers, read_verifier, trusted_verifier
from client.log.receipts import checked_receipt, is_of
from client.log.sources import open_source, read_note
from client.login import Login, checked_url
from client.reporting import Document, Failed, err, out
from client.server import Server
from transparency.core.signed_notes import BadNote

KeyOption = Annotated[
    str | None,
    typer.Option(help="The public key, name+hash+base64; without it, those of servers met before."),
]


def verify(
    file: Annotated[Path, typer.Argument(help="Public gold labels, as downloaded: a CSV file.")],
    salt: Annotated[str, typer.Option(help="The salt, 64 hexadecimal digits.")],
    commitment: Annotated[str, typer.Option(help="The commitment that was published before.")],
) -> Document:
    """Check that public gold labels are those that were committed to. No server is asked."""
    if not matches(file, salt, commitment):
        show.line(err, f"{file} is NOT what was committed to: with this salt it has another SHA-256.")
        raise Failed({"matches": False})
    show.line(out, f"{file} is what was committed to: no label has changed since it was sealed.")
    return {"matches": True}


def receipt(
    file: Annotated[Path, typer.Argument(help="A signed receipt, as `heldout submit` has stored it.")],
    upload: Annotated[
        Path | None, typer.Option(help="The file that was sent, to compare its digest.")
    ] = None,
    key: KeyOption = None,
) -> Document:
    """Check a receipt: who signed it, and what it says was taken and when. No server is asked."""
    verifiers = [read_verifier(key)] if key else kept_verifiers("receipts")
    try:
        found = checked_receipt(file, verifiers)
    except BadNote as error:
        show.line(err, f"{file} is NOT a receipt of that server. {error}")
        raise Failed({"signed": False, "error": str(error)}) from None
    told = {"signed": True, **asdict(found)}
    show.line(out, f"Signed. Submission {found.submission} to {found.benchmark}/{found.phase}")
    show.line(out, f"was received {found.received_at}, with the SHA-256 {found.sha256}.")
    if upload is not None and not is_of(found, upload):
        show.line(err, f"{upload} is NOT the file that it is about: it has another SHA-256.")
        raise Failed({**told, "is_of_upload": False})
    return told if upload is None else {**told, "is_of_upload": True}


def audit(
    place: Annotated[str, typer.Argument(help="A server's address, or a folder that --save has filled.")],
    benchmark: Annotated[str, typer.Option(help="Look at this benchmark alone, such as raft.")] = "",
    since: Annotated[
        Path | None, typer.Option(help="An older checkpoint: the history must begin with that one.")
    ] = None,
    key: KeyOption = None,
    save: Annotated[Path | None, typer.Option(help="Keep a copy of all that is read in this folder.")] = None,
    receipt: Annotated[Path | None, typer.Option(help="A receipt that must stand in the log.")] = None,
) -> Document:
    """Check a server without believing it: its log, releases, pages, opened gold labels and published predictions."""
    with open_source(place, save) as source:
        verifier = read_verifier(key) if key else trusted_verifier(source)
        look = Audit(source, verifier, since=read_note(since) if since else None, benchmark=benchmark)
        try:
            findings = look.run()
            if receipt:
                found = checked_receipt(
                    receipt, [*kept_verifiers("receipts"), *named_verifiers(source, "receipts")]
                )
                if not look.has_receipt(found):
                    findings.wrong.append(f"{receipt}: the closing of no batch names it (yet).")
        except BadNote as error:
            show.line(err, f"WRONG  {error}")
            raise Failed({"wrong": [str(error)]}) from None
    show.show_findings(out, err, findings)
    show.line(out, f"The checkpoint of {look.head.size} entries is signed by {verifier}.")
    if not key:
        show.line(
            out, "Compare this key with the one that the organisers publish elsewhere, or give it with --key."
        )
    document = {**asdict(findings), "checkpoint_size": look.head.size, "signed_by": str(verifier)}
    if findings.wrong:
        raise Failed(document)
    return document


def checksums(
    place: Annotated[Path, typer.Argument(help="An archive (a zip, or its folder) that a server has made.")],
    key: KeyOption = None,
) -> Document:
    """Check an archive: that a server has signed its checksums, and that no file differs. No server is asked."""
    verifiers = [read_verifier(key)] if key else kept_verifiers("log")
    try:
        found = check_folder(place, verifiers)
    except BadNote as error:
        show.line(err, f"{place} is NOT as that server has made it. {error}")
        raise Failed({"signed": False, "error": str(error)}) from None
    for sentence in found.wrong:
        show.line(err, f"WRONG  {sentence}")
    told = {
        "signed": True,
        "signed_by": found.signed_by,
        "folder": found.note.folder,
        "made_at": found.note.made_at,
        "file_count": found.file_count,
        "wrong": list(found.wrong),
    }
    show.line(
        out, f"{found.note.folder}, made {found.note.made_at}: its checksums are signed by {found.signed_by}."
    )
    if found.wrong:
        raise Failed(told)
    show.line(out, f"All {found.file_count:,} files are as they were signed.")
    return told


def seal(
    file: Annotated[Path, typer.Argument(help="Gold labels, in the format of the task's gold file.")],
    benchmark: Annotated[str, typer.Option(help="Such as raft.")],
    task: Annotated[str, typer.Option(help="The task that the labels are of.")],
    split: Annotated[str, typer.Option(help="Which of its sets they are of, such as dev.")] = TEST,
    server: Annotated[str | None, typer.Option(help="The server whose key they are sealed to.")] = None,
    key: Annotated[
        str | None, typer.Option(help="Its public key, where you have it from its operator.")
    ] = None,
    confirm_clues: Annotated[
        bool, typer.Option("--confirm-clues", help="Seal labels that ids or their order tell of.")
    ] = False,
    output: Annotated[Path | None, typer.Option(help="Where the sealed file goes.")] = None,
) -> Document:
    """Seal gold labels on this machine, for a server that cannot read them. Nothing is sent."""
    if server is None and key is None:
        raise ClientError("Whose key? Give --server URL or --key KEY.")
    its_server = Server(Login(checked_url(server))) if server else None
    definition = task_to_seal(benchmark, task, split, its_server)
    public_key = key or (key_of(its_server) if its_server else "")
    digest = digest_of(public_key)
    target = output or file.with_name(f"{file.name}.sealed")
    if target.exists():
        raise ClientError(f"{target} is there already. Name another file with --output.")
    done = seal_file_of_gold(
        file,
        benchmark=benchmark,
        task=definition,
        split=split,
        public_key=public_key,
        confirm_clues=confirm_clues,
    )
    for clue in done.clues:
        show.line(err, clue.sentence)
    if done.sealed is None:
        if done.clues:
            show.line(
                err, "Nothing was sealed. If the labels may be guessed like this, give --confirm-clues."
            )
        else:
            show.show_problems(err, [problem.as_dict() for problem in done.problems], done.more)
        raise Failed(
            {
                "clues": [clue.sentence for clue in done.clues],
                "problems": [problem.as_dict() for problem in done.problems],
                "more": done.more,
            }
        )
    try:
        target.write_bytes(done.sealed.to_bytes())
    except OSError as error:
        raise ClientError(f"{target} cannot be written: {error.strerror}.") from None
    show.show_sealed(out, target, done.sealed, benchmark=benchmark, task=task, digest=digest)
    return {
        "file": str(target),
        "item_count": len(done.sealed.ids),
        "key_sha256": digest,
        "commitment": done.sealed.commitment,
    }
