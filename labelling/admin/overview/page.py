"""How a campaign stands, as its page shows it: counts of the database, and figures that a worker made. No answer."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, F, Max, Min, Q, Sum
from django.utils.safestring import SafeString

from accounts.formats.instants import day_in_utc, distance
from accounts.formats.numbers import decimal, grouped, percent
from benchmarks.admin.organised.links import link
from catalogue.problems import counted
from labelling.admin.overview.charts import Curve, Swarm, curve_of, swarm_of
from labelling.admin.overview.cut_points import CutsSeen, cuts_seen
from labelling.admin.overview.judged_systems import SystemsSeen, systems_seen
from labelling.admin.overview.people_scores import PeopleScore, people_scores, ties_told
from labelling.admin.overview.seconds import in_seconds
from labelling.models import Assignment, Campaign, CampaignFigures, Unit, Worker
from labelling.outcomes.systems.judged_report import judged_in

Status = Campaign.Status
_DAY = dt.timedelta(days=1)
_HOUR_MS = 3_600_000
MOST_GROUPS = 20
MOST_EXCLUDED = 50


@dataclass(frozen=True, slots=True)
class KeyFigure:
    """A figure with its name and what stands behind it."""

    label: str
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class GroupProgress:
    """How many units of a group have all their answers."""

    name: str
    done: int
    total: int

    @property
    def share(self) -> str:
        """In per cent, as an attribute of SVG."""
        return f"{100 * self.done / max(self.total, 1):.1f}"


@dataclass(frozen=True, slots=True)
class ExcludedRow:
    """Somebody whose answers do not count, and why."""

    worker: SafeString
    answered: str
    agreement: str
    why: str


@dataclass(frozen=True, slots=True)
class CampaignOverview:
    """What stands above a campaign's fields. `is_live` while somebody may answer."""

    first: str
    rest: str
    figures: Sequence[KeyFigure]
    groups: Sequence[GroupProgress]
    more_groups: int
    excluded: Sequence[ExcludedRow]
    curve: Curve | None
    swarm: Swarm | None
    scores: Sequence[PeopleScore]
    ties: str
    cuts: CutsSeen | None
    systems: SystemsSeen | None
    as_of: str
    is_live: bool


@dataclass(frozen=True, slots=True)
class _Counts:
    groups: tuple[GroupProgress, ...]
    wanted: int
    answered: int

    @property
    def units(self) -> int:
        return sum(group.total for group in self.groups)

    @property
    def done(self) -> int:
        return sum(group.done for group in self.groups)


def overview_of(campaign: Campaign, now: dt.datetime) -> CampaignOverview:
    """How a campaign stands at `now`."""
    history = list(CampaignFigures.objects.filter(campaign=campaign).order_by("made_at"))
    newest = history[-1] if history else None
    counts = _counts(campaign)
    first, rest = _said(campaign, counts, newest, now)
    excluded = list(_excluded(campaign))
    cuts = cuts_seen(campaign)
    return CampaignOverview(
        first=first,
        rest=rest,
        figures=_figures(campaign, counts, _agreement_figure(newest, cuts)),
        groups=counts.groups[:MOST_GROUPS],
        more_groups=max(0, len(counts.groups) - MOST_GROUPS),
        excluded=[_row(worker) for worker in excluded[:MOST_EXCLUDED]],
        curve=curve_of(history),
        swarm=swarm_of(newest, excluded),
        scores=(scores := people_scores(campaign)),
        ties=ties_told(campaign) if scores else "",
        cuts=cuts,
        systems=systems_seen(campaign),
        as_of=_as_of(newest, now),
        is_live=campaign.status in (Status.OPEN, Status.PAUSED),
    )


def _as_of(newest: CampaignFigures | None, now: dt.datetime) -> str:
    if newest is None:
        return ""
    worked_out = distance(newest.made_at, now)
    return f"Agreement was worked out {worked_out}; with new answers that is done every five minutes."


def _counts(campaign: Campaign) -> _Counts:
    units = campaign.units.filter(part=Unit.Part.MAIN)
    full = Q(taken__gte=F("wanted"))
    rows = (
        units.values("group")
        .order_by("group")
        .annotate(total=Count("pk"), full=Count("pk", filter=full), places=Sum("wanted", default=0))
    )
    held = Assignment.objects.held().filter(
        unit__campaign=campaign,
        unit__part=Unit.Part.MAIN,
        holds_place=True,
        unit__taken__gte=F("unit__wanted"),
    )
    in_hand = dict(held.values_list("unit__group").annotate(Count("unit", distinct=True)))
    groups = tuple(
        GroupProgress(row["group"], row["full"] - in_hand.get(row["group"], 0), row["total"]) for row in rows
    )
    answered = Assignment.objects.counted().filter(unit__campaign=campaign, unit__part=Unit.Part.MAIN).count()
    return _Counts(groups, sum(row["places"] for row in rows), answered)


def _said(
    campaign: Campaign, counts: _Counts, newest: CampaignFigures | None, now: dt.datetime
) -> tuple[str, str]:
    """The sentence at the top, in two parts: what matters most, and the rest."""
    if campaign.status == Status.DRAFT:
        if not counts.units:
            return "A draft without units.", "Add what is to be labelled, then open it."
        return "A draft.", f"{grouped(counts.units)} units are ready; nobody is asked before you open it."
    if campaign.status == Status.CLOSED:
        return _said_closed(campaign)
    agreeing = _agreeing(newest)
    if campaign.status == Status.PAUSED:
        return "Paused.", f"Workers read: {campaign.paused_because} {agreeing}".strip()
    if not counts.answered:
        return "Open, and nobody has answered yet.", "Invite workers, or give a platform the link below."
    if counts.done == counts.units:
        return "Every unit has its answers.", f"Close it, and the outcome is made. {agreeing}".strip()
    share = percent(counts.answered / max(counts.wanted, 1), 0)
    return f"{share} of the answers are in.", f"{_end(campaign, counts, now)} {agreeing}".strip()


