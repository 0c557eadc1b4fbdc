"""Contested labels in the admin: votes of annotators, and the organiser's decision."""

from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.debug import sensitive_variables

from accounts.admin_look import ActionVariant, button, coloured
from accounts.formats.instants import in_words
from accounts.formats.numbers import percent
from accounts.models import User
from accounts.server.clock import database_now
from benchmarks.admin.base import OrganisedAdmin, Question, Table, address, link, was_confirmed
from benchmarks.models import Split
from breaking.admin.contest_forms import DecisionForm, DecisionNoteForm, VoteForm, VotesForm
from breaking.contests.decisions import decide
from breaking.contests.item_labels import VotesRefused, VotesTaken, add_votes, item_texts, load_votes, tally
from breaking.exceptions import GoldSealed
from breaking.models import Contest, Vote
from scoring.gold.opening import opened_labels
from submissions.exceptions import SubmissionError
from submissions.intake.pairs.votes import FoundVote

COLOURS = {
    "open": "info",
    "decided": "info",
    "label changed": "success",
    "label stands": "success",
}


@admin.register(Contest)
class ContestAdmin(OrganisedAdmin):
    """Read-only: a contest changes by votes and by what is decided."""

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
    actions = ("keep_selected", "first_selected", "last_selected")
    actions_detail = ("decide", "enter_vote", "load_votes")
    audited = ("status", "choice", "note")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request).select_related("split__task__benchmark", "team", "raised_by")
        votes = Prefetch("votes", Vote.objects.select_related("team"))
        found: QuerySet[Any] = rows.prefetch_related(votes)
        return found

    @admin.display(description="set", ordering="split")
    def of_set(self, contest: Contest) -> str:
        return str(contest.split)

    @admin.display(description="reason")
    def said(self, contest: Contest) -> str:
        return contest.reason if len(contest.reason) <= 80 else contest.reason[:79] + "…"

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

    @admin.display(description="majority")
    def majority(self, contest: Contest) -> str:
        return tally(contest.votes.all()).majority or "none"

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
        said = {
            "instant": in_words(contest.raised_at),
            "user": contest.raised_by or "an import",
            "team": contest.team,
        }
        if contest.team:
            return "{instant} by {user} of {team}".format(**said)
        return "{instant} by {user}".format(**said)

    @admin.display(description="decided")
    def decided(self, contest: Contest) -> str:
        if not contest.decided_at:
            return "not yet"
        said = {"instant": in_words(contest.decided_at), "user": contest.decided_by}
        return "{instant} by {user}".format(**said)

    @admin.display(description="gold version")
    def version(self, contest: Contest) -> str:
        return link(contest.gold_version, contest.gold_version.number) if contest.gold_version else "none"

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        votes = list(row.votes.select_related("entered_by", "team"))
        annotators = [
            (one.voter, one.label, one.entered_by, in_words(one.entered_at)) for one in votes if not one.team
        ]
        voices = [
            (one.team, one.label, one.entered_by, in_words(one.entered_at)) for one in votes if one.team
        ]
        return [
            Table(
                "Votes",
                ("Annotator", "Label", "Entered by", "When"),
                annotators,
                empty="None yet.",
            ),
            Table(
                "Voices of other teams",
                ("Team", "Label", "Said by", "When"),
                voices,
                empty="None.",
            ),
        ]

    @button("Decide", icon="gavel", variant=ActionVariant.PRIMARY)
    @sensitive_variables()
    def decide(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Keep the label or choose another, after saying what follows."""
        contest = self.row_or_404(request, object_id)
        form = DecisionForm(contest, request.POST if was_confirmed(request) else None)
        problems: tuple[str, ...] = ()
        if form.is_valid():
            problems = self._decide(request, contest, **form.cleaned_data)
            if not problems:
                return HttpResponseRedirect(address(contest))
        question = _question(f"Decide about {contest.item}", contest.split, form, problems)
        return self.ask(request, question, row=contest)

    @admin.action(description="Keep the label")
    def keep_selected(self, request: HttpRequest, queryset: QuerySet[Contest]) -> HttpResponse | None:
        """Keep the labels of the selected contests."""
        return self._decide_all(request, list(queryset), Contest.Choice.KEEP, "keep_selected")

    @admin.action(description="Take the label of the first line")
    def first_selected(self, request: HttpRequest, queryset: QuerySet[Contest]) -> HttpResponse | None:
        """Of items that a file gives several times, take the first line."""
        return self._decide_all(request, list(queryset), Contest.Choice.FIRST, "first_selected")

    @admin.action(description="Take the label of the last line")
    def last_selected(self, request: HttpRequest, queryset: QuerySet[Contest]) -> HttpResponse | None:
        """Of items that a file gives several times, take the last line."""
        return self._decide_all(request, list(queryset), Contest.Choice.LAST, "last_selected")

    def _decide_all(
        self, request: HttpRequest, contests: list[Contest], choice: Contest.Choice, action: str
    ) -> HttpResponse | None:
        form = DecisionNoteForm(request.POST if was_confirmed(request) else None)
        if not form.is_valid():
            number = len(contests)
            count = f"{number} contest" if number == 1 else f"{number} contests"
            question = _question(f"{count}: {choice.label}", None, form, (), _chosen(contests))
            return self.ask(request, question, selected=contests, action=action)
        for contest in contests:
            for problem in self._decide(request, contest, choice=choice, **form.cleaned_data):
                messages.error(request, f"{contest}: {problem}")
        return None

    @sensitive_variables()
    def _decide(self, request: HttpRequest, contest: Contest, **said: Any) -> tuple[str, ...]:
        """Decide, or the sentence that says why not. The log names no label."""
        try:
            decided = decide(contest=contest, user=cast(User, request.user), now=database_now(), **said)
        except SubmissionError as refused:
            return (str(refused),)
        self.log_change(request, contest, f"Decided: {decided.get_choice_display()}. {decided.note}")
        messages.success(
            request,
            f"{contest}: decided. The gold labels follow within a minute or two.",
        )
        return ()

    @button("Enter a vote", icon="how_to_vote")
    def enter_vote(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Take one annotator's vote on the item."""
        contest = self.row_or_404(request, object_id)
        form = VoteForm(contest, request.POST if was_confirmed(request) else None)
        sentence = "An annotator has one vote on an item; a new one takes the place of the last."
        if not form.is_valid():
            return self._ask_for_votes(request, contest, form, sentence, ())
        votes = [FoundVote(contest.item, form.cleaned_data["voter"], form.cleaned_data["label"])]
        now, user = database_now(), cast(User, request.user)
        try:
            taken = add_votes(split=contest.split, votes=votes, user=user, now=now)
        except SubmissionError as refused:
            return self._ask_for_votes(request, contest, form, sentence, (str(refused),))
        return self._votes_taken(request, contest, taken)

    @button("Load votes", icon="upload_file")
    def load_votes(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Take a file of votes on the contested items of the same set."""
        contest = self.row_or_404(request, object_id)
        form = VotesForm(request.POST or None, request.FILES or None)
        sentence = (
            f"Votes on any contested and undecided item of {contest.split}. An annotator who has voted on an "
            "item already votes anew. If one line is wrong, nothing is taken."
        )
        if not form.is_valid():
            return self._ask_for_votes(request, contest, form, sentence, ())
        file, now, user = form.cleaned_data["file"], database_now(), cast(User, request.user)
        try:
            taken = load_votes(split=contest.split, data=file.read(), file_name=file.name, user=user, now=now)
        except VotesRefused as refused:
            return self._ask_for_votes(request, contest, form, sentence, refused.sentences)
        except GoldSealed as sealed:
            return self._ask_for_votes(request, contest, form, sentence, (str(sealed),))
        return self._votes_taken(request, contest, taken)

    def _ask_for_votes(
        self,
        request: HttpRequest,
        contest: Contest,
        form: forms.Form,
        sentence: str,
        problems: tuple[str, ...],
    ) -> HttpResponse:
        question = Question(
            title=f"Votes on {contest.item if isinstance(form, VoteForm) else contest.split}",
            sentences=(
                sentence,
                "How many votes a label has is public, and so is whether they agree; who voted is not.",
            ),
            button="Take the votes",
            form=form,
            problems=problems,
        )
        return self.ask(request, question, row=contest)

    def _votes_taken(self, request: HttpRequest, contest: Contest, taken: VotesTaken) -> HttpResponse:
        self.log_change(request, contest, f"Votes: {taken.new} new, {taken.changed} changed.")
        messages.success(
            request,
            f"Votes were taken: {taken.new} new, {taken.changed} changed.",
        )
        return HttpResponseRedirect(address(contest))


def _question(
    title: str,
    split: Split | None,
    form: forms.Form,
    problems: tuple[str, ...],
    chosen: Table | None = None,
) -> Question:
    sealed = split is not None and split.gold_opened_at is None
    return Question(
        title=title,
        sentences=(
            (
                "If a label changes, the set gets a new version of its gold labels within a minute or two, "
                "and scores follow with the next batch; “Close now” on the phase makes one at once. The "
                "release then says what changed for whom."
            ),
            *(["The gold labels are sealed: what you choose is sealed too."] if sealed else []),
            (
                "Decision and note are public once the gold labels are. This cannot be undone, but the "
                "label can be contested again."
            ),
        ),
        button="Decide",
        form=form,
        problems=problems,
        tables=(chosen,) if chosen else (),
    )


def _chosen(contests: list[Contest]) -> Table:
    rows = [(link(one, one.item), one.split, one.get_status_display()) for one in contests]
    return Table("Chosen", ("Item", "Set", "Status"), rows)
