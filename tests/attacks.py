"""A small benchmark with three attacks, and texts for it."""

from collections.abc import Callable

from benchmarks.models import Benchmark, Task
from scoring.gold.versions import load_gold
from scoring.item_sets.texts import load_texts
from tests.conftest import NOW
from tests.groups import DEBATES, labels

ATTACKED = DEBATES.replace(
    "attacks: [{id: spelling, title: Spelling, correct_share: 0.5}]",
    "attacks: [{id: spelling, title: Spelling}, {id: negation, title: Negation, correct_share: 1},"
    " {id: paraphrase, title: Paraphrase}]",
).replace(
    "{id: spelling, title: Spelling, attack: spelling}]",
    "{id: spelling, title: Spelling, attack: spelling}, {id: negation, title: Negation, attack: negation},"
    " {id: reworded, title: Paraphrase, attack: paraphrase}]",
)
TEXTS = (
    b"id,claim,text\n"
    b"d0,School days should be longer,Parents would welcome that. It is cheaper.\n"
    b"d1,School days should be longer,No!\n"
    b'd2,Cars should be banned,"Cities, for one, would be quieter."\n'
    b"d3,Cars should be banned,People need them to reach their work\n"
)
REWORDED = (
    b"id,claim,text\n"
    b"d3,Cars ought to be forbidden,They are needed on the way to work\n"
    b"d2,Cars ought to be forbidden,Towns would be calmer\n"
    b"d1,The school day ought to grow,Never!\n"
    b"d0,The school day ought to grow,Mothers and fathers would like it\n"
)


def load_attacked(sync: Callable[[str], Benchmark], *, with_texts: bool = True) -> Task:
    """The first of its two tasks, both with gold labels; the first with texts too."""
    benchmark = sync(ATTACKED)
    for task in benchmark.tasks.all():
        load_gold(
            task=task,
            data=labels(),
            file_name=f"{task.slug}.csv",
            now=NOW,
            confirm_clues=True,
        )
    first: Task = benchmark.tasks.get(slug="claims")
    if with_texts:
        load_texts(split=first.splits.get(slug="test"), data=TEXTS, file_name="texts.csv", now=NOW)
    return first
