"""Phases in the admin: their schedule, and closing one ahead of it."""

import datetime as dt
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, Q
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminSelectWidget

from accounts.admin_look import ActionVariant
from accounts.formats.instants import distance
from accounts.server.clock import database_now
from accounts.templatetags.instants import in_words
from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.links import link, list_link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, Table, column, was_confirmed
from benchmarks.admin.phase_forms import NO_CUT_OFF, QUOTAS, SCHEDULE, PhaseForm, weekday_choices
from benchmarks.models import Benchmark, Phase
from benchmarks.services import follow_close
from benchmarks.spec import quota_in_words
from scoring.admin.moved_ends import REST, EndMove
from scoring.admin.phase_disclosure import saved_together, what_is_shown
from scoring.models import Batch, GoldVersion, ToldAnswer
from scoring.queue.batches import CannotClose, close_now, ends_with_close
from scoring.queue.date_mail import tell_of_new_end, tell_of_shift
from scoring.queue.date_shift import OWN_DATES, CannotShift, ShiftedDate, shift_dates
from scoring.queue.moved_dates import follow_dates, would_rank_again
from submissions.models import Submission
from submissions.systems.status_transitions import Status


class SeenForm(forms.Form):
    """What state of a phase the question was asked about."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)


class RunningPhaseForm(PhaseForm):
    """A phase that may be running: what was scored under a rule is shown by it until the end, and ranks once."""

    def clean_closes_at(self) -> dt.datetime | None:
        """The end, which nobody moves back behind the final."""
        closes_at: dt.datetime | None = self.cleaned_data["closes_at"]
        if would_rank_again(self.instance, closes_at, database_now()):
            raise ValidationError(
                "The phase is over, and its final tells of labels that it hid until then. Teams that know it would be "
                "ranked by these once more. It cannot open again; please add another phase."
            )
        return closes_at

    def clean_disclosure(self) -> str:
        """The rule, which nobody changes once a batch was scored under it."""
        rule: str = self.cleaned_data["disclosure"]
        scored = Batch.objects.filter(
            phase=self.instance.pk, status__in=[Batch.Status.SCORED, Batch.Status.RELEASED]
        )
        told = ToldAnswer.objects.filter(run__submission__phase=self.instance.pk)
        if rule != self.instance.disclosure and (scored.exists() or told.exists()):
            what = "A batch of this phase was scored" if scored.exists() else "A team was told scores"
            raise ValidationError(
                f"{what} under the rule, so it holds until the phase closes. Teams have taken part relying on it, and "
                "another would show what this one keeps back."
            )
        return rule


@admin.register(Phase)
class PhaseAdmin(OrganisedAdmin):
    """When a phase is open, when it is scored, and how much a team may send."""

    benchmark_path = "benchmark"
    annotations = {"waiting": Count("submissions", filter=Q(submissions__status=Status.ACCEPTED))}
    is_editable = True
    form = RunningPhaseForm
    list_display = (
        "title",
        "benchmark",
        "what_kind",
        "next_cut_off",
        "waiting",
        "quota",
        "counting",
        "releases",
    )
    list_select_related = ("benchmark",)
    readonly_fields = ("benchmark", "name", "what_kind", "next_cut_off")
    fieldsets = (
        (None, {"fields": ("benchmark", "name", "what_kind", "title")}),
        (
            "Schedule",
            {
                "fields": (
                    "weekday",
                    "time",
                    "timezone",
                    "next_cut_off",
                    "opens_at",
                    "closes_at",
                    "editions_per_year",
                ),
                "description": (
                    "At every cut-off, all that was accepted before it is scored together. After a "
                    "change, what is waiting waits for the new cut-off. What was used of the quota stays used."
                ),
            },
        ),
        ("What is handed in", {"fields": ("targets",)}),
        ("Submissions that one team may have accepted", {"fields": QUOTAS}),
        (
            "Rules",
            {
                "fields": (
                    "counting",
                    "one_per_team",
                    "publish_automatically",
                    "release_not_before",
                    "feedback",
                )
            },
        ),
        ("What is shown before the end", {"fields": ("disclosure",)}),
    )
    actions_detail = ("close_now",)
    close_now = Ask(
        label="Close now",
        icon="event_available",
        variant=ActionVariant.PRIMARY,
        question=lambda phase: _question(phase, database_now()),
        form=SeenForm,
        given=lambda phase: {"initial": {"seen": _state(phase, database_now())}},
        do=lambda phase, seen, now: transaction.atomic(_close)(phase, seen, now),
        refused=(CannotClose,),
        leads_back=True,
    )

    name = column("id", "slug", ordering="slug")
    what_kind = column("what is sent", lambda phase: phase.get_kind_display(), ordering="kind")
    next_cut_off = column(
        "next cut-off",
        lambda phase: in_words(phase.awaited_cut_off) if phase.awaited_cut_off else NO_CUT_OFF,
        ordering="next_cut_off_at",
    )
    waiting = column(
        "waiting",
        lambda phase: list_link(
            Submission, phase.waiting, phase__id__exact=phase.pk, status__exact=Status.ACCEPTED.value
        ),
        ordering="waiting",
    )
    quota = column("quota", lambda phase: quota_in_words(phase.as_spec()))
    releases = column(
        "releases",
        lambda phase: "by itself" if phase.publish_automatically else "at the organiser's word",
        ordering="publish_automatically",
    )

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: Any = None,
    ) -> Any:
        """Where the end of a phase is moved, what moves with it and who is written to is asked before it is saved."""
        if request.method == "POST" and object_id and not was_confirmed(request):
            row = self.row_or_404(request, object_id)
            form = self.get_form(request, row, change=True)(request.POST, instance=row)
            if (
                self.has_change_permission(request, row)
                and form.is_valid()
                and "closes_at" in form.changed_data
            ):
                moves = EndMove.of(form, database_now())
                if moves is not None and moves.matters:
                    return self.ask(request, moves.question(request.POST), row=moves.phase)
        return super().changeform_view(request, object_id, form_url, extra_context)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field and db_field.name == "weekday":
            field.widget = UnfoldAdminSelectWidget(choices=weekday_choices())
            field.help_text = "The day of the weekly cut-off."
        return field

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save what was changed, and nothing that somebody else has changed since the page was asked for."""
        before = Phase.objects.select_for_update().get(pk=obj.pk)
        obj.save(update_fields=saved_together(form.changed_data))
        if set(SCHEDULE) & set(form.changed_data):
            taken_back = follow_dates(phase=obj, now=database_now())
            self._tell_when(request, obj)
            if taken_back:
                again = f"The last batch was not released. Submissions of it that wait for the new end: {taken_back}."
                self.message_user(request, again)
            self._tell_who_waits_past_the_end(request, obj)
            if REST not in request.POST or not self._shift_the_rest(request, obj, before.closes_at, form):
                self._move_what_follows(request, obj, before.closes_at)
            if before.closes_at != form.initial.get("closes_at"):
                ended = f"it ended on {in_words(before.closes_at)}" if before.closes_at else "it had no end"
                moved = "While you wrote, somebody else has closed the phase or moved its end"
                self.message_user(request, f"{moved}: {ended}. Please check the dates.", messages.WARNING)
        if obj.disclosure != before.disclosure:
            for sentence, level in what_is_shown(obj, database_now()):
                self.message_user(request, sentence, level)
        Benchmark.objects.filter(pk=obj.benchmark_id).mark_stale(archive=True)  # they print its rules

    def _move_what_follows(
        self, request: HttpRequest, phase: Phase, closed_before: dt.datetime | None
    ) -> None:
        if closed_before is None or phase.closes_at == closed_before:
            return
        now = database_now()
        followers = follow_close(phase=phase, closed_before=closed_before, now=now)
        for follower in followers:
            self.message_user(
                request,
                f"{follower.title}, which follows it, now opens when it closes.",
            )
        for left in Phase.objects.filter(benchmark=phase.benchmark_id, opens_at=closed_before):
            self.message_user(
                request,
                f"{left.title}, which followed it, still opens on {in_words(closed_before)}, because it would be "
                "over before. Please change its dates too.",
                messages.WARNING,
            )
        told = tell_of_new_end(phase=phase, closed_before=closed_before, followers=followers, now=now)
        if told:
            people = "1 person who takes part is" if told == 1 else f"{told} people who take part are"
            self.message_user(request, f"{people} written to about the new end.")

    def _shift_the_rest(
        self, request: HttpRequest, phase: Phase, closed_before: dt.datetime | None, form: Any
    ) -> bool:
        """Move all later dates as far as the end was moved, with one mail about all; False where that cannot be."""
        if closed_before is None or phase.closes_at is None or closed_before == phase.closes_at:
            return False
        by, now = phase.closes_at - closed_before, database_now()
        stay = {*OWN_DATES, *form.changed_data}
        try:
            later = shift_dates(
                benchmark=phase.benchmark, by=by, since=closed_before, now=now, but=phase, stay=stay
            )
        except CannotShift as refused:
            self.message_user(request, str(refused), messages.WARNING)
            return False
        end = ShiftedDate(f"{phase.title} closes", closed_before, phase.closes_at)
        told = tell_of_shift(benchmark=phase.benchmark, shifted=[end, *later], now=now)
        self.message_user(request, f"Later dates that were moved by as much: {len(later)}. Mails: {told}.")
        return True

    def _tell_when(self, request: HttpRequest, phase: Phase) -> None:
        """The next cut-off, or that there is nothing left to wait for: a wrong year is easily typed."""
        if phase.closes_at is not None and phase.is_over(database_now()):
            sentence = (
                f"{phase.title} is closed since {in_words(phase.closes_at)}: nothing can be uploaded any more. If that "
                "is not meant, empty “Closes at” or give it a later day."
            )
            self.message_user(request, sentence, messages.WARNING)
        else:
            self.message_user(
                request,
                f"The next cut-off is on {in_words(phase.next_cut_off_at)}.",
            )

    def _tell_who_waits_past_the_end(self, request: HttpRequest, phase: Phase) -> None:
        """An end set to the past is no cut-off: in a weekly phase, what waits would do so for days."""
        if phase.is_over(database_now()):
            waiting = Submission.objects.filter(phase=phase, status=Status.ACCEPTED).count()
            if waiting:
                waits = "submission still waits" if waiting == 1 else "submissions still wait"
                sentence = f"The phase is over, and {waiting} {waits} for that cut-off."
                scored = (
                    "The next sweep scores what waits."
                    if phase.weekday is None
                    else "“Close now” scores them at once."
                )
                self.message_user(request, f"{sentence} {scored}", messages.WARNING)

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        batches = Batch.objects.filter(phase=row).annotate(submitted=Count("entries"))
        rows = [
            (
                link(batch, in_words(batch.cut_off_at)),
                batch.get_status_display(),
                batch.submitted,
            )
            for batch in batches.order_by("-cut_off_at")[:10]
        ]
        return [Table("Latest batches", ("Cut-off", "Status", "Submissions"), rows)]


