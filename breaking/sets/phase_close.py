"""The close of a break phase: every breaker's pairs become a set. Done again, it changes nothing.

A task's sets are made once no pair of it waits for the organiser any more. Where the phase was opened again, a set
that nobody has answered is made anew of its team's later file; one that systems have answered stays.
"""

import datetime as dt
import logging
import uuid
from collections.abc import Sequence

from django.db import transaction
from django.db.models import QuerySet

from benchmarks.models import Phase, Task
from breaking.mail import tell_organisers
from breaking.models import BreakerSet, Pair, PairFile
from breaking.pairs.review import end_set, withdraw_set
from breaking.pairs.starter_data import StarterRefused, starter_file
from breaking.sets.creation import SetItems, lock_task, place_set, set_of
from scoring.gold.keys import private_key
from scoring.gold.sealing import VaultError, open_file
from scoring.gold.versions import GoldRefused
from scoring.item_sets.texts import answered
from submissions.intake.pairs.minimal_pairs import MinimalPair, read_minimal_pairs
from submissions.intake.pairs.starter_data import StarterFile

logger = logging.getLogger(__name__)

WAITS = "Its set waits: the organiser has to decide about pairs that differ by more than the rule allows."
ANSWERED = "Systems have answered the set that was made of the team's earlier file, so that one stands."
ALL_LEFT_OUT = "The organiser has left out all of its pairs, so no set was made of it."
BROKEN = "No set can be made of it: {}. The organisers know."
GONE = "The team has withdrawn its pairs."
TEXT = "text"
_OTHER_STARTER = "the starter data are not those that its pairs were made from"
_FILES = "/admin/breaking/pairfile/"


class CannotMake(Exception):
    """No set can be made of a file; the message says why and tells no label."""


def make_sets(now: dt.datetime) -> list[BreakerSet]:
    """Make the sets of every break phase that is closed. It needs the private key.

    A file that no set can be made of is logged and told to the organisers, and the others go on.
    """
    made: list[BreakerSet] = []
    for phase in Phase.objects.filter(kind=Phase.Kind.BREAK, closes_at__lte=now).select_related("benchmark"):
        _end_sets_without_pairs(phase, now)
        due = _files_without_set(phase)
        tasks = Task.objects.filter(pk__in=due.values("task"), is_retired=False)
        for task in tasks.select_related("benchmark"):
            if not _waits(phase, task):
                for file in due.filter(task=task).order_by("received_at", "pk").values_list("pk", flat=True):
                    made += filter(None, [_make(file, now)])
    return made


def _files_without_set(phase: Phase) -> QuerySet[PairFile]:
    return PairFile.objects.accepted().filter(phase=phase, team__isnull=False, breaker_set__isnull=True)


def _waits(phase: Phase, task: Task) -> bool:
    """Whether pairs of the task wait for the organisers, who are reminded once."""
    waiting = Pair.objects.waiting().filter(pair_file__phase=phase, pair_file__task=task)
    if not waiting.exists():
        return False
    files = PairFile.objects.accepted().filter(pk__in=waiting.values("pair_file"))
    if files.exclude(status_reason=WAITS).update(status_reason=WAITS):
        count = waiting.count()
        subject = (
            "%(number)s pair waits for your word, and so do the sets of %(task)s"
            if count == 1
            else "%(number)s pairs wait for your word, and so do the sets of %(task)s"
        )
        tell_organisers(
            phase.benchmark,
            subject % {"number": count, "task": task.title},
            f"The phase {phase.title} is closed, and the sets of {task.title} are made as soon as "
            "you have admitted or left out the pairs that differ by more than your rule allows. "
            "Until then nobody can answer them.",
            f"/admin/breaking/pair/?decision__exact={Pair.Decision.WAITING}",
        )
    return True


def _make(file_id: uuid.UUID, now: dt.datetime) -> BreakerSet | None:
    """The set of a file; None where another process was faster, or no set is to be made or can be."""
    try:
        with transaction.atomic():
            return _make_locked(file_id, now)
    except (CannotMake, GoldRefused, VaultError) as error:
        why = str(error).rstrip(".")
    except Exception as error:  # noqa: BLE001  # its message or traceback could hold labels
        why = f"the server met an unforeseen {type(error).__name__}"
    logger.error("no set can be made of the pairs %s: %s", file_id, why)
    file = PairFile.objects.select_related("phase__benchmark", "task").defer("sealed").get(pk=file_id)
    if _say(file, BROKEN.format(why[:400])):
        tell_organisers(
            file.phase.benchmark,
            f"no set can be made of the pairs of {file.breaker}",
            f"{file.task.title}, file {file.file_name}: {why}."
            "\n\n"
            "The sets of the other breakers are made. This one follows by itself once the reason is gone.",
            f"{_FILES}{file.pk}/change/",
        )
    return None


