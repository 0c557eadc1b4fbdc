"""Take in breakers' pairs: judge a file, seal it, keep what may be read, and let a team take it back."""

import datetime as dt
import uuid
from collections.abc import Iterator, Sequence

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.views.decorators.debug import sensitive_variables

from accounts.formats.instants import day_in_utc, time_in_utc
from accounts.models import Membership, Team, User
from benchmarks.models import Phase, Task
from benchmarks.spec import BreakRuleSpec
from breaking.exceptions import PairsRefused
from breaking.mail import tell_organisers
from breaking.models import BreakerSet, Pair, PairFile
from breaking.pairs.starter_data import StarterRefused, starter_file
from breaking.sets.creation import lock_task
from scoring.core.measures.minimality import OutlierRule, change_between, outlier_reason
from scoring.gold.sealing import VaultError, seal_file
from scoring.item_sets.texts import answered
from submissions.exceptions import CannotChange, NotYourTeam, PhaseClosed, PhaseNotReady, WrongPhase
from submissions.intake import MAX_UPLOAD_BYTES, Problem, ProblemCode
from submissions.intake.pairs.minimal_pairs import MinimalPair, read_minimal_pairs
from submissions.intake.pairs.starter_data import StarterFile
from submissions.quota.terms import refuse_unless_accepted

Status = PairFile.Status
Decision = Pair.Decision
_LONGEST_FILE_NAME = 255


@sensitive_variables()  # the file says what the pairs' labels are
def hand_in_pairs(
    *,
    team: Team,
    phase: Phase,
    task: Task,
    user: User,
    data: bytes,
    file_name: str,
    received_at: dt.datetime,
) -> PairFile:
    """Judge a team's file of pairs and, where it is faultless, keep it in place of the team's earlier one.

    The file is sealed before anything is stored; its labels stand nowhere else. Pairs that exceed the organiser's
    rule are kept and wait. The file that counts already, sent again, gives that `PairFile`, whose `received_at` is
    then another.

    Raises
    ------
    NotYourTeam, WrongPhase, PhaseClosed, PhaseNotReady, CannotChange, TermsNotAccepted, PairsRefused
        In this order. `CannotChange`: systems have answered the set that was made of the team's earlier pairs.
    """
    _refuse_strangers(team, user)
    refuse_unless_open(phase, received_at)
    starter = _starter_of(task)
    refuse_if_answered(team, task)
    refuse_unless_accepted(phase.benchmark, user)
    rule = rule_of(phase)
    pairs = _read(data, file_name, task, starter, rule)
    pair_file = PairFile(
        task=task,
        phase=phase,
        team=team,
        breaker=team.name,
        submitted_by=user,
        received_at=received_at,
        file_name=file_name[-_LONGEST_FILE_NAME:],
        file_digest=PairFile.digest_of(data),
        pair_count=len(pairs),
    )
    _seal(pair_file, data)
    rows = list(_rows(pair_file, pairs, rule))
    kept = _keep(pair_file, rows, starter)
    if kept == pair_file:
        _tell_what_waits(pair_file, rows)
    return kept


def _keep(pair_file: PairFile, rows: Sequence[Pair], starter: StarterFile) -> PairFile:
    """Store the file and end the team's earlier one; that one where it is the same file."""
    task, team = pair_file.task, pair_file.team
    if team is None:
        raise ValueError("only a team hands in pairs")
    with transaction.atomic():
        # One after the other, and never while the starter data is replaced; see `load_starter`.
        lock_task(task.pk)
        refuse_unless_open(Phase.objects.get(pk=pair_file.phase_id), pair_file.received_at)
        refuse_if_answered(team, task)
        if _starter_of(task) != starter:
            raise PhaseNotReady("The starter data was replaced at this moment. Please send the file again.")
        counting = PairFile.objects.accepted().filter(task=task, phase=pair_file.phase_id, team=team)
        earlier: PairFile | None = counting.first()
        if earlier is not None and earlier.file_digest == pair_file.file_digest:
            return earlier
        counting.update(
            status=Status.REPLACED,
            status_reason="A later file of the team took its place.",
            ended_at=pair_file.received_at,
        )
        pair_file.save(force_insert=True)
        Pair.objects.bulk_create(rows)
    return pair_file


@transaction.atomic
def withdraw_pairs(*, pair_file: PairFile, user: User, now: dt.datetime) -> PairFile:
    """Have a team's file count no longer, before the phase closes. It stays in the team's list.

    Raises
    ------
    NotYourTeam, CannotChange
    """
    _refuse_strangers(pair_file.team, user)
    lock_task(pair_file.task_id)
    found: PairFile = PairFile.objects.select_related("phase", "task").get(pk=pair_file.pk)
    sentence = why_not_withdrawn(found, now)
    if sentence:
        raise CannotChange(sentence)
    found.status, found.status_reason, found.ended_at = (
        Status.WITHDRAWN,
        f"Withdrawn by {user}.",
        now,
    )
    found.save(update_fields=["status", "status_reason", "ended_at"])
    return found


def why_not_withdrawn(pair_file: PairFile, at: dt.datetime) -> str:
    """Why its team cannot take a file back at that instant; empty if it can."""
    if pair_file.status != Status.ACCEPTED:
        return f"This file was {pair_file.get_status_display()} already; nothing was changed."
    if not pair_file.phase.is_open(at):
        return f"The phase {pair_file.phase.title} is closed. Please ask the organiser to withdraw the set."
    if answered(one.split for one in _sets_of(pair_file.team_id, pair_file.task_id)):
        return "Systems have answered the set of this file. Please ask the organiser to withdraw the set."
    return ""


