"""The close of phases: breakers' pairs become sets, and in the end gold labels open. Done again, it changes nothing.

A task's sets are made once no pair of it waits for the organiser any more. Where the phase was opened again, a set
that nobody has answered is made anew of its team's later file; one that systems have answered stays.

Gold labels open once a benchmark's teams have nothing more to hand in: all its phases of the kinds build, break and
score are over, everything in time is scored, and every pair is in a set that systems had the time to answer. Then the
gold labels of the development data and of all breakers' sets, withdrawn ones too, become public and stay so: no such
phase opens again (`benchmarks.admin`), and no predictions are taken (`submissions.services`).
"""

import datetime as dt
import logging
import uuid
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q

from benchmarks.models import Benchmark, Phase, Task
from benchmarks.notices.services import tell_organisers
from benchmarks.spec import DEV
from breaking.models import BreakerSet, Pair, PairFile
from breaking.pairs.campaigns import TEXT
from breaking.pairs.minimality import reviews_going_on
from breaking.pairs.review import mark_withdrawn, withdraw_set
from breaking.pairs.starter_data import starter_file
from breaking.querysets import lock_task
from breaking.sets.creation import SetItems, place_set, set_of
from scoring.file_refusal import FileRefused
from scoring.gold.box_opening import open_sealed_file
from scoring.gold.opening import kept_for_their_salts, open_gold, open_newer_versions, phases_are_over
from scoring.gold.versions import GoldRefused
from scoring.item_sets.texts import answered
from scoring.models import GoldVersion, OpenedGold
from submissions.intake.pairs.minimal_pairs import MinimalPair, read_minimal_pairs
from submissions.intake.pairs.starter_data import StarterFile
from submissions.intake.sealing import VaultError

logger = logging.getLogger(__name__)

WAITS = "Its set waits: the organiser has to decide about pairs that differ by more than the rule allows."
ASKED = "Its set waits: people are asked whether the changes are minimal."
ANSWERED = "Systems have answered the set that was made of the team's earlier file, so that one stands."
ALL_LEFT_OUT = "The organiser has left out all of its pairs, so no set was made of it."
BROKEN = "No set can be made of it: {}. The organisers know."
GONE = "The team has withdrawn its pairs."
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
        due = PairFile.objects.accepted().filter(phase=phase, team__isnull=False, breaker_set__isnull=True)
        tasks = Task.objects.filter(pk__in=due.values("task"), is_retired=False)
        for task in tasks.select_related("benchmark"):
            if not _waits(phase, task):
                files = due.filter(task=task).order_by("received_at", "pk").values_list("pk", flat=True)
                made += filter(None, (_make(file, now) for file in files))
    return made


def _waits(phase: Phase, task: Task) -> bool:
    """Whether pairs of the task wait, for the organisers or for people who are asked; organisers are told once."""
    return _waits_for_people(phase, task) or _waits_for_organisers(phase, task)


def _waits_for_people(phase: Phase, task: Task) -> bool:
    """Whether people are asked whether pairs of the task are minimal."""
    reviews = reviews_going_on(task)
    files = PairFile.objects.accepted().filter(phase=phase, task=task, team__isnull=False)
    if reviews and files.exclude(status_reason=ASKED).update(status_reason=ASKED):
        named = " and ".join(
            f"“{campaign.title}”, a {campaign.get_status_display()} one" for campaign in reviews
        )
        tell_organisers(
            phase.benchmark,
            f"the sets of {task.title} wait for a campaign",
            f"The phase {phase.title} is closed. The sets of {task.title} are made once people have said whether its "
            f"pairs are minimal. These are not over: {named}. Close them, or have the pairs asked about no longer.",
            _FILES,
        )
    return bool(reviews)


