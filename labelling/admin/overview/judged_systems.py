"""What people's judgements gave each system, as the campaign's page shows it to organisers."""

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.formats.numbers import decimal, grouped
from catalogue.problems import counted
from labelling.core.judged.figures import JudgedFigure
from labelling.models import Campaign
from labelling.outcomes import PURPOSES
from labelling.outcomes.systems.judged_report import judged_in
from labelling.outcomes.systems.systems_purpose import SystemsPurpose

_DIGITS = 3


@dataclass(frozen=True, slots=True)
class SystemSeen:
    """A judged system, how much of it was judged, and each of its figures with the interval, if there is one."""

    system: str
    team: str
    judged: str
    figures: Sequence[tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class SystemsSeen:
    """The judged systems, the best by the first measure first; `told` says what the figures are and what is missing."""

    heads: Sequence[str]
    rows: Sequence[SystemSeen]
    told: str


def systems_seen(campaign: Campaign) -> SystemsSeen | None:
    """The systems of the newest outcome; None where it is about none, or there is none."""
    purpose, outcome = PURPOSES[campaign.purpose], campaign.outcomes.first()
    report = judged_in(outcome) if outcome else None
    if report is None or not isinstance(purpose, SystemsPurpose):
        return None
    first = purpose.measures[0].key
    named = {
        one.number: one.submission.system
        for one in campaign.judged.select_related("submission__system__team")
    }
    ordered = sorted(report.rows, key=lambda row: (-(row.figures[first].value or 0.0), row.number))
    rows = [
        SystemSeen(
            named[row.number].name,
            named[row.number].team.name,
            f"{grouped(row.count)}, by {counted(row.answers, 'answer')}",
            [(one.head, *_shown(row.figures[one.key])) for one in purpose.measures],
        )
        for row in ordered
    ]
    groups = [", ".join(named[number].name for number in group) for group in report.groups]
    told = [
        *(f"{one.head}: {one.title}." for one in purpose.measures),
        f"With 95 % intervals, for which {report.drawn} are drawn again.",
        report.because,
        f"The groups are: {'; '.join(groups)}." if groups else "",
        "They stand on the board of the task from the next release on.",
    ]
    heads = [one.head for one in purpose.measures]
    return SystemsSeen(heads, rows, " ".join(filter(None, told)))


def _shown(figure: JudgedFigure) -> tuple[str, str]:
    """A figure, and its interval; an en dash where there is no figure."""
    if figure.value is None:
        return "\N{EN DASH}", ""
    ends = (
        ""
        if figure.low is None or figure.high is None
        else f"{_number(figure.low)} to {_number(figure.high)}"
    )
    return _number(figure.value), ends


def _number(value: float) -> str:
    return decimal(value, 1 if abs(value) >= 10 else _DIGITS)
