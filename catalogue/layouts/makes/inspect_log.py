"""The log that Inspect writes of a run: `.eval`, a zip, or JSON (`--log-format json`)."""

import json
from collections.abc import Iterator, Mapping, Sequence

from catalogue.answers import AnswerKind
from catalogue.layouts.form import (
    AnsweredPart,
    FileFormat,
    FileRow,
    Layout,
    OrdinaryRows,
    RowReading,
    Source,
)
from catalogue.layouts.json_lines import member_at, missing_key, nested
from catalogue.layouts.json_object import report_type, wrong_type
from catalogue.layouts.json_text import parse_json
from catalogue.layouts.makes.quick_samples import members_once, ordinary, quick_list, quick_sample
from catalogue.layouts.makes.run_log import DEEPEST, UNREAD_BYTES, row_of
from catalogue.layouts.text_lines import decode
from catalogue.problems import RefusedError

_SAMPLES = "samples"
_ROWS = f"{_SAMPLES}/"
_HEADS = frozenset(("header.json", "_journal/start.json"))
_BOM = b"\xef\xbb\xbf"


class InspectLog(Layout):
    """Of each of the log's `samples`, `id` and `output.completion` are read, or what the definition names instead."""

    key = "inspect_log"
    title = "Log of Inspect"
    ending = "json"
    is_table = False
    each_item = "one sample"
    options = ()
    default_id_column = "id"
    default_label_column = "output.completion"
    unread_bytes = UNREAD_BYTES

    def zipped_rows(self, names: Sequence[str], form: FileFormat) -> dict[str, str]:
        """The samples of a log, which has a head or a journal beside them, as no other zip with such a folder has."""
        return {} if _HEADS.isdisjoint(names) else {name: "" for name in names if name.startswith(_ROWS)}

    def of_entries(self, rows: Mapping[str, bytes], ids: Mapping[str, str], form: FileFormat) -> bytes:
        """A sample a line, the first in the first, so that lines count samples. Line ends mean nothing in JSON."""
        contents = (row.removeprefix(_BOM) for row in rows.values())
        samples = (row.replace(b"\r", b" ").replace(b"\n", b" ").strip() for row in contents)
        return b'{"%s": [' % _SAMPLES.encode() + b",\n".join(samples) + b"]}"

    def rows(self, source: Source, form: FileFormat, reading: RowReading) -> Iterator[FileRow]:
        if not isinstance(source, bytes):
            raise TypeError("A log is read from its bytes.")
        text, report = decode(source, form.encoding), reading.report
        report.lines = [line.removesuffix("\r") for line in text.split("\n")]
        root = parse_json(text, deepest=DEEPEST)
        if not isinstance(root.value, tuple):
            raise RefusedError(wrong_type(root, "an object with the samples of a run"), line=root.line)
        samples = member_at(root.value, _SAMPLES, report)
        if samples is None:
            raise RefusedError(missing_key(_SAMPLES), line=root.line)
        if not isinstance(samples.value.value, list):
            raise RefusedError(wrong_type(samples.value, "a list of samples"), line=samples.line)
        for sample in samples.value.value[: reading.max_rows]:
            if not isinstance(sample.value, tuple):
                report_type(sample, "an object", _SAMPLES, report)
                continue
            row = row_of(sample.value, sample.line, form, reading)
            if row is not None:
                yield row

    def ordinary_rows(
        self, data: bytes, form: FileFormat, output: AnswerKind
    ) -> Iterator[OrdinaryRows | None]:
        """Some samples after others: all at once take twenty times the file's room."""
        row_of_sample = quick_sample(form, output.labels)
        for samples in quick_list(data, _SAMPLES, DEEPEST):
            members = [members_once(sample) for sample in samples or [None]]
            yield ordinary([None if each is None else row_of_sample(each) for each in members], form)

    def write(self, parts: Sequence[AnsweredPart]) -> str:
        (part,) = parts
        form = part.form
        samples = (
            json.dumps(nested({form.id_column: item, form.label_column: value}), ensure_ascii=False)
            for item, value in zip(part.ids, part.values, strict=True)
        )
        return f'{{"{_SAMPLES}": [\n' + ",\n".join(samples) + "\n]}\n"
