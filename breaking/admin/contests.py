"""Contested labels in the admin: votes of annotators, and the organiser's decision."""

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import admin, messages
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest

from accounts.admin_look import ActionVariant, coloured
from accounts.formats.instants import in_words
from accounts.formats.numbers import percent
from accounts.models import User
from benchmarks.admin.asks import Ask, Done, Selected
from benchmarks.admin.organised.links import link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, Table, column
from benchmarks.models import Split
from benchmarks.people.rights import Right
from breaking.admin.campaigns import ASK_ABOUT_CONTESTS
from breaking.admin.contest_forms import DecisionForm, DecisionNoteForm, VoteForm, VotesForm
from breaking.contests.decisions import decide
from breaking.contests.item_labels import VotesTaken, add_votes, item_texts, load_votes, tally
from breaking.exceptions import GoldSealed
from breaking.models import Contest, Vote
from scoring.file_refusal import FileRefused
from scoring.gold.opening import opened_labels
from submissions.exceptions import SubmissionError
from submissions.intake.pairs.votes import FoundVote

_A_CAMPAIGN = "a campaign"
_VOTES_TAKEN = "Votes were taken: {result.new} new, {result.changed} changed."
_VOTES_LOGGED = "Votes: {result.new} new, {result.changed} changed."
COLOURS = {
    "open": "info",
    "decided": "info",
    "label changed": "success",
    "label stands": "success",
}


def _question(title: str, split: Split | None, chosen: Sequence[Table] = ()) -> Question:
    sealed = split is not None and split.gold_opened_at is None
    return Question(
        title=title,
        sentences=(
            "If a label changes, the set gets a new version of its gold labels within a minute or two, "
            "and scores follow with the next batch; “Close now” on the phase makes one at once. The "
            "release then says what changed for whom.",
            *(["The gold labels are sealed: what you choose is sealed too."] if sealed else []),
            "Decision and note are public once the gold labels are. This cannot be undone, but the "
            "label can be contested again.",
        ),
        button="Decide",
        tables=chosen,
    )


def _decided(contest: Contest, decided: Contest) -> Done:
    """What is told and logged of a decision. The log names no label."""
    return Done(
        f"{contest}: decided. The gold labels follow within a minute or two.",
        f"Decided: {decided.get_choice_display()}. {decided.note}",
    )


def _deciding(choice: Contest.Choice) -> Ask:
    """Decide alike about all that are chosen; whoever is refused stands among the messages."""

    def question(contests: list[Contest]) -> Question:
        number = len(contests)
        rows = [(link(one, one.item), one.split, one.get_status_display()) for one in contests]
        count = f"{number} contest" if number == 1 else f"{number} contests"
        return _question(
            f"{count}: {choice.label}", None, (Table("Chosen", ("Item", "Set", "Status"), rows),)
        )

    def do(
        *, contests: list[Contest], note: str, user: User, now: dt.datetime, log: Callable[..., None]
    ) -> Done:
        told = []
        for contest in contests:
            try:
                done = _decided(
                    contest, decide(contest=contest, choice=choice, note=note, user=user, now=now)
                )
            except SubmissionError as refused:
                told.append((messages.ERROR, f"{contest}: {refused}"))
            else:
                log(contest, done.log)
                told.append((messages.SUCCESS, done.told))
        return Done(also=told)

    return Ask(question=question, form=DecisionNoteForm, do=do, of_many=True)


def _about_votes(of: str, sentence: str) -> Question:
    return Question(
        title=f"Votes on {of}",
        sentences=(
            sentence,
            "How many votes a label has is public, and so is whether they agree; who voted is not.",
        ),
        button="Take the votes",
    )


def _enter_vote(*, contest: Contest, voter: str, label: str, user: User, now: dt.datetime) -> VotesTaken:
    votes = [FoundVote(contest.item, voter, label)]
    return add_votes(split=contest.split, votes=votes, user=user, now=now)


def _load_votes(*, contest: Contest, data: bytes, file_name: str, user: User, now: dt.datetime) -> VotesTaken:
    return load_votes(split=contest.split, data=data, file_name=file_name, user=user, now=now)