def _waits_for_organisers(phase: Phase, task: Task) -> bool:
    """Whether pairs of the task wait for the organisers, who are reminded once."""
    waiting = Pair.objects.waiting().filter(pair_file__phase=phase, pair_file__task=task)
    if not waiting.exists():
        return False
    files = PairFile.objects.accepted().filter(pk__in=waiting.values("pair_file"))
    if files.exclude(status_reason=WAITS).update(status_reason=WAITS):
        count = waiting.count()
        pairs = f"{count} pair waits" if count == 1 else f"{count} pairs wait"
        tell_organisers(
            phase.benchmark,
            f"{pairs} for your word, and so do the sets of {task.title}",
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
    if earlier and answered([earlier.split]):  # before a new one could be made, so its file counts again
        file.end(PairFile.Status.WITHDRAWN, ANSWERED, now)
        same = PairFile.objects.filter(pk=earlier.pair_file_id)
        same.update(status=PairFile.Status.ACCEPTED, status_reason="", ended_at=None)
        return None
    pairs = list(file.pairs.taken())
    if not pairs:
        _say(file, ALL_LEFT_OUT)
        if earlier and earlier.withdrawn_at is None:
            mark_withdrawn(earlier, at=now, reason=ALL_LEFT_OUT)
        return None
    made = place_set(file=file, items=_items(file, pairs), now=now, user=None)
    PairFile.objects.filter(pk=file.pk).update(status_reason="")
    return made


def _is_due(file: PairFile, now: dt.datetime) -> bool:
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
    except FileRefused:
        raise CannotMake(_OTHER_STARTER) from None
    by_texts = {
        (pair.original.id, pair.original.text, pair.changed.id, pair.changed.text): pair
        for pair in _read(file, starter)
    }
    known = [(row.original_item, row.original_text, row.changed_item, row.changed_text) for row in pairs]
    if not by_texts.keys() >= set(known):
        raise CannotMake(_OTHER_STARTER)
    none = ("",) * len(starter.further_columns)  # what an original of the team's own making has there
    further = {item: row.further for item, row in starter.items.items()}
    rows = [
        (item, further.get(pair.original_id, none))
        for pair in map(by_texts.__getitem__, known)
        for item in (pair.original, pair.changed)
    ]
    return SetItems(
        ids=tuple(item.id for item, _ in rows),
        labels=tuple(item.label for item, _ in rows),
        columns=(TEXT, *starter.further_columns),
        texts=tuple((item.text, *cells) for item, cells in rows),
    )


def _read(file: PairFile, starter: StarterFile) -> Sequence[MinimalPair]:
    """The pairs of the sealed file. What the organiser's rule asks for was asked when it was handed in."""
    data = open_sealed_file(bytes(file.sealed), file.commitment)
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


def _end_sets_without_pairs(phase: Phase, now: dt.datetime) -> None:
    """A team that withdrew its pairs while the phase was open again has no set any more."""
    standing = BreakerSet.objects.standing().filter(pair_file__phase=phase, pair_file__team__isnull=False)
    later = PairFile.objects.accepted().filter(
        phase=phase, task=OuterRef("pair_file__task"), team=OuterRef("pair_file__team")
    )
    for breaker_set in standing.exclude(Exists(later) | Q(pair_file__status=PairFile.Status.ACCEPTED)):
        withdraw_set(breaker_set=breaker_set, reason=GONE, now=now, user=None)


def open_what_is_over(now: dt.datetime) -> list[OpenedGold]:
    """Open gold labels of what is over, and newer versions of those that are open. Again, it changes nothing.

    Only with the private key. What cannot be opened is logged by its code, and the others are opened.
    """
    opened = open_newer_versions(now)
    for benchmark in Benchmark.objects.filter(phases__kind=Phase.Kind.SCORE).distinct():
        for version in _may_be_opened(benchmark, now) if is_over(benchmark, now) else ():
            try:
                opened.append(open_gold(version=version, now=now))
            except VaultError as error:
                split = version.split
                logger.error("gold labels of %s could not be opened: %s", split, error.code)  # noqa: TRY400  # no traceback
    return opened


def is_over(benchmark: Benchmark, now: dt.datetime) -> bool:
    """Whether nobody of its teams has anything to hand in any more, and what they handed in in time is scored."""
    phases = benchmark.phases.filter(kind__in=[Phase.Kind.BUILD, Phase.Kind.BREAK, Phase.Kind.SCORE])
    return phases_are_over(phases, now) and not _are_sets_lacking(benchmark)


def _are_sets_lacking(benchmark: Benchmark) -> bool:
    """Whether no pairs could be answered yet, or some of those that were handed in could not.

    A set that was made too late waits for the score phase to be opened once more, or to be withdrawn.
    """
    sets = BreakerSet.objects.filter(split__task__benchmark=benchmark)
    own = sets.filter(split__task=OuterRef("task"), pair_file__team=OuterRef("team"))
    files = PairFile.objects.accepted().filter(
        ~Exists(own.filter(split__predictions__isnull=False)),  # of such a team a later file makes no set
        task__benchmark=benchmark,
        task__is_retired=False,
        breaker_set__isnull=True,
    )
    pairs = Pair.objects.filter(pair_file__in=files).exclude(decision=Pair.Decision.LEFT_OUT)
    last = benchmark.phases.filter(kind=Phase.Kind.SCORE).aggregate(Max("closes_at"))["closes_at__max"]
    return pairs.exists() or sets.standing().filter(made_at__gt=last).exists() or not sets.exists()


def _may_be_opened(benchmark: Benchmark, now: dt.datetime) -> list[GoldVersion]:
    """The current gold labels that are to be opened, and are not yet; those that are kept for their salts wait."""
    paired = [task.id for task in benchmark.spec.tasks if task.pairs]
    of_dev = Q(split__slug=DEV, split__task__slug__in=paired)
    current = GoldVersion.objects.current().filter(split__task__benchmark=benchmark, opened__isnull=True)
    wanted = current.filter(of_dev | Q(split__breaker_set__isnull=False))
    wanted = wanted.exclude(split__in=kept_for_their_salts(benchmark, now))
    return list(wanted.select_related("split__task").order_by("split__task__position", "split__slug"))
