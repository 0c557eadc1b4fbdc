"""Pages about contested labels: the list of them for everybody, and one item's for teams that take part.

Forms check shape only; what is allowed is in `breaking.contests.services`.
"""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import Case, Value, When
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.access import form_data, form_status, reader, signed_in
from accounts.models import Team
from accounts.page_content import PageContent
from accounts.server.clock import received_at
from benchmarks.models import Benchmark, Phase, Split
from breaking.contests.item_labels import item_texts
from breaking.contests.services import (
    LONGEST_REASON,
    ShownContest,
    add_voice,
    contest_address,
    contest_item,
    retract,
    set_title,
    shown_contests,
    teams_of,
    with_all_shown,
)
from breaking.models import Contest
from scoring.gold.opening import opened_labels
from scoring.models import Batch, GoldVersion
from submissions.exceptions import SubmissionError

PAGE_SIZE = 50


class ContestForm(forms.Form):
    """Why a label is wrong, and perhaps which would be right; as a voice, which label one more team would give.

    It is said in the name of one of the reader's teams. A label is chosen where there is a set of them, else written.
    """

    def __init__(self, teams: Sequence[Team], split: Split, data: Any, *, is_voice: bool) -> None:
        super().__init__(data)
        mine = Team.objects.filter(pk__in=[team.pk for team in teams])
        self.fields["team"] = forms.ModelChoiceField(mine, label="Team", empty_label=None)
        if not is_voice:
            self.fields["reason"] = forms.CharField(
                label="Reason",
                max_length=LONGEST_REASON,
                widget=forms.Textarea(attrs={"rows": 5}),
                help_text="Public. As long as systems are anonymous here, do not say which is yours.",
            )
        label: forms.Field
        if split.task.spec.output.is_one_label:
            names = [(name, name) for name in split.task.spec.output.gold_labels]
            choices = names if is_voice else [("", "none"), *names]
            label = forms.ChoiceField(label="Right label", choices=choices, required=is_voice)
        else:
            hint = "A part of the sentence, letter by letter."
            label = forms.CharField(
                label="Right label", max_length=1_000, strip=False, required=is_voice, help_text=hint
            )
        if split.task.spec.output.is_one_text:
            self.fields["label" if is_voice else "proposed_label"] = label


@dataclass(frozen=True, kw_only=True)
class ContestsPage(PageContent):
    """A page of a benchmark's contested labels, and the splits with public gold labels by title.

    `follow` is when scores follow labels that were changed, None where they have.
    """

    template = "breaking/contests.html"
    section = "benchmarks"
    benchmark: Benchmark
    sets: Sequence[tuple[Split, str]]
    page: Page[Contest]
    contests: Sequence[ShownContest]
    follow: dt.datetime | None


@dataclass(frozen=True, kw_only=True)
class ContestPage(PageContent):
    """One item whose label is public: its texts by column, what is said of it, and the form to contest it.

    `current` is the contest that is not over. The form adds a voice where `current` is another team's; there is none
    where no team of the reader may say anything. `takes_part` is whether one builds or breaks here.
    """

    template = "breaking/contest.html"
    section = "benchmarks"
    benchmark: Benchmark
    set_title: str
    item: str
    label: str
    texts: Mapping[str, str]
    contests: Sequence[ShownContest]
    current: Contest | None
    form: ContestForm | None
    takes_part: bool


@never_cache
@require_safe
def contests(request: HttpRequest, benchmark: str) -> HttpResponse:
    """All contested labels of a benchmark, undecided ones first; nothing as long as no gold labels are public."""
    found = get_object_or_404(Benchmark, pk=benchmark)
    opened = list(
        Split.objects.filter(task__benchmark=found, gold_opened_at__isnull=False)
        .select_related("task")
        .order_by("task__position", "slug")
    )
    if not opened:
        raise Http404("No gold labels of this benchmark are public.")
    for split in opened:
        split.task.benchmark = found
        if request.GET.get("set") == f"{split.task.slug}/{split.slug}":
            return redirect(contest_address(split, request.GET.get("item", "")))
    open_first = Case(When(status=Contest.Status.OPEN, then=Value(0)), default=Value(1))
    rows = Contest.objects.filter(split__in=opened).order_by(open_first, "-raised_at", "id")
    page = Paginator(with_all_shown(rows), PAGE_SIZE).get_page(request.GET.get("page"))
    user = reader(request) if request.user.is_authenticated else None
    content = ContestsPage(
        benchmark=found,
        sets=[(split, set_title(split)) for split in opened],
        page=page,
        contests=shown_contests(list(page), user),
        follow=_scores_follow_at(found),
    )
    return content.answer(request)


