"""How a command tells what came of it: sentences for people, or with --json one document on standard output."""

import functools
import inspect
import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer
from rich.console import Console

out, err = Console(), Console(stderr=True)

JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON, and nothing else.")]
Document = Mapping[str, Any]


class Failed(Exception):
    """The command did its work, and found something wrong: exit status 1. The person was told already."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.document = document


def print_document(document: Document) -> None:
    typer.echo(json.dumps(document, ensure_ascii=False, indent=2, default=str))


def reporting(function: Callable[..., Document]) -> Callable[..., None]:
    """A command out of a function that prints for people and returns what it found, for programs."""

    @functools.wraps(function)
    def command(*args: Any, as_json: bool = False, **options: Any) -> None:
        out.quiet = err.quiet = as_json
        document: Document
        try:
            document, is_fine = function(*args, **options), True
        except Failed as failed:
            document, is_fine = failed.document, False
        if as_json:
            print_document({"ok": is_fine, **document})
        if not is_fine:
            raise typer.Exit(1)

    signature = inspect.signature(function)
    as_json = inspect.Parameter(
        "as_json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=JsonOption
    )
    parameters = [*signature.parameters.values(), as_json]
    command.__signature__ = signature.replace(parameters=parameters, return_annotation=None)  # type: ignore[attr-defined]  # typer reads it, typeshed has no such field
    command.__annotations__ = {**function.__annotations__, "as_json": JsonOption, "return": None}
    return command