@admin.register(Contest)
class ContestAdmin(OrganisedAdmin):
    """Read-only: a contest changes by votes and by what is decided."""

    read_right = Right.LABEL
    benchmark_path = "split__task__benchmark"
    unread_columns = ("sealed_lines", "sealed_label")
    list_display = ("item", "of_set", "said", "votes", "state", "raised_at")
    list_filter = ("status", ("split__task__benchmark", admin.RelatedOnlyFieldListFilter))
    search_fields = ("item", "split__slug", "reason")
    fieldsets = (
        (None, {"fields": (("item", "of_set"), "texts", "label_now", "reason", "proposed_label", "raised")}),
        ("Votes of annotators", {"fields": (("votes", "majority", "agreement"),)}),
        ("Decision", {"fields": ("state", "choice", "note", "decided", "version")}),
    )
    actions = ("ask_selected", "keep_selected", "first_selected", "last_selected")
    actions_detail = ("decide", "enter_vote", "load_votes")
    audited = ("status", "choice", "note")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = (
            super()
            .get_queryset(request)
            .select_related("split__task__benchmark", "team", "raised_by", "campaign")
        )
        return rows.prefetch_related(Prefetch("votes", Vote.objects.select_related("team")))

    of_set = column("set", "split", ordering="split")
    said = column(
        "reason", lambda contest: contest.reason if len(contest.reason) <= 80 else contest.reason[:79] + "…"
    )
    majority = column("majority", lambda contest: tally(contest.votes.all()).majority or "none")

    decide = Ask(
        label="Decide",
        icon="gavel",
        variant=ActionVariant.PRIMARY,
        question=lambda contest: _question(f"Decide about {contest.item}", contest.split),
        form=DecisionForm,
        given=lambda contest: {"contest": contest},
        do=decide,
        done=_decided,
        refused=(SubmissionError,),
    )
    ask_selected = Selected(ASK_ABOUT_CONTESTS)
    keep_selected = Selected(_deciding(Contest.Choice.KEEP), "Keep the label")
    first_selected = Selected(_deciding(Contest.Choice.FIRST), "Take the label of the first line")
    last_selected = Selected(_deciding(Contest.Choice.LAST), "Take the label of the last line")
    enter_vote = Ask(
        label="Enter a vote",
        right=Right.LABEL,
        icon="how_to_vote",
        question=lambda contest: _about_votes(
            contest.item, "An annotator has one vote on an item; a new one takes the place of the last."
        ),
        form=VoteForm,
        given=lambda contest: {"contest": contest},
        do=_enter_vote,
        refused=(SubmissionError,),
        done=_VOTES_TAKEN,
        log=_VOTES_LOGGED,
    )
    load_votes = Ask(
        label="Load votes",
        icon="upload_file",
        question=lambda contest: _about_votes(
            contest.split,
            f"Votes on any contested and undecided item of {contest.split}. An annotator who has voted on an "
            "item already votes anew. If one line is wrong, nothing is taken.",
        ),
        form=VotesForm,
        do=_load_votes,
        refused=(FileRefused, GoldSealed),
        done=_VOTES_TAKEN,
        log=_VOTES_LOGGED,
    )

    @coloured("status", COLOURS, ordering="status")
    def state(self, contest: Contest) -> str:
        if contest.status == Contest.Status.OPEN:
            return "decided" if contest.decided_at else "open"
        named = {Contest.Status.CHANGED: "label changed", Contest.Status.KEPT: "label stands"}
        return named.get(Contest.Status(contest.status), "taken back")

    @admin.display(description="votes")
    def votes(self, contest: Contest) -> str:
        counts = tally(contest.votes.all()).counts
        return ", ".join(f"{count} for “{label}”" for label, count in counts) or "none yet"

    @admin.display(description="pairs of votes that agree")
    def agreement(self, contest: Contest) -> str:
        found = tally(contest.votes.all()).agreement
        return "fewer than two votes" if found is None else percent(found, 0)

    @admin.display(description="texts")
    def texts(self, contest: Contest) -> str:
        found = item_texts(contest.split, [contest.item]).get(contest.item, {})
        return "\n".join(f"{column}: {text}" for column, text in found.items()) or "none are loaded"

    @admin.display(description="label now")
    def label_now(self, contest: Contest) -> str:
        labels = opened_labels(contest.split)
        return "sealed" if labels is None else labels.get(contest.item, "no item of the set any more")

    @admin.display(description="raised")
    def raised(self, contest: Contest) -> str:
        nobody = f"the campaign {contest.campaign}" if contest.campaign else "an import"
        by = f"{in_words(contest.raised_at)} by {contest.raised_by or nobody}"
        return f"{by} of {contest.team}" if contest.team else by

    @admin.display(description="decided")
    def decided(self, contest: Contest) -> str:
        if not contest.decided_at:
            return "not yet"
        return f"{in_words(contest.decided_at)} by {contest.decided_by}"

    @admin.display(description="gold version")
    def version(self, contest: Contest) -> str:
        return link(contest.gold_version, contest.gold_version.number) if contest.gold_version else "none"

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        votes = list(row.votes.select_related("entered_by", "team"))
        cells = [
            (
                one.team,
                (one.team or one.voter, one.label, one.entered_by or _A_CAMPAIGN, in_words(one.entered_at)),
            )
            for one in votes
        ]
        return [
            Table(
                "Votes",
                ("Annotator", "Label", "Entered by", "When"),
                [line for team, line in cells if not team],
                empty="None yet.",
            ),
            Table(
                "Voices of other teams",
                ("Team", "Label", "Said by", "When"),
                [line for team, line in cells if team],
                empty="None.",
            ),
        ]
