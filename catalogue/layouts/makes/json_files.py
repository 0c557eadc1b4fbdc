"""A JSON file for each item, all in one zip, as PAN's tasks have it: read as JSON lines, a file a line."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from catalogue.layouts.form import FileFormat
from catalogue.layouts.json_lines import JsonLines
from catalogue.layouts.text_lines import decode
from catalogue.problems import RefusedError, visible


class JsonFiles(JsonLines):
    """Each file's name says which item it answers: what the star of the definition's `path` stands for there.

    A file holds an object with the answer under `label_column`, or the answer itself. One file of JSON lines with all
    items, each with its id, is read too.
    """

    key = "json_files"
    title = "JSON file for each item"
    ending = "json"
    may_be_shared = False
    can_be_seen = False
    each_item = "one file, or one line,"
    note = "JSON, in a zip with a file for each item, "
    options: ClassVar[tuple[str, ...]] = ("labels_as", "group_columns", "empty_labels")

    def zipped_rows(self, names: Sequence[str], form: FileFormat) -> dict[str, str]:
        first, star, last = _own_name(form.path).partition("*")
        if not star:
            return {}
        own_names = {name: _own_name(name) for name in names}
        fitting = re.compile(f"{re.escape(first)}(.+){re.escape(last)}", re.DOTALL)
        found = {name: fitting.fullmatch(own) for name, own in own_names.items() if not own.startswith(".")}
        ids = {name: match[1] for name, match in found.items() if match}
        if len(ids) == 1:  # a file of JSON lines with all items, as samples are written
            return {}
        return dict(sorted(ids.items(), key=lambda pair: (len(pair[1]), pair[1], pair[0])))

    def of_entries(self, rows: Mapping[str, bytes], ids: Mapping[str, str], form: FileFormat) -> bytes:
        lines = []
        for name, content in rows.items():
            try:
                lines.append(_line(ids[name], decode(content, form.encoding), form))
            except RefusedError as error:
                raise RefusedError(error.finding, line=error.line, entry=visible(name)) from None
        return "\n".join((*lines, "")).encode(form.encoding, "replace")

    def wrong_path(self, path: str) -> str:
        if _own_name(path).count("*") == 1:
            return ""
        wanted = "one * in the name of a file, which stands for the item's id, as in answer-*.json"
        return f"expected {wanted}; found {path!r}"


def _own_name(path: str) -> str:
    return path.rpartition("/")[2]


def _line(item: str, content: str, form: FileFormat) -> str:
    """The object of a file with the id as its first key, in one line. Line ends mean nothing in JSON."""
    text = content.replace("\r", " ").replace("\n", " ").strip()
    named = f"{json.dumps(form.id_column)}: {json.dumps(item)}"
    if not text.startswith("{"):
        return f"{{{named}, {json.dumps(form.label_column)}: {text}}}"
    if _says(text, form.id_column, item):
        return text
    members = text[1:].lstrip()
    return f"{{{named}{'' if members.startswith('}') else ', '}{members}"


def _says(text: str, key: str, item: str) -> bool:
    """Whether an object says itself which item it is of, and the same as its name does."""
    try:
        return json.dumps(key) in text and json.loads(text).get(key) == item
    except (ValueError, RecursionError):
        return False