def rule_of(phase: Phase) -> BreakRuleSpec:
    """What pairs are held against; nothing is an outlier where the definition says nothing."""
    return phase.benchmark.spec.break_rule or BreakRuleSpec()


def refuse_unless_open(phase: Phase, at: dt.datetime) -> None:
    """WrongPhase or PhaseClosed unless the phase takes pairs at that instant."""
    if phase.kind != Phase.Kind.BREAK:
        raise WrongPhase(
            f"The phase {phase.title} takes predictions, not pairs. They are sent as submissions of a system."
        )
    if phase.is_open(at):
        return
    if phase.opens_at is not None and at < phase.opens_at:
        sentence, instant = (
            "The phase %(phase)s opens on %(day)s at %(time)s UTC. Please come back then.",
            phase.opens_at,
        )
    else:
        sentence = "The phase %(phase)s closed on %(day)s at %(time)s UTC and takes no pairs."
        instant = phase.closes_at or at
    named = {"phase": phase.title, "day": day_in_utc(instant), "time": time_in_utc(instant)}
    raise PhaseClosed(sentence % named)


def refuse_if_answered(team: Team, task: Task) -> None:
    """CannotChange if systems have answered the set that was made of the team's pairs."""
    if answered(one.split for one in _sets_of(team.pk, task.pk)):
        raise CannotChange(
            "Systems have answered the set that was made of your team's pairs, so it stays as it is: "
            "with other pairs their answers would be about something else."
        )


def _sets_of(team: uuid.UUID | None, task: int) -> QuerySet[BreakerSet]:
    """What was made of a team's pairs; nothing for an imported file, which has no team."""
    made = BreakerSet.objects.filter(
        pair_file__team=team, pair_file__team__isnull=False, pair_file__task=task
    )
    found: QuerySet[BreakerSet] = made.select_related("split")
    return found


def _refuse_strangers(team: Team | None, user: User) -> None:
    if team is None or not Membership.objects.filter(team=team, user=user).exists():
        raise NotYourTeam("Only members of the team may do this. Ask one of them for an invitation link.")


def _starter_of(task: Task) -> StarterFile:
    try:
        return starter_file(task)
    except StarterRefused as refused:
        raise PhaseNotReady(refused.sentences[0]) from None


def _read(
    data: bytes, file_name: str, task: Task, starter: StarterFile, rule: BreakRuleSpec
) -> list[MinimalPair]:
    if len(data) > MAX_UPLOAD_BYTES:
        message = f"The file has more than {MAX_UPLOAD_BYTES >> 20} MB, the most that is accepted."
        raise PairsRefused(
            [Problem(ProblemCode.FILE_TOO_LARGE, file_name, None, None, None, None, message)], 0
        )
    read = read_minimal_pairs(
        data,
        file_name=file_name,
        task=task.spec,
        starter=starter.pairs,
        kept=starter.kept,
        from_scratch=rule.from_scratch,
        needs_rationale=rule.needs_rationale,
    )
    return read.content_or(PairsRefused)


def _seal(pair_file: PairFile, data: bytes) -> None:
    try:
        sealed = seal_file(data, settings.GOLD_PUBLIC_KEY)
    except VaultError as error:
        raise PhaseNotReady(
            f"The server has no key to seal labels with ({error}), so it takes no pairs. Please tell "
            "the organiser."
        ) from None
    pair_file.sealed, pair_file.commitment = sealed.ciphertext, sealed.commitment
    pair_file.key_fingerprint = sealed.key_fingerprint


def _rows(pair_file: PairFile, pairs: Sequence[MinimalPair], rule: BreakRuleSpec) -> Iterator[Pair]:
    """What may be read of the pairs: everything but their labels."""
    limits = OutlierRule(rule.largest_token_share, rule.largest_token_edits)
    for position, pair in enumerate(pairs):
        change = change_between(pair.original.text, pair.changed.text)
        reason = outlier_reason(change, limits)
        yield Pair(
            pair_file=pair_file,
            position=position,
            line=pair.line,
            original_item=pair.original.id,
            changed_item=pair.changed.id,
            original_id=pair.original_id,
            original_text=pair.original.text,
            changed_text=pair.changed.text,
            rationale=pair.rationale,
            is_from_scratch=pair.is_from_scratch,
            character_edits=change.character_edits,
            token_edits=change.token_edits,
            token_count=change.token_count,
            outlier_reason=reason,
            decision=Decision.WAITING if reason else Decision.FINE,
        )


def _tell_what_waits(pair_file: PairFile, rows: Sequence[Pair]) -> None:
    """One mail to the organisers about the pairs of a file that exceed their rule."""
    count = sum(row.decision == Decision.WAITING for row in rows)
    if not count:
        return
    tell_organisers(
        pair_file.phase.benchmark,
        (f"{count} pair waits for your word" if count == 1 else f"{count} pairs wait for your word"),
        (
            (
                f"Of the {len(rows)} pairs that {pair_file.breaker} handed in for "
                f"{pair_file.task.title}, {count} pair waits because of the size of the change. No set "
                "is made of the task's pairs while any of them waits."
            )
            if count == 1
            else (
                f"Of the {len(rows)} pairs that {pair_file.breaker} handed in for "
                f"{pair_file.task.title}, {count} pairs wait because of the size of the change. No set "
                "is made of the task's pairs while any of them waits."
            )
        ),
        f"/admin/breaking/pair/?decision__exact=waiting&pair_file__task__id__exact={pair_file.task_id}",
    )
