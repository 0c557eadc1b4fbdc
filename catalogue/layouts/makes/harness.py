"""The samples that lm-evaluation-harness logs (`--log_samples`): `samples_<task>_<date>.jsonl`, one object a line."""

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
from catalogue.layouts.json_lines import member_at, object_lines
from catalogue.layouts.json_text import MAX_DEPTH
from catalogue.layouts.makes.quick_samples import ordinary, quick_objects, quick_sample
from catalogue.layouts.makes.run_log import LONGEST_LINE, UNREAD_BYTES, row_of
from catalogue.layouts.text_lines import pieces_of_lines

_FILTER = "filter"


def _is_passed_over(sample: Mapping[str, object], form: FileFormat) -> bool:
    """Whether the line names a filter that is not the one whose answers count."""
    if not form.log_filter or _FILTER not in sample:
        return False
    named = sample[_FILTER]
    return type(named) is not str or named != form.log_filter


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

    def ordinary_rows(
        self, data: bytes, form: FileFormat, output: AnswerKind
    ) -> Iterator[OrdinaryRows | None]:
        """Pieces of samples. No more lines may be passed over than are read: the patient reader bounds their number."""
        row_of_sample, surplus = quick_sample(form, output.labels), 0
        for piece in pieces_of_lines(data, 0, b"\n"):
            samples = quick_objects(piece, MAX_DEPTH, LONGEST_LINE)
            read = [sample for sample in samples if sample is None or not _is_passed_over(sample, form)]
            surplus += len(samples) - 2 * len(read)
            yield ordinary([None if sample is None else row_of_sample(sample) for sample in read], form)
        if surplus > 0:
            yield None

    def write(self, parts: Sequence[AnsweredPart]) -> str:
        (part,) = parts
        form, named = part.form, {_FILTER: part.form.log_filter} if part.form.log_filter else {}
        return "".join(
            json.dumps({form.id_column: item, form.label_column: [value]} | named, ensure_ascii=False) + "\n"
            for item, value in zip(part.ids, part.values, strict=True)
        )