def _close(phase: Phase, seen: str, now: dt.datetime) -> Done:
    # Of two who press it at once, the second is told what the first has done.
    phase = Phase.objects.select_for_update(of=("self",)).select_related("benchmark").get(pk=phase.pk)
    if seen and seen != _state(phase, now):
        moved = (
            f"{phase.title} has been closed, or its dates were moved, since you were asked. Nothing "
            "was done here; please look at the phase again."
        )
        return Done(also=((messages.WARNING, moved),))
    batch = close_now(phase=phase, now=now)
    if batch is None:
        return Done("The phase was closed. The sets of pairs are made within minutes.", "Closed now.")
    count = batch.entries.count()
    taken = f"{count} submission" if count == 1 else f"{count} submissions"
    return Done(f"The phase was closed with {taken} to score.", "Closed now.", leads_to=batch)


def _state(phase: Phase, now: dt.datetime) -> str:
    """Changes when somebody closes the phase or moves its end; also when a button is pressed twice."""
    last = _last_batch(phase)
    closes = "" if phase.closes_at is None else phase.closes_at.isoformat()
    return f"{last.pk if last else 0} {closes} {'open' if ends_with_close(phase, now) else 'over'}"


def _last_batch(phase: Phase) -> Batch | None:
    return Batch.objects.filter(phase=phase).order_by("-pk").first()