def _make_locked(file_id: uuid.UUID, now: dt.datetime) -> BreakerSet | None:
    lock_task(PairFile.objects.values_list("task", flat=True).get(pk=file_id))
    file = (
        PairFile.objects.select_for_update(of=("self",))
        .select_related("phase", "task__benchmark")
        .get(pk=file_id)
    )
    if not _is_due(file, now):
        return None
    earlier = set_of(file)
    if earlier and answered([earlier.split]):
        _go_back(file, earlier.pair_file, now)
        return None
    pairs = list(file.pairs.taken())
    if not pairs:
        _say(file, str(ALL_LEFT_OUT))
        if earlier and earlier.withdrawn_at is None:
            end_set(earlier, reason=str(ALL_LEFT_OUT), now=now)
        return None
    made = place_set(file=file, items=_items(file, pairs), now=now, user=None)
    PairFile.objects.filter(pk=file.pk).update(status_reason="")
    return made


def _go_back(file: PairFile, earlier: PairFile, now: dt.datetime) -> None:
    """Have the earlier file count again, because its set was answered before a new one could be made."""
    status = PairFile.Status
    PairFile.objects.filter(pk=file.pk).update(status=status.WITHDRAWN, status_reason=ANSWERED, ended_at=now)
    PairFile.objects.filter(pk=earlier.pk).update(status=status.ACCEPTED, status_reason="", ended_at=None)


def _is_due(file: PairFile, now: dt.datetime) -> bool:
    """Whether a set is still to be made of the file, now that nobody else can make it."""
    is_closed = file.phase.closes_at is not None and file.phase.closes_at <= now
    has_set = BreakerSet.objects.filter(pair_file=file).exists()
    waiting = Pair.objects.waiting().filter(pair_file__phase=file.phase_id, pair_file__task=file.task_id)
    return file.status == PairFile.Status.ACCEPTED and is_closed and not has_set and not waiting.exists()


def _say(file: PairFile, reason: str) -> bool:
    """Tell the team why there is no set; whether that is news."""
    same = PairFile.objects.filter(pk=file.pk, status=PairFile.Status.ACCEPTED)
    return bool(same.exclude(status_reason=reason).update(status_reason=reason))


def _items(file: PairFile, pairs: Sequence[Pair]) -> SetItems:
    """The items of these pairs of the file, each original before what was made of it."""
    try:
        starter = starter_file(file.task)
    except StarterRefused:
        raise CannotMake(_OTHER_STARTER) from None
    read = {pair.changed.id: pair for pair in _read(file, starter)}
    taken = [(read[row.changed_item], row) for row in pairs if row.changed_item in read]
    if len(taken) < len(pairs) or any(_texts(pair) != _known_texts(row) for pair, row in taken):
        raise CannotMake(_OTHER_STARTER)
    none = ("",) * len(starter.further_columns)  # what an original of the team's own making has there
    rows = [
        (item, starter.items[pair.original_id].further if pair.original_id in starter.items else none)
        for pair, _ in taken
        for item in (pair.original, pair.changed)
    ]
    return SetItems(
        ids=tuple(item.id for item, _ in rows),
        labels=tuple(item.label for item, _ in rows),
        columns=(TEXT, *starter.further_columns),
        texts=tuple((item.text, *further) for item, further in rows),
    )


def _read(file: PairFile, starter: StarterFile) -> Sequence[MinimalPair]:
    """The pairs of the sealed file. What the organiser's rule asks for was asked when it was handed in."""
    data = open_file(bytes(file.sealed), private_key(), file.commitment)
    read = read_minimal_pairs(
        data,
        file_name=file.file_name,
        task=file.task.spec,
        starter=starter.pairs,
        kept=starter.kept,
        from_scratch=True,
    )
    if read.content is None:  # its problems may repeat labels
        raise CannotMake(_OTHER_STARTER)
    return read.content


def _texts(pair: MinimalPair) -> tuple[str, str, str]:
    return pair.original.id, pair.original.text, pair.changed.text


def _known_texts(row: Pair) -> tuple[str, str, str]:
    """The same, as they were when the file was handed in."""
    return row.original_item, row.original_text, row.changed_text


def _end_sets_without_pairs(phase: Phase, now: dt.datetime) -> None:
    """A team that withdrew its pairs while the phase was open again has no set any more."""
    standing = BreakerSet.objects.standing().filter(pair_file__phase=phase, pair_file__team__isnull=False)
    for one in standing.exclude(pair_file__status=PairFile.Status.ACCEPTED).select_related("pair_file"):
        file = one.pair_file
        later = PairFile.objects.accepted().filter(phase=phase, task=file.task_id, team=file.team_id)
        if not later.exists():
            withdraw_set(breaker_set=one, reason=str(GONE), now=now, user=None)
