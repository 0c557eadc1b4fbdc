"""Take in breakers' pairs: judge a file, seal it, keep what may be read, and let a team take it back."""

import datetime as dt
from collections.abc import Iterator, Sequence
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.views.decorators.debug import sensitive_variables

from accounts.formats.instants import day_in_utc, time_in_utc
from accounts.models import Membership, Team, User
from benchmarks.models import Phase, Split, Task
from benchmarks.notices.services import tell_organisers
from benchmarks.spec import BreakRuleSpec
from breaking.exceptions import PairsRefused, SetAnswered
from breaking.models import Pair, PairFile
from breaking.pairs.starter_data import starter_file
from breaking.querysets import lock_task
from scoring.core.measures.minimality import OutlierRule, change_between, outlier_reason
from scoring.file_refusal import FileRefused
from scoring.item_sets.texts import answered
from submissions.exceptions import CannotChange, NotYourTeam, PhaseClosed, PhaseNotReady, WrongPhase
from submissions.intake import MAX_UPLOAD_BYTES, Problem, ProblemCode
from submissions.intake.pairs.minimal_pairs import MinimalPair, read_minimal_pairs
from submissions.intake.pairs.starter_data import StarterFile
from submissions.intake.sealing import VaultError, seal_file
from submissions.quota.admission import refuse_inadmissible
from submissions.quota.registrations import refuse_unapproved

Status = PairFile.Status
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
    NotYourTeam, WrongPhase, PhaseClosed, PhaseNotReady, SetAnswered, BannedFromBenchmark, EmailNotConfirmed,
    TermsNotAccepted, AwaitingApproval, PairsRefused, SetAnswered
        In this order.
    """
    _refuse_strangers(team, user)
    _refuse_unless_open(phase, received_at)
    starter = _starter_of(task)
    _refuse_if_answered(team, task)
    refuse_inadmissible(benchmark=phase.benchmark, team=team, user=user)
    refuse_unapproved(benchmark=phase.benchmark, team=team, user=user, now=received_at)
    pairs = _read(data, file_name, task, starter, rule_of(phase))
    try:
        sealed = seal_file(data, settings.GOLD_PUBLIC_KEY)
    except VaultError as error:
        raise PhaseNotReady(
            f"The server has no key to seal labels with ({error}), so it takes no pairs. Please tell "
            "the organiser."
        ) from None
    pair_file = PairFile(
        task=task,
        phase=phase,
        team=team,
        breaker=team.name,
        submitted_by=user,
        received_at=received_at,
        file_name=file_name[-_LONGEST_FILE_NAME:],
        file_digest=PairFile.digest_of(data),
        sealed=sealed.ciphertext,
        key_fingerprint=sealed.key_fingerprint,
        commitment=sealed.commitment,
        pair_count=len(pairs),
    )
    rows = list(_rows(pair_file, pairs, rule_of(phase)))
    earlier = _keep(pair_file, team, rows, starter)
    if earlier is None:
        _tell_what_waits(pair_file, sum(row.decision == Pair.Decision.WAITING for row in rows))
    return earlier or pair_file


@transaction.atomic
def _keep(pair_file: PairFile, team: Team, rows: Sequence[Pair], starter: StarterFile) -> PairFile | None:
    """Store the file and end the team's earlier one; where that is the same file, give it and store nothing."""
    # One after the other, and never while the starter data is replaced; see `load_starter`.
    lock_task(pair_file.task_id)
    _refuse_unless_open(Phase.objects.get(pk=pair_file.phase_id), pair_file.received_at)
    _refuse_if_answered(team, pair_file.task)
    if _starter_of(pair_file.task) != starter:
        raise PhaseNotReady("The starter data was replaced at this moment. Please send the file again.")
    counting = PairFile.objects.accepted().filter(task=pair_file.task, phase=pair_file.phase_id, team=team)
    earlier: PairFile | None = counting.first()
    if earlier is not None and earlier.file_digest == pair_file.file_digest:
        return earlier
    reason = "A later file of the team took its place."
    counting.update(status=Status.REPLACED, status_reason=reason, ended_at=pair_file.received_at)
    pair_file.save(force_insert=True)
    Pair.objects.bulk_create(rows)
    return None


