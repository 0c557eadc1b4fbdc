"""Ask people which label items have: those whose label is contested, or all of breakers' files."""

import datetime as dt
from collections.abc import Sequence

from accounts.models import User
from benchmarks.models import Task
from breaking.contests.item_labels import item_texts
from breaking.models import Contest, PairFile
from breaking.pairs.campaigns import TEXT, CannotAsk, begin, counting_pairs, one_task, unit_key
from breaking.pairs.starter_data import kept_texts
from labelling.core.questions.question import CampaignQuestion, Option
from labelling.models import Campaign
from labelling.outcomes.pair_validation import PAIR_LABELS
from labelling.units.new_units import NewUnit

Texts = Sequence[tuple[str, str]]


def ask_about_contests(*, contests: Sequence[Contest], user: User, now: dt.datetime) -> Campaign:
    """A draft that asks people for the labels of contested items that nobody has decided about.

    Raises
    ------
    CannotAsk
        If they are of several tasks, one is decided, an item has no text, or the task has no set of labels.
    """
    task = one_task([contest.split.task for contest in contests])
    seen: dict[str, tuple[Texts, list[dict[str, str]]]] = {}
    for contest in contests:
        if contest.status != Contest.Status.OPEN or contest.decided_at:
            raise CannotAsk(f"{contest.item} is decided already. Choose contests that are open.")
        texts = item_texts(contest.split, [contest.item]).get(contest.item)
        if not texts:
            raise CannotAsk(
                f"{contest.split} has no text of {contest.item}, so nobody can be asked about it."
            )
        note_place(seen, list(texts.items()), {"split": contest.split.slug, "item": contest.item})
    return _begin(task, f"Contested labels of {task.title}", seen, user, now)


def ask_about_labels(*, pair_files: Sequence[PairFile], user: User, now: dt.datetime) -> Campaign:
    """A draft that asks people for the labels of both items of every pair of these files that is not left out.

    A sentence that stands in several pairs is asked about once.

    Raises
    ------
    CannotAsk
        If they are of several tasks, one counts no longer, or there is nothing to ask about.
    """
    task = one_task([file.task for file in pair_files])
    seen: dict[str, tuple[Texts, list[dict[str, str]]]] = {}
    for file, pair in counting_pairs(pair_files):
        kept = kept_texts(task, pair.original_id)
        for item, text in ((pair.original_item, pair.original_text), (pair.changed_item, pair.changed_text)):
            note_place(seen, [(TEXT, text), *kept], {"file": str(file.pk), "item": item})
    return _begin(task, f"Labels of breakers' pairs, {task.title}", seen, user, now)


def note_place(
    seen: dict[str, tuple[Texts, list[dict[str, str]]]], texts: Texts, place: dict[str, str]
) -> None:
    """Note that these texts stand at a place: the same texts at several are one unit."""
    seen.setdefault(unit_key(texts), (texts, []))[1].append(place)


def _begin(
    task: Task, title: str, seen: dict[str, tuple[Texts, list[dict[str, str]]]], user: User, now: dt.datetime
) -> Campaign:
    output = task.spec.output
    if not output.is_one_label:
        raise CannotAsk(
            f"An answer of {task.title} is {output.describe()}. People can be asked for one label of a set."
        )
    labels = output.gold_labels
    question = CampaignQuestion(
        "one_label", task.spec.summary, tuple(Option(label, label) for label in labels)
    )
    units = [
        NewUnit(key=key, items=(key,), shown=[texts], source={"places": places})
        for key, (texts, places) in seen.items()
    ]
    return begin(
        task=task,
        purpose=PAIR_LABELS,
        question=question.as_json(),
        units=units,
        user=user,
        now=now,
        title=title[:120],
        guidelines=task.spec.instructions,
    )