@signed_in
def contest(request: HttpRequest, benchmark: str, task: str, split: str) -> HttpResponse:
    """One item: its texts and label, what is said of it, and the form for one's own team."""
    opened = Split.objects.filter(gold_opened_at__isnull=False, task__is_retired=False)
    rows = opened.select_related("task__benchmark")
    found = get_object_or_404(rows, task__benchmark=benchmark, task__slug=task, slug=split)
    item = request.GET.get("item", "")
    labels = opened_labels(found) or {}
    if item not in labels:
        raise Http404("The set has no such item.")
    said = list(with_all_shown(Contest.objects.filter(split=found, item=item)))
    current = next((one for one in said if one.status == Contest.Status.OPEN), None)
    teams = teams_of(reader(request), found.task.benchmark)
    form = _form(request, teams, current, found)
    if form is not None and form.is_valid() and _take(request, form, current, found, item):
        return redirect(contest_address(found, item))
    page = ContestPage(
        benchmark=found.task.benchmark,
        set_title=set_title(found),
        item=item,
        label=labels[item],
        texts=item_texts(found, [item]).get(item, {}),
        contests=shown_contests(said, reader(request)),
        current=current,
        form=form,
        takes_part=bool(teams),
    )
    return page.answer(request, form_status(form))


@signed_in
@require_POST
def retract_contest(request: HttpRequest, benchmark: str, contest: uuid.UUID) -> HttpResponse:
    rows = Contest.objects.select_related("split__task__benchmark", "team")
    mine = rows.filter(team__in=Team.objects.of(reader(request)), split__task__benchmark=benchmark)
    found = get_object_or_404(mine, pk=contest)
    try:
        retract(contest=found, user=reader(request), now=received_at(request))
        messages.success(request, "The contest was taken back.")
    except SubmissionError as error:
        messages.error(request, str(error))
    return redirect(contest_address(found.split, found.item))


def _scores_follow_at(benchmark: Benchmark) -> dt.datetime | None:
    """When a batch takes in labels that no release knows yet; None where every release does."""
    phase = benchmark.phases.filter(kind=Phase.Kind.SCORE).first()
    versions = GoldVersion.objects.filter(contests__split__task__benchmark=benchmark)
    changed = versions.order_by("-loaded_at").first()
    if phase is None or changed is None:
        return None
    released = phase.batches.filter(status=Batch.Status.RELEASED, scored_at__gt=changed.loaded_at)
    return None if released.exists() else phase.next_cut_off_at


def _form(
    request: HttpRequest, teams: Sequence[Team], current: Contest | None, split: Split
) -> ContestForm | None:
    """For those of the reader's teams that may contest the item, or add a voice where another one contests it."""
    if current is not None:
        can_end = current.decided_at is None and split.task.spec.output.is_one_text
        teams = [team for team in teams if can_end and team.pk != current.team_id]
    return ContestForm(teams, split, form_data(request), is_voice=current is not None) if teams else None


def _take(request: HttpRequest, form: ContestForm, current: Contest | None, split: Split, item: str) -> bool:
    """Do what the form says; False where it is refused, with a sentence in the form."""
    said = {**form.cleaned_data, "user": reader(request), "now": received_at(request)}
    try:
        if current is None:
            contest_item(split=split, item=item, **said)
            messages.success(request, "The label is contested now. The organisers were told.")
        else:
            add_voice(contest=current, **said)
            messages.success(request, "The voice of your team was added.")
    except SubmissionError as error:
        form.add_error(None, str(error))
        return False
    return True
