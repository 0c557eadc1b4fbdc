"""Exclude by a rule: whom it hits is shown before anything is done."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from unfold.widgets import (
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
)

from accounts.formats.numbers import grouped, percent
from accounts.models import User
from benchmarks.admin.asks import Ask, AskAgain, Done
from benchmarks.admin.organised.links import link
from benchmarks.admin.organised.organised_admin import Question, Table
from labelling.admin.workers import numbers_of
from labelling.core.quality import CheckRule
from labelling.exceptions import CannotChangeCampaign
from labelling.models import Campaign, CampaignFigures, Worker
from labelling.work.exclusions import exclude

CHECKS, DISAGREEMENT = "check_questions", "disagreement"
_RULES = {
    DISAGREEMENT: "Agreement with the majority of the others",
    CHECKS: "Right check questions",
}
_MOST_SHOWN = 500


class ExclusionRuleForm(forms.Form):
    """A share and the least number of answers that it needs."""

    rule = forms.ChoiceField(choices=[*_RULES.items()], widget=UnfoldAdminSelectWidget)
    below = forms.FloatField(
        label="Below",
        min_value=0,
        max_value=1,
        initial=0.2,
        widget=UnfoldAdminDecimalFieldWidget,
        help_text="From 0 to 1. Below 0.2 is whoever says something else than most others in more than 80 % of items.",
    )
    least = forms.IntegerField(
        label="Of at least so many",
        min_value=1,
        max_value=100_000,
        initial=5,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text="Answers that can be compared, or check questions. Few prove little.",
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)


class SeenRuleForm(ExclusionRuleForm):
    """The same once whom it hits is shown."""

    rule = forms.ChoiceField(choices=[*_RULES.items()], widget=forms.HiddenInput)
    below = forms.FloatField(widget=forms.HiddenInput)
    least = forms.IntegerField(widget=forms.HiddenInput)


@dataclass(frozen=True, slots=True)
class HitWorker:
    """Somebody below the share, with `good` of `of`."""

    worker: Worker
    good: int
    of: int


def hit_by(campaign: Campaign, rule: str, below: float, least: int) -> list[HitWorker]:
    """Whom a rule hits, by numbers: of check questions as they are now, of agreement as the newest figures have it."""
    workers = campaign.workers.exclude(stage=Worker.Stage.EXCLUDED).select_related("campaign")
    known = {worker.number: worker for worker in workers.order_by("number")}
    counts = _of_checks(known) if rule == CHECKS else _of_agreement(campaign)
    share = CheckRule(below, least)
    return [
        HitWorker(known[number], good, of)
        for number, good, of in counts
        if number in known and share.excludes(good, of)
    ]


def _of_checks(known: dict[int, Worker]) -> Iterator[tuple[int, int, int]]:
    for number, worker in known.items():
        yield number, worker.checks_right, worker.checks_seen


def _of_agreement(campaign: Campaign) -> Iterator[tuple[int, int, int]]:
    figures = CampaignFigures.objects.filter(campaign=campaign).order_by("-made_at").first()
    if figures is None:
        raise CannotChangeCampaign(
            "How far workers agree is not known yet: a worker of the server finds out within minutes of new answers."
        )
    for number, compared, agreed in figures.report.get("workers", []):
        yield number, agreed, compared


def _exclude(
    *, campaign: Campaign, rule: str, below: float, least: int, seen: str, user: User, now: dt.datetime
) -> Done:
    hits = hit_by(campaign, rule, below, least)
    state = " ".join(f"{hit.worker.number}:{hit.good}/{hit.of}" for hit in hits)
    if not hits or seen != state:
        raise AskAgain(_whom(campaign, rule, below, least, hits, state))
    what = (
        "check questions were answered as expected" if rule == CHECKS else "answers are those of most others"
    )
    for hit in hits:
        exclude(
            worker=hit.worker,
            rule=rule,
            reason=f"{hit.good} of {hit.of} {what}; at least {percent(below, 0)} are needed. All work is paid.",
            numbers={
                **numbers_of(hit.worker),
                "good": hit.good,
                "of": hit.of,
                "below": below,
                "least": least,
            },
            user=user,
            now=now,
        )
    told = "1 worker is" if len(hits) == 1 else f"{len(hits)} workers are"
    named = ", ".join(str(hit.worker.number) for hit in hits)
    return Done(
        f"{told} excluded; others get the units again.",
        f"Excluded by a rule ({_RULES[rule]} below {below:g}, at least {least}): workers {named}.",
    )


def _whom(
    campaign: Campaign, rule: str, below: float, least: int, hits: list[HitWorker], state: str
) -> Question:
    about = f"{_RULES[rule]} below {percent(below, 0)}, of at least {grouped(least)}"
    if not hits:
        return Question(
            title=f"Nobody of {campaign} is hit",
            sentences=(f"{about}: nobody. Another share or number may hit somebody.",),
            button="Show whom it hits",
            form=ExclusionRuleForm(initial={"rule": rule, "below": below, "least": least}),
            leads_on=True,
        )
    rows: list[tuple[Any, ...]] = [
        (
            link(hit.worker),
            grouped(hit.worker.answered),
            f"{hit.good} of {hit.of}",
            percent(hit.good / hit.of, 0),
        )
        for hit in hits[:_MOST_SHOWN]
    ]
    count = "1 worker" if len(hits) == 1 else f"{len(hits)} workers"
    return Question(
        title=f"Exclude {count} of {campaign}?",
        sentences=(
            f"{about}.",
            "Their answers are kept and count no longer; as many places are on offer to others again. All work is "
            "paid: an exclusion is no rejection on any platform. This cannot be undone.",
        ),
        button=f"Exclude {count}",
        form=SeenRuleForm(initial={"rule": rule, "below": below, "least": least, "seen": state}),
        is_grave=True,
        tables=(Table("Whom it hits", ("Worker", "Answered", "Right, or as most others", "Share"), rows),),
    )


EXCLUDE_BY_RULE = Ask(
    label="Exclude by a rule",
    icon="rule",
    question=Question(
        title="Exclude workers of {row} by a rule",
        sentences=(
            "Whom the rule hits is shown first, with their numbers; nobody is excluded before you agree to that.",
            "Numbers only flag: a worker who is careful and alone in being right looks like one who guesses.",
        ),
        button="Show whom it hits",
        leads_on=True,
    ),
    form=ExclusionRuleForm,
    do=_exclude,
    refused=(CannotChangeCampaign,),
    shown=lambda campaign: campaign.status in (Campaign.Status.OPEN, Campaign.Status.PAUSED),
)
