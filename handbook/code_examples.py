"""A call of the API as one types it: with curl, and in Python with httpx."""

import json
from dataclasses import dataclass

FILE = "predictions.zip"
VALUES = {
    "phase": "raft/main",
    "system": "My system",
    "team": "My team",
    "name": "A name",
    "task": "banking_77",
    "benchmark": "raft",
    "split": "test",
    "item": "17",
    "reason": "The irony turns it round.",
    "label": "1",
}
"""What fields are filled with; `…` where nobody has said."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call to be shown; `access` is “token”, “password” or empty, `fields` are those required, with their kinds."""

    method: str
    url: str
    access: str
    is_form: bool
    fields: tuple[tuple[str, str], ...]

    @property
    def values(self) -> dict[str, object]:
        return {name: _value(name, kind) for name, kind in self.fields if name != "file"}

    @property
    def has_file(self) -> bool:
        return any(name == "file" for name, _ in self.fields)


def curl(call: Call) -> str:
    """One command; the token stands in the variable HELDOUT_TOKEN."""
    lines = ["curl" + ("" if call.method == "GET" else f" -X {call.method}")]
    if call.access == "token":
        lines.append('-H "Authorization: Token $HELDOUT_TOKEN"')
    elif call.access == "password":
        lines.append("-u you@example.org")
    if call.is_form:
        lines += [f"-F {name}={_quoted(str(value))}" for name, value in call.values.items()]
        lines += [f"-F file=@{FILE}"] if call.has_file else []
    elif call.values:
        lines += ["-H 'Content-Type: application/json'", f"-d {_quoted(json.dumps(call.values))}"]
    lines.append(_quoted(call.url) if "<" in call.url else call.url)
    return " \\\n     ".join(lines)


def python(call: Call) -> str:
    """The same with httpx."""
    arguments = [f'    "{call.url}",']
    if call.access == "token":
        arguments.append('    headers={"Authorization": "Token " + os.environ["HELDOUT_TOKEN"]},')
    elif call.access == "password":
        arguments.append('    auth=("you@example.org", getpass.getpass()),')
    if call.values:
        arguments.append(f"    {'data' if call.is_form else 'json'}={json.dumps(call.values)},")
    if call.has_file:
        arguments.append(f'    files={{"file": open("{FILE}", "rb")}},')
    module = {"token": "import os\n\n", "password": "import getpass\n\n"}.get(call.access, "")
    return f"{module}import httpx\n\nanswer = httpx.{call.method.lower()}(\n" + "\n".join(arguments) + "\n)"


def _value(name: str, kind: str) -> object:
    if kind.startswith("whole number"):
        return 1
    if kind.startswith("list"):
        return []
    return VALUES.get(name, "…")


def _quoted(text: str) -> str:
    """For a shell."""
    return "'" + text.replace("'", "'\\''") + "'" if any(mark in text for mark in " '\"<>{}…") else text
