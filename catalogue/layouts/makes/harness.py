"""The samples that lm-evaluation-harness logs (`--log_samples`): `samples_<task>_<date>.jsonl`, one object a line."""

import json
from collections.abc import Iterator, Sequence

from catalogue.layouts.form import AnsweredPart, FileFormat, FileRow, Layout, RowReading, Source
from catalogue.layouts.json_lines import member_at, object_lines
from catalogue.layouts.makes.run_log import LONGEST_LINE, UNREAD_BYTES, row_of

_FILTER = "filter"


class HarnessSamples(Layout):
    """Of each line `doc_id` is read, and of `filtered_resps` the one response or the likeliest choice; no other key.

    A line is passed over where the definition names another filter than the line.
    """

    key = "lm_eval_samples"
    title = "Samples of lm-evaluation-harness"
    ending = "jsonl"
    is_table = False
    each_item = "one sample"
    options = ("log_filter",)
    default_id_column = "doc_id"
    default_label_column = "filtered_resps"
    unread_bytes = UNREAD_BYTES

    def rows(self, source: Source, form: FileFormat, reading: RowReading) -> Iterator[FileRow]:
        for number, members in object_lines(source, form, reading, LONGEST_LINE):
            if form.log_filter:
                named = member_at(members, _FILTER, reading.report)
                if named is not None and named.value.value != form.log_filter:
                    continue
            row = row_of(members, number, form, reading)
            if row is not None:
                yield row

    def write(self, parts: Sequence[AnsweredPart]) -> str:
        (part,) = parts
        form, named = part.form, {_FILTER: part.form.log_filter} if part.form.log_filter else {}
        return "".join(
            json.dumps({form.id_column: item, form.label_column: [value]} | named, ensure_ascii=False) + "\n"
            for item, value in zip(part.ids, part.values, strict=True)
        )