def _said_closed(campaign: Campaign) -> tuple[str, str]:
    outcome = campaign.outcomes.first()
    if campaign.outcome_problem:
        return "Closed without an outcome.", campaign.outcome_problem
    if outcome is None:
        return "Closed.", "A worker of the server makes the outcome within minutes."
    if judged := judged_in(outcome):
        count = len(judged.rows)
        return "Closed.", f"Outcome {outcome.number} says what people gave {counted(count, 'system')}."
    aside = f"; {grouped(outcome.set_aside)} are set aside" if outcome.set_aside else ""
    return "Closed.", f"Outcome {outcome.number} has values of {counted(outcome.item_count, 'item')}{aside}."


def _agreeing(newest: CampaignFigures | None) -> str:
    """How far people agree, in a sentence."""
    reliability = reliability_of(newest)
    if reliability is not None:
        return (
            f"Two random halves of the answers order the items alike: {decimal(reliability, 3)} (Spearman)."
        )
    pairs = (newest.report.get("agreement", {}) if newest else {}).get("pairs")
    if not pairs or pairs[0] is None:
        return ""
    ends = f" ({percent(pairs[1], 0)} to {percent(pairs[2], 0)})" if pairs[1] is not None else ""
    return f"Two people who answer the same say the same in {percent(pairs[0], 0)} of cases{ends}."


def reliability_of(newest: CampaignFigures | None) -> float | None:
    """The split-half reliability in figures; None where the rule tells none."""
    found = (newest.report.get("figures", {}) if newest else {}).get("split-half reliability, Spearman")
    return float(found) if found is not None else None


def _end(campaign: Campaign, counts: _Counts, now: dt.datetime) -> str:
    """When all answers are in at the pace of the last day."""
    answers = Assignment.objects.counted().filter(unit__campaign=campaign, unit__part=Unit.Part.MAIN)
    recent = answers.filter(answered_at__gt=now - _DAY)
    found = recent.aggregate(count=Count("pk"), since=Min("answered_at"), last=Max("answered_at"))
    if found["count"] < 2:
        return "In the last day nothing came in."
    took = max(now - found["since"], dt.timedelta(minutes=1))
    left = took * ((counts.wanted - counts.answered) / found["count"])
    if left > 365 * _DAY:
        return "At this pace it takes more than a year."
    if left < _DAY:
        return f"At the pace of the last day the rest comes {distance(now + left, now)}."
    return f"At the pace of the last day the rest comes by {day_in_utc(now + left)}."


def _figures(campaign: Campaign, counts: _Counts, agreement: KeyFigure) -> tuple[KeyFigure, ...]:
    workers = campaign.workers.aggregate(
        all=Count("pk"),
        excluded=Count("pk", filter=Q(stage=Worker.Stage.EXCLUDED)),
        waiting=Count("pk", filter=Q(stage=Worker.Stage.WAITING)),
        milliseconds=Sum("milliseconds", default=0),
        answered=Sum("answered", default=0),
    )
    hours = workers["milliseconds"] / _HOUR_MS
    mean = workers["milliseconds"] / 1000 / workers["answered"] if workers["answered"] else None
    notes = [f"{workers[name]} {name}" for name in ("excluded", "waiting") if workers[name]]
    share = f", {percent(counts.done / counts.units, 0)}" if counts.units else ""
    return (
        KeyFigure("Units answered", grouped(counts.done), f"of {grouped(counts.units)}{share}"),
        agreement,
        KeyFigure(
            "Workers",
            grouped(workers["all"] - workers["excluded"]),
            f"and {', '.join(notes)}" if notes else "",
        ),
        KeyFigure(
            "Time worked",
            f"{decimal(hours, 1)} h",
            f"{in_seconds(mean)} an answer on average" if mean else "as pages tell",
        ),
    )


def _agreement_figure(newest: CampaignFigures | None, cuts: CutsSeen | None) -> KeyFigure:
    if cuts and cuts.alpha is not None:
        return KeyFigure("Krippendorff's alpha", decimal(cuts.alpha, 2), "of the classes, ordinal")
    reliability = reliability_of(newest)
    if reliability is not None:
        return KeyFigure(
            "Split-half reliability", decimal(reliability, 3), "Spearman, mean over splits in halves"
        )
    alpha = (newest.report.get("agreement", {}) if newest else {}).get("alpha")
    if not alpha or alpha[0] is None:
        return KeyFigure("Krippendorff's alpha", "none yet", alpha[3] if alpha else "no answers to compare")
    ends = f"{decimal(alpha[1], 2)} to {decimal(alpha[2], 2)}" if alpha[1] is not None else ""
    return KeyFigure("Krippendorff's alpha", decimal(alpha[0], 2), ends)


def _excluded(campaign: Campaign) -> list[Worker]:
    rows = campaign.workers.filter(stage=Worker.Stage.EXCLUDED).order_by("-seen_at")
    return list(rows.prefetch_related("exclusions"))


def _row(worker: Worker) -> ExcludedRow:
    exclusion = next(iter(worker.exclusions.all()), None)
    agreement = exclusion.numbers.get("agreement") if exclusion else None
    return ExcludedRow(
        link(worker),
        grouped(worker.answered),
        "not known" if agreement is None else percent(agreement, 0),
        worker.stage_because,
    )
