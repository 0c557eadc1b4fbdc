"""The head of the home: in one sentence where the event stands, and its four figures."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from accounts.formats.instants import distance, in_words
from accounts.formats.numbers import grouped
from accounts.models import AuditEntry
from benchmarks.admin.organised.links import list_address
from benchmarks.models import Benchmark, Phase
from benchmarks.people.models import BenchmarkRole, RoleInvitation
from leaderboard.admin.home.acts import Act, HomeLinks
from leaderboard.board.model import number_format as fmt
from leaderboard.models import Release
from submissions.models import Refusal, Submission, System

_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PLACES = (
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)
_DAY = dt.timedelta(days=1)
Coming = list[tuple[dt.datetime, Phase]]


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with what it counts above it and a note below."""

    label: str
    value: str
    note: str


@dataclass(frozen=True, slots=True)
class Overview:
    """Where the event stands. `first` is the sentence that matters most, `rest` what follows."""

    state: str
    first: str
    rest: str
    figures: tuple[Figure, ...]


def overview(benchmark: Benchmark, phases: Sequence[Phase], *, missing: int, now: dt.datetime) -> Overview:
    """Where `benchmark` stands at `now`; `missing` counts the tasks without gold labels."""
    running = [phase for phase in phases if phase.is_open(now)]
    coming = [(phase.opens_at, phase) for phase in phases if phase.opens_at and phase.opens_at > now]
    coming.sort(key=lambda pair: (pair[0], pair[1].position))
    first, rest = _sentences(phases, running, coming, missing=missing, now=now)
    state = "running" if running else "before" if coming else "over"
    return Overview(state, first, rest, _figures(benchmark, running, coming, now))


def who_runs(benchmark: Benchmark) -> str:
    """Who is written to, in a sentence."""
    names = [str(person) for person in benchmark.organisers]
    if not names:
        return "Nobody is an organiser of it."
    others = len(names) - 3
    shown = [*names[:3], f"{others} more"] if others > 0 else names
    listed = shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
    return f"{listed} {'runs' if len(names) == 1 else 'run'} it."


def overview_acts(links: HomeLinks) -> tuple[Act, ...]:
    """Who runs it, who sees it, and what was done to it."""
    shown_to = links.benchmark.get_visibility_display().partition(":")[0]
    return (
        *links.has(BenchmarkRole, "Roles"),
        *links.has(RoleInvitation, "Invitations"),
        *links.button("invite", "Invite…"),
        *links.button("show_to", f"Who sees it: {shown_to}…"),
        *links.button("ask_to_open", "Ask to be opened…"),
        *links.button("hide_names", "Hide names of systems…"),
        *links.button("lift_anonymity", "Name the systems…"),
        Act("Audit log", list_address(AuditEntry, benchmark=links.benchmark.pk)),
    )


def _sentences(
    phases: Sequence[Phase], running: list[Phase], coming: Coming, *, missing: int, now: dt.datetime
) -> tuple[str, str]:
    if running:
        return _running(running, now)
    if not phases:
        return "It has no phase yet.", "Add one under Timeline: without a phase nobody can send a file."
    if coming:
        opens_at, nearest = coming[0]
        opens = f"{nearest.title} opens {distance(opens_at, now)}, on {in_words(opens_at)}."
        if missing:
            tasks = f"{_number(missing).capitalize()} task{' has' if missing == 1 else 's have'}"
            return f"{tasks} no gold labels yet.", f"{opens} Without them no file can be checked."
        return opens, "Until then nobody can send a file."
    last = max(phases, key=lambda phase: phase.closes_at or now)
    return f"{last.title} was the last phase.", f"It closed on {in_words(last.closes_at or now)}."


def _running(running: list[Phase], now: dt.datetime) -> tuple[str, str]:
    """On which day of how many the phase is that ends first, when it closes, and who sees scores when."""
    phase = min(running, key=lambda one: (one.closes_at is None, one.closes_at or now, one.position))
    others = [other.title for other in running if other.pk != phase.pk]
    beside = f" {' and '.join(others)} {'is' if len(others) == 1 else 'are'} open too." if others else ""
    return f"{phase.title} {_day_of(phase, now)}.", f"{_ends(phase, now)} {_hidden(phase)}{beside}"


def _day_of(phase: Phase, now: dt.datetime) -> str:
    if phase.opens_at is None or phase.closes_at is None:
        return "is open"
    day = (now - phase.opens_at) // _DAY + 1
    days = max(day, -((phase.opens_at - phase.closes_at) // _DAY))
    if days == 1:
        return "is on its only day"
    return f"is on its {_place(day)} day of {_number(days)}"


def _ends(phase: Phase, now: dt.datetime) -> str:
    if phase.closes_at is None:
        return f"It has no end; its next cut-off is on {in_words(phase.next_cut_off_at)}."
    closes = f"It closes on {in_words(phase.closes_at)}"
    if phase.weekday is None or phase.next_cut_off_at >= phase.closes_at:
        return f"{closes}."
    return f"{closes}; its next cut-off is on {in_words(phase.next_cut_off_at)}."


def _hidden(phase: Phase) -> str:
    until = phase.release_not_before or (phase.closes_at if phase.weekday is None else None)
    if not phase.publish_automatically:
        return "Scores stay hidden until you publish."
    if until is None:
        return "Scores are published after each cut-off."
    return f"Scores stay hidden until {in_words(until)}."


def _figures(
    benchmark: Benchmark, running: list[Phase], coming: Coming, now: dt.datetime
) -> tuple[Figure, ...]:
    sent = Submission.objects.filter(phase__benchmark=benchmark)
    count = sent.count()
    teams = System.objects.filter(submissions__phase__benchmark=benchmark).values("team").distinct().count()
    today = sent.filter(received_at__gt=now - _DAY).count()
    refused = Refusal.objects.filter(phase__benchmark=benchmark).count()
    return (
        Figure("Teams", grouped(teams), "have sent a file"),
        Figure("Submissions", grouped(count), f"{grouped(today)} in the last 24 hours"),
        Figure("Refused files", grouped(refused), "each with its reasons; no quota used"),
        _next_date(benchmark, running, coming, now),
    )


def _next_date(benchmark: Benchmark, running: list[Phase], coming: Coming, now: dt.datetime) -> Figure:
    closing = [phase.closes_at for phase in running if phase.closes_at]
    if closing:
        return Figure("Closes", distance(min(closing), now), in_words(min(closing)))
    if running:
        cut_off = min(phase.next_cut_off_at for phase in running)
        return Figure("Next cut-off", distance(cut_off, now), in_words(cut_off))
    if coming:
        opens_at = coming[0][0]
        return Figure("Opens", distance(opens_at, now), in_words(opens_at))
    newest = Release.objects.of(benchmark.pk).first()
    if newest:
        return Figure("Last release", f"number {newest.number}", in_words(newest.published_at))
    return Figure("Last release", "none", "nothing was published")


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _place(number: int) -> str:
    return _PLACES[number] if number < len(_PLACES) else fmt.ordinal(number)
