"""Ask people whether breakers changed only what matters, and have pairs wait of which most say no."""

import datetime as dt
from collections.abc import Sequence

from django.db import transaction
from django.db.models import F, Q

from accounts.models import User
from benchmarks.models import Phase, Task
from benchmarks.notices.services import tell_organisers
from breaking.models import Pair, PairFile, TakenOutcome
from breaking.pairs.campaigns import (
    TEXT,
    CampaignAnswers,
    begin,
    counting_pairs,
    one_task,
    take_each,
    unit_key,
)
from breaking.pairs.rule_texts import WHAT_A_PAIR_IS, pair_rules
from breaking.pairs.starter_data import kept_texts
from breaking.pairs.uploads import rule_of
from breaking.querysets import lock_task
from labelling.core.questions.question import CampaignQuestion
from labelling.models import Campaign, Outcome
from labelling.outcomes.pair_validation import MINIMALITY
from labelling.units.from_attack import CHANGED, ORIGINAL
from labelling.units.new_units import NewUnit

_LONGEST_REASON = 500
QUESTION = CampaignQuestion(
    "yes_no", "Is only what matters changed between the two texts?", wants_reason=True
)


def written_definition(phase: Phase) -> str:
    """What breakers are told a minimal pair is: a beginning for the organiser's own words."""
    return "\n\n".join((*WHAT_A_PAIR_IS, *pair_rules(rule_of(phase))[:1]))


def ask_about_minimality(
    *, pair_files: Sequence[PairFile], definition: str, user: User, now: dt.datetime
) -> Campaign:
    """A draft that asks about every pair of these files, both texts side by side, with a definition as guidelines.

    As long as it is not over, no sets are made of the task's pairs.

    Raises
    ------
    CannotAsk
        If they are of several tasks, or there is nothing to ask about.
    """
    task = one_task([file.task for file in pair_files])
    units = []
    for _file, pair in counting_pairs(pair_files):
        kept = kept_texts(task, pair.original_id)
        shown = [  # in halves, as pages show them side by side
            (f"{heading} ({name})", words)
            for name, text in ((ORIGINAL, pair.original_text), (CHANGED, pair.changed_text))
            for heading, words in ((TEXT, text), *kept)
        ]
        key = f"{unit_key(shown)}-{pair.pk}"
        units.append(NewUnit(key=key, items=(key,), shown=[shown], source={"pair": pair.pk}))
    return begin(
        task=task,
        purpose=MINIMALITY,
        question=QUESTION.as_json(),
        units=units,
        user=user,
        now=now,
        title=f"Minimality of pairs, {task.title}"[:120],
        guidelines=definition,
    )


def reviews_going_on(task: Task) -> list[Campaign]:
    """The campaigns about the minimality of a task's pairs that are not over, or were not taken in yet."""
    campaigns = Campaign.objects.filter(task=task, purpose=MINIMALITY)
    unsettled = ~Q(status=Campaign.Status.CLOSED) | Q(outcomes_made__lt=F("outcomes_wanted"))
    untaken = Q(outcomes__isnull=False, outcomes__taken__isnull=True)
    return list(campaigns.filter(unsettled | untaken).distinct())


@transaction.atomic
def drop_drafts(*, pair_files: Sequence[PairFile]) -> int:
    """Ask nobody after all: drafts about these files' tasks go; returns how many did."""
    drafts = Campaign.objects.select_for_update().filter(
        task__in={file.task_id for file in pair_files}, purpose=MINIMALITY, status=Campaign.Status.DRAFT
    )
    dropped = 0
    for draft in drafts:
        draft.units.all().delete()
        draft.invitations.all().delete()
        draft.delete()
        dropped += 1
    return dropped


def take_minimality(now: dt.datetime) -> int:
    """Have pairs wait for the organiser of which most people say that more was changed than what matters.

    Again, it changes nothing. Returns how many campaigns were taken.
    """
    return take_each(MINIMALITY, _take, now)


def _take(outcome: Outcome, now: dt.datetime) -> bool:
    campaign = outcome.campaign
    if campaign.task_id is not None:
        lock_task(campaign.task_id)
    answers = {
        unit.source.get("pair"): [value for _, value in given] for unit, given in CampaignAnswers(campaign)
    }
    rows = Pair.objects.filter(pk__in=[pk for pk in answers if pk]).select_related("pair_file__breaker_set")
    waiting = 0
    for pair in rows.defer("pair_file__sealed"):
        said = answers[pair.pk]
        pair.asked_count, pair.minimal_count = len(said), said.count(True)
        noes = len(said) - pair.minimal_count
        if 2 * noes > len(said):
            waiting += _have_wait(pair, noes)
        pair.save(update_fields=["asked_count", "minimal_count", "decision", "outlier_reason"])
    report = {"pairs": len(answers), "waiting": waiting}
    TakenOutcome.objects.create(outcome=outcome, report=report, taken_at=now)
    _tell(campaign, waiting)
    return True


def _have_wait(pair: Pair, noes: int) -> bool:
    """Whether the pair waits because of what people say; what was decided, or is in a set, stays."""
    is_undecided = pair.decision in (Pair.Decision.FINE, Pair.Decision.WAITING)
    file = pair.pair_file
    if not is_undecided or file.status != PairFile.Status.ACCEPTED or hasattr(file, "breaker_set"):
        return False
    reason = f"{noes} of {pair.asked_count} people say that more was changed than what matters."
    pair.decision = Pair.Decision.WAITING
    pair.outlier_reason = " ".join(filter(None, (pair.outlier_reason, reason)))[:_LONGEST_REASON]
    return True


def _tell(campaign: Campaign, count: int) -> None:
    if count:
        pairs = f"{count} pair waits" if count == 1 else f"{count} pairs wait"
        tell_organisers(
            campaign.benchmark,
            f"{pairs} for your word: people find them not minimal",
            f"Most people in the campaign “{campaign.title}” say of {count} of its pairs that more was changed than "
            "what matters. No set is made of the task's pairs while any of them waits.",
            f"/admin/breaking/pair/?decision__exact={Pair.Decision.WAITING.value}",
        )
