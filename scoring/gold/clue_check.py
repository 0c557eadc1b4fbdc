"""Holds gold labels against what is known of their items beside them, before they are sealed."""

from collections.abc import Mapping, Sequence

from benchmarks.models import Task
from benchmarks.spec.model import GoldState
from scoring.file_refusal import FileRefused
from scoring.item_sets.texts import texts_of
from submissions.intake import GoldFile
from submissions.intake.tables.label_clues import LabelClue, label_clues, telling

CONFIRM = (
    "Nothing was loaded. Change the ids or the items, or confirm that the labels may be guessed like this: tick "
    "“Clues are known” in the form, or give --confirm-clues on the command line."
)


class CluesFound(FileRefused):
    """The labels were not taken: what is known beside the items tells too much of them. `clues` say how much."""

    def __init__(self, clues: Sequence[LabelClue]) -> None:
        super().__init__(*(clue.sentence for clue in clues), CONFIRM)
        self.clues = tuple(clues)


def check_clues(
    task: Task,
    split_slug: str,
    gold: GoldFile,
    *,
    are_confirmed: bool,
    texts: Mapping[str, Sequence[str]] | None = None,
) -> tuple[LabelClue, ...]:
    """The clues that tell of these gold labels, which somebody has confirmed; `gold` is in the order of its file.

    `texts` are a text for each item by column; where none are given, those that the split has of the same ids. Of
    labels that were published elsewhere before nothing is asked.

    Raises
    ------
    CluesFound
        If there are some that nobody has confirmed.
    """
    if task.spec.gold_state is GoldState.PUBLIC:
        return ()
    known = texts or _texts_of(task, split_slug, gold)
    clues = telling(label_clues(gold.ids.ids, gold.codes, texts=known))
    if clues and not are_confirmed:
        raise CluesFound(clues)
    return tuple(clues)


def _texts_of(task: Task, slug: str, gold: GoldFile) -> dict[str, list[str]]:
    """The public texts of these items by column, in the order of `gold`; none where ids differ."""
    split = task.splits.filter(slug=slug).first()
    texts = texts_of(split) if split else None
    if texts is None:
        return {}
    by_item = texts.by_item()
    if set(by_item) != set(gold.asked.ids):
        return {}
    found = [dict(by_item[item]) for item in gold.ids.ids]
    return {column: [cells[column] for cells in found] for column in texts.header[1:]}