def _question(phase: Phase, now: dt.datetime) -> Question:
    return Question(
        title=f"Close {phase.benchmark} / {phase.title} now",
        sentences=(*_what_is_taken(phase, now), *_what_follows(phase, now)),
        button="Close now",
        is_grave=True,
    )


def _what_is_taken(phase: Phase, now: dt.datetime) -> list[str]:
    if phase.kind == Phase.Kind.BREAK:
        return [
            (
                "What breakers have handed in so far counts. Sets are made of it, for each task once none "
                "of its pairs waits for you."
            )
        ]
    waiting = Submission.objects.filter(phase=phase, status=Status.ACCEPTED).count()
    failed = Submission.objects.filter(phase=phase, status=Status.FAILED).count()
    taken = [
        f"Everything accepted so far is taken into a batch and scored: {waiting} waiting.",
        *([f"{failed} that could not be scored before are tried again."] if failed else []),
    ]
    after = (
        "As soon as all are scored, the next release is published."
        if phase.publish_automatically
        else "When all are scored, the release waits for your word: see the batch's page."
    )
    return [
        " ".join(taken),
        *_lacking_gold(phase),
        after,
        *([] if waiting or failed else [_what_is_new_without_any(phase, now)]),
    ]


def _what_is_new_without_any(phase: Phase, now: dt.datetime) -> str:
    """What a release is for that nothing was submitted to; above all right after the one before it."""
    last = _last_batch(phase)
    nothing = (
        "Nothing waits to be scored: that release differs from the one before it only in what was "
        "corrected, disqualified or added as a baseline meanwhile."
    )
    if last is None:
        return nothing
    closed = f"The phase was last closed {distance(last.closed_at, now)}."
    return f"{closed} {nothing}"