@transaction.atomic
def withdraw_pairs(*, pair_file: PairFile, user: User, now: dt.datetime) -> PairFile:
    """Have a team's file count no longer, before the phase closes. It stays in the team's list.

    Raises
    ------
    NotYourTeam, CannotChange
    """
    _refuse_strangers(pair_file.team, user)
    lock_task(pair_file.task_id)
    current: PairFile = PairFile.objects.select_related("phase", "task").get(pk=pair_file.pk)
    if sentence := why_not_withdrawn(current, now):
        raise CannotChange(sentence)
    current.end(Status.WITHDRAWN, f"Withdrawn by {user}.", now)
    return current


def why_not_withdrawn(pair_file: PairFile, at: dt.datetime) -> str:
    """Why its team cannot take a file back at that instant; empty if it can."""
    if pair_file.status != Status.ACCEPTED:
        return f"This file was {pair_file.get_status_display()} already; nothing was changed."
    if not pair_file.phase.is_open(at):
        return f"The phase {pair_file.phase.title} is closed. Please ask the organiser to withdraw the set."
    if pair_file.team_id and _is_answered(pair_file.team_id, pair_file.task_id):
        return "Systems have answered the set of this file. Please ask the organiser to withdraw the set."
    return ""


def rule_of(phase: Phase) -> BreakRuleSpec:
    """What pairs are held against; nothing is an outlier where the definition says nothing."""
    return phase.benchmark.spec.break_rule or BreakRuleSpec()


def _refuse_unless_open(phase: Phase, at: dt.datetime) -> None:
    if phase.kind != Phase.Kind.BREAK:
        raise WrongPhase(
            f"The phase {phase.title} takes predictions, not pairs. They are sent as submissions of a system."
        )
    if phase.opens_at is not None and at < phase.opens_at:
        day, time = day_in_utc(phase.opens_at), time_in_utc(phase.opens_at)
        raise PhaseClosed(f"The phase {phase.title} opens on {day} at {time} UTC. Please come back then.")
    if not phase.is_open(at):
        day, time = day_in_utc(phase.closes_at or at), time_in_utc(phase.closes_at or at)
        raise PhaseClosed(f"The phase {phase.title} closed on {day} at {time} UTC and takes no pairs.")


def _refuse_if_answered(team: Team, task: Task) -> None:
    if _is_answered(team.pk, task.pk):
        raise SetAnswered(
            "Systems have answered the set that was made of your team's pairs, so it stays as it is: "
            "with other pairs their answers would be about something else."
        )


def _is_answered(team: UUID, task: int) -> bool:
    sets = Split.objects.filter(breaker_set__pair_file__team=team, breaker_set__pair_file__task=task)
    return bool(answered(sets))


def _refuse_strangers(team: Team | None, user: User) -> None:
    if team is None or not Membership.objects.filter(team=team, user=user).exists():
        raise NotYourTeam("Only members of the team may do this. Ask one of them for an invitation link.")


def _starter_of(task: Task) -> StarterFile:
    try:
        return starter_file(task)
    except FileRefused as refused:
        raise PhaseNotReady(refused.sentences[0]) from None


def _read(
    data: bytes, file_name: str, task: Task, starter: StarterFile, rule: BreakRuleSpec
) -> list[MinimalPair]:
    if len(data) > MAX_UPLOAD_BYTES:
        message = f"The file has more than {MAX_UPLOAD_BYTES >> 20} MB, the most that is accepted."
        raise PairsRefused(
            [Problem(ProblemCode.FILE_TOO_LARGE, message, file=file_name, line=None, column=None)], 0
        )
    return read_minimal_pairs(
        data,
        file_name=file_name,
        task=task.spec,
        starter=starter.pairs,
        kept=starter.kept,
        from_scratch=rule.from_scratch,
        needs_rationale=rule.needs_rationale,
        categories=rule.categories,
    ).content_or(PairsRefused)


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
            category=pair.category,
            is_from_scratch=pair.is_from_scratch,
            character_edits=change.character_edits,
            token_edits=change.token_edits,
            token_count=change.token_count,
            outlier_reason=reason,
            decision=Pair.Decision.WAITING if reason else Pair.Decision.FINE,
        )


def _tell_what_waits(pair_file: PairFile, count: int) -> None:
    if count:
        waiting = f"{count} pair waits" if count == 1 else f"{count} pairs wait"
        tell_organisers(
            pair_file.phase.benchmark,
            f"{waiting} for your word",
            f"Of the {pair_file.pair_count} pairs that {pair_file.breaker} handed in for {pair_file.task.title}, "
            f"{waiting} because of the size of the change. No set is made of the task's pairs while any of them waits.",
            f"/admin/breaking/pair/?decision__exact=waiting&pair_file__task__id__exact={pair_file.task_id}",
        )
