"""Files of texts with labels, for a campaign that is about no task whose format they could have."""

from collections.abc import Sequence
from functools import partial

from benchmarks.spec import FileFormat
from catalogue.problems import Finding, ProblemCode, quoted, visible
from catalogue.suggestions import nearest
from labelling.predictors.embedded import MOST_ROWS, LabelledText
from submissions.intake.file_read import FileRead, read_file
from submissions.intake.tables.table_schema import FindFault, FirstLines, TableColumn, TableRow, TableSchema

_COLUMNS = ("id", "text", "label")
_FORM = FileFormat("", "id", "label", columns=_COLUMNS)


def read_labelled_texts(
    data: bytes, *, file_name: str, labels: Sequence[str]
) -> FileRead[list[LabelledText]]:
    """Read a CSV file with the columns id, text and label; every label is one of `labels`."""
    lines = FirstLines()

    def label_fault(row: TableRow) -> FindFault | None:
        return None if row["label"] in labels else partial(_unknown_label, row["label"], labels)

    table = TableSchema(
        _FORM,
        (
            TableColumn("id", lambda row: lines.id_fault(row.id, row.line, "Keep one of the two.")),
            TableColumn("label", label_fault),
        ),
        row=lambda row: (row["text"], row["label"]),
        max_rows=MOST_ROWS,
        looks_like_row=lambda cells: cells[-1] in labels,
    )
    return read_file(
        lambda report: rows if (rows := table.read(data, report)) and report.is_clean else None,
        file_name=file_name,
    )


def _unknown_label(label: str, labels: Sequence[str]) -> Finding:
    return Finding(
        ProblemCode.UNKNOWN_LABEL,
        f"{quoted(label)} is no label of the question; these are {', '.join(labels)}.",
        visible(label),
        nearest(label, list(labels)) or ", ".join(labels),
    )
