"""Takes gold labels and answers of items whose ids repeat; puts the answers of one id in the order that is right most
often, so that the order of its rows in a file does not count.
"""

from collections import defaultdict
from collections.abc import Sequence

from benchmarks.spec import TaskSpec
from catalogue.answers import Answers
from catalogue.layouts.row_ids import parts_of


def in_best_order(task: TaskSpec, ids: Sequence[str], gold: Answers, answers: Answers) -> Answers:
    """The answers, those of rows with the same id matched to the gold labels that they equal.

    Parameters
    ----------
    task : TaskSpec
        What it says of its file decides whether anything is moved; answers are one label each then.
    ids : sequence of str
        Of the items, in the order of both arrays.
    gold, answers : array of shape (n_items,)
        Canonical. Labels that equal none go to the places that are left, both in the order of the labels.
    """
    if not task.file.repeats_in_any_order:
        return answers
    groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, item in enumerate(ids):
        groups[parts_of(item)[0]].append(place)
    found = answers.copy()
    wanted = gold.tolist()
    for places in groups.values():
        if len(places) == 1:
            continue
        left, open_places = sorted(answers[places].tolist()), []
        for place in sorted(places, key=wanted.__getitem__):
            if wanted[place] in left:
                left.remove(wanted[place])
                found[place] = wanted[place]
            else:
                open_places.append(place)
        found[open_places] = left
    return found
