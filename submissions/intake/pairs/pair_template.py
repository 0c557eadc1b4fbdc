"""A file of pairs to begin with."""

import csv
import io
from itertools import islice

from benchmarks.spec import TaskSpec
from submissions.intake.pairs.minimal_pairs import COLUMNS, layout_of_pairs
from submissions.intake.pairs.pair_faults import CHANGED, PairIds
from submissions.intake.pairs.starter_data import StarterFile


def pairs_template(task: TaskSpec, starter: StarterFile, rows: int) -> str:
    """The header and rows of the first sentences, each as it stands in the starter data: still to be changed."""
    ids = PairIds(task.pairs)
    begun = (
        (ids.id_of(ids.root(item), CHANGED), item, row.text, "", "")
        for item, row in islice(starter.items.items(), rows)
    )
    if not layout_of_pairs(task).has_quotes:
        return "".join("\t".join(cell.replace("\t", " ") for cell in row) + "\n" for row in (COLUMNS, *begun))
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows((COLUMNS, *begun))
    return out.getvalue()