def _what_follows(phase: Phase, now: dt.datetime) -> list[str]:
    """What becomes of the dates."""
    if phase.weekday is None and phase.opens_at is not None and phase.opens_at >= now:
        return [f"It cannot be closed before it opens, on {in_words(phase.opens_at)}."]
    if phase.closes_at is not None and phase.closes_at <= now:
        return ["The phase stays over and takes nothing more. This cannot be undone."]
    if phase.closes_at is None or not ends_with_close(phase, now):
        return [
            (
                f"The schedule stays as it is: the next regular cut-off is on {in_words(phase.next_cut_off_at)}, and "
                "quota is counted until then. This cannot be undone."
            )
        ]
    followers = Phase.objects.filter(benchmark=phase.benchmark_id, opens_at=phase.closes_at).exclude(
        pk=phase.pk
    )
    opening = [f"{phase.title}, which follows it, opens at once." for phase in followers]
    return [
        f"The phase is over from then on instead of on {in_words(phase.closes_at)}, and takes nothing more.",
        *opening,
        "To open it again, give it a later end.",
    ]


def _lacking_gold(phase: Phase) -> list[str]:
    loaded = GoldVersion.objects.filter(split__task__benchmark=phase.benchmark_id)
    tasks = phase.benchmark.tasks.filter(is_retired=False).exclude(pk__in=loaded.values("split__task"))
    lacking = list(tasks.values_list("title", flat=True))
    return [f"No gold labels are loaded yet for: {'; '.join(lacking)}."] if lacking else []
