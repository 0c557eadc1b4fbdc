"""The watch in the admin: a report for each batch, in plain words, for the organisers of its benchmark alone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import mark_safe
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget, UnfoldAdminTextInputWidget

from accounts.formats.numbers import grouped
from accounts.models import Team, User
from accounts.templatetags.instants import in_words
from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.links import link
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, Table, column
from leaderboard.models import WatchReport
from leaderboard.publication.batch_watch import (
    NOT_LOOKED_AT,
    CannotHoldBack,
    Finding,
    hold_back,
    hold_rows_back,
    mark_seen,
    submissions_named,
)
from scoring.admin.submissions.buttons import PrivateReasonForm
from scoring.core.watch import Oddity
from scoring.models import Batch
from submissions.exceptions import CannotChange
from submissions.models import Submission, System

TITLES = {
    Oddity.SAME: "The same predictions from several teams",
    Oddity.ALIKE: "Nearly the same predictions from several teams",
    Oddity.ON_ONE_LINE: "Numbers of several teams that lie on one line",
    Oddity.RENAMED: "The same predictions with labels exchanged",
    Oddity.ONE_STEP: "Hardly a label changed within a team",
    Oddity.STAIRCASE: "Answers that turn a few labels at a time, all one way",
    Oddity.RANDOM: "Labels as even as dice",
    Oddity.SAME_FILE: "The same file from several teams",
    Oddity.SHARED_MEMBER: "Teams with a member in common",
    Oddity.LIKE_ADDRESSES: "Addresses that look like one person's",
}
MEANINGS = {
    Oddity.SAME: "One may have been copied, or both come from the same public model.",
    Oddity.ALIKE: (
        "They agree far more than any two systems here do. A copy with a few labels changed looks like this; so may "
        "two systems built on the same model."
    ),
    Oddity.ON_ONE_LINE: (
        "Their correlation is beyond .9999: one may be the other moved, stretched, turned round or with a little "
        "noise. The best systems seldom get beyond .98 with each other; two copies of one public model do."
    ),
    Oddity.RENAMED: (
        "Turning all labels round tells a team what the others were worth. It may also be a slip in a script."
    ),
    Oddity.ONE_STEP: (
        "The difference of the two scores tells the labels of just these items. Once is nothing; many are "
        "a probe."
    ),
    Oddity.STAIRCASE: (
        "Whoever knows some labels can put them right one by one and turn an unknown one with each answer, to read it "
        "off the score. Honest tuning turns labels for better and for worse."
    ),
    Oddity.RANDOM: (
        "It agrees with nobody beyond chance, as a probe for boosting does; so may a first try of an upload."
    ),
    Oddity.SAME_FILE: "Byte for byte the same upload.",
    Oddity.SHARED_MEMBER: (
        "Quota is counted per team and per person: two teams together have twice as much, and a member of both knows "
        "what each was told. Teams that hang together over others stand together."
    ),
    Oddity.LIKE_ADDRESSES: "The names before the @ are the same but for dots, digits or a plus.",
}
HINT = "Hints to look at, never a proof: nothing was done to anybody, and nobody else sees this."


class HoldRowsForm(PrivateReasonForm):
    """Which submissions of a report are held back, and why."""

    submissions = forms.ModelMultipleChoiceField(
        queryset=Submission.objects.none(), widget=UnfoldAdminCheckboxSelectMultipleWidget
    )
    field_order = ("submissions", "reason")

    def __init__(self, *args: Any, report: WatchReport, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["submissions"]
        field.queryset = submissions_named(report).select_related("system__team")
        field.label_from_instance = _named


def _hold_rows_back(
    *,
    submissions: Iterable[Submission],
    reason: str,
    now: dt.datetime,
    log: Callable[[Submission, str], None],
) -> int:
    held = hold_rows_back(submissions=submissions, reason=reason, now=now)
    for submission in held:
        log(submission, f"Held back. {reason}")
    return len(held)


class HoldBackForm(forms.Form):
    """Why a release waits."""

    reason = forms.CharField(max_length=300, widget=UnfoldAdminTextInputWidget)


@admin.register(WatchReport)
class WatchReportAdmin(OrganisedAdmin):
    """What looked odd in a batch."""

    benchmark_path = "batch__phase__benchmark"
    list_display = ("batch", "found", "made_at", "seen_at")
    related = ("batch__phase__benchmark",)
    list_filter = (
        ("batch__phase", admin.RelatedOnlyFieldListFilter),
        ("seen_at", admin.EmptyFieldListFilter),
    )
    fields = ("of_batch", "found", "made_at", "seen_at", "what_it_is")
    readonly_fields = fields
    ordering = ("-batch__cut_off_at",)
    audited = ("seen_at",)
    actions_detail = ("looked_at", "hold_rows", "hold_back")

    looked_at = Ask(
        label="I have looked at it",
        icon="visibility",
        question=Question(
            title="Take this report off the first page",
            sentences=("It stays in the list of reports, with everything that it says.", HINT),
            button="I have looked at it",
        ),
        do=lambda watch_report, now: mark_seen(report=watch_report, now=now),
        done=lambda report, is_new: (
            Done("It is no longer listed on the first page.", "Looked at.") if is_new else Done()
        ),
        shown=lambda report: report.seen_at is None,
    )
    hold_rows = Ask(
        label="Hold back a row…",
        icon="block",
        question=Question(
            title="Hold back submissions of {row.batch}",
            sentences=(
                "What you tick stands on no board until you let it go on its own page. Releases go out without it, at "
                "their time; I have looked at it lets one go out that waits for you.",
                "Its team reads the reason. Nobody else learns of it.",
            ),
            button="Hold back",
        ),
        form=HoldRowsForm,
        given=lambda report: {"report": report},
        do=_hold_rows_back,
        done="{result} held back. Their teams are written to.",
        log="{result} of its submissions held back. {reason}",
        refused=(CannotChange,),
        shown=lambda report: submissions_named(report).exists(),
    )
    hold_back = Ask(
        label="Hold back the release",
        icon="pan_tool",
        question=Question(
            title="Hold back the release of {row.batch}",
            sentences=(
                "It is not published by itself. Publish on the page of the batch lets it go; to let it go out without "
                "one submission, use Hold back a row.",
                "Organisers see the reason beside the batch.",
            ),
            button="Hold it back",
        ),
        form=HoldBackForm,
        do=lambda watch_report, reason, now: hold_back(report=watch_report, reason=reason, now=now),
        done="The release is held back.",
        log="Held back. {reason}",
        refused=(CannotHoldBack,),
        shown=lambda report: (
            report.batch.status == Batch.Status.SCORED and not report.batch.set_aside_because
        ),
    )
    of_batch = column("batch", lambda report: link(report.batch))
    found = column("what looked odd", lambda report: in_short(report), ordering="finding_count")
    what_it_is = column("what this is", lambda report: HINT)

    def tables(self, request: HttpRequest, row: Any) -> Sequence[Table]:
        return list(report_tables(row))


def watch_table(batch: Batch) -> Table:
    """The report beside a batch, in a line."""
    report = WatchReport.objects.filter(batch=batch).defer("findings").first()
    empty = "Each batch is looked at by a worker once it is scored."
    return Table(
        "Watch",
        ("What looked odd",),
        [(link(report, in_short(report)),)] if report else (),
        empty=empty,
    )


def in_short(report: WatchReport) -> str:
    """How many things there are to look at."""
    count = report.finding_count
    if not count:
        return "Nothing looked odd."
    words = "%(count)s thing to look at" if count == 1 else "%(count)s things to look at"
    return words % {"count": grouped(count)}


def report_tables(report: WatchReport) -> Iterator[Table]:
    """A table for each kind of finding, with what it may mean."""
    names = _Names.of(report.findings)
    for oddity, title in TITLES.items():
        of_kind = [finding for finding in report.findings if finding["kind"] == oddity]
        if of_kind:
            rows = [names.row(finding) for finding in of_kind]
            yield Table(f"{title}. {MEANINGS[oddity]}", ("Who", "What"), rows)
    if any(finding["kind"] == NOT_LOOKED_AT for finding in report.findings):
        sentence = "This batch could not be looked at. The log of the worker says why."
        yield Table("Not looked at", (), (), empty=sentence)
    if not report.findings:
        yield Table("What looked odd", (), (), empty="Nothing looked odd.")
    if report.finding_count > len(report.findings):
        more = f"{grouped(report.finding_count - len(report.findings))} more are not listed."
        yield Table("More", (), (), empty=more)


@dataclass(frozen=True, slots=True)
class _Names:
    """What the ids in findings stand for; rows that are gone have none."""

    submissions: dict[str, Submission]
    teams: dict[str, Team]
    systems: dict[str, System]
    people: dict[int, User]

    @classmethod
    def of(cls, findings: Iterable[Finding]) -> _Names:
        listed = list(findings)
        submissions = Submission.objects.filter(pk__in=_all(listed, "submissions")).select_related(
            "system__team"
        )
        teams = Team.objects.filter(pk__in=_all(listed, "teams"))
        systems = System.objects.filter(pk__in=_all(listed, "systems"))
        people = User.objects.filter(pk__in=_all(listed, "people"))
        return cls(
            {str(submission.pk): submission for submission in submissions},
            {str(team.pk): team for team in teams},
            {str(system.pk): system for system in systems},
            {person.pk: person for person in people},
        )

    def row(self, finding: Finding) -> tuple[Any, Any]:
        """Who it is about, and what was found."""
        if "teams" in finding:
            people = [self.people[key].email for key in finding.get("people", ()) if key in self.people]
            systems = _joined(finding.get("systems", ()), self.systems, link)
            return _joined(finding["teams"], self.teams, link), _joined_lines([", ".join(people), systems])
        who = _joined(finding["submissions"], self.submissions, _of_team)
        return who, _joined_lines([_place(finding["kind"], place) for place in finding["tasks"]])


def _all(findings: Iterable[Finding], key: str) -> set[Any]:
    return {identifier for finding in findings for identifier in finding.get(key, ())}


def _of_team(submission: Submission) -> Any:
    return link(submission, _named(submission))


def _named(submission: Submission) -> str:
    return f"{submission.system} ({submission.system.team}), {in_words(submission.received_at)}"


def _joined(keys: Iterable[Any], known: dict[Any, Any], show: Callable[[Any], Any]) -> Any:
    return _joined_lines([show(known[key]) for key in keys if key in known])


def _joined_lines(lines: Iterable[Any]) -> Any:
    return format_html_join(mark_safe("<br>"), "{}", ((line,) for line in lines))


def _place(kind: str, place: dict[str, Any]) -> str:
    """What was found on one set of items, of several pairs where they were least alike."""
    figures = _figures(kind, place)
    if "pairs" not in place:
        return figures
    return f"{figures}, in the least alike of {grouped(place['pairs'])} pairs"


def _figures(kind: str, place: dict[str, Any]) -> str:
    values = {
        "where": f"{place['task']}, {place['split']}" if place["split"] != "test" else place["task"],
        "items": grouped(place["items"]),
        "equal": grouped(place["equal"]),
        "usual": grouped(place["usual"]),
        "changed": grouped(place["items"] - place["equal"]),
    }
    if kind in (Oddity.ONE_STEP, Oddity.STAIRCASE):
        return "{where}: {changed} of {items} labels changed".format(**values)
    if kind == Oddity.ON_ONE_LINE:
        values["correlation"] = f"{place['correlation']:.6f}"
        return "{where}: correlation {correlation} over {items} items".format(**values)
    if kind == Oddity.RANDOM:
        return "{where}: {equal} of {items} labels as others have them; others agree on {usual}".format(
            **values
        )
    if kind == Oddity.ALIKE and place["usual"] >= 0:
        return "{where}: {equal} of {items} labels alike; {usual} would be usual for these two".format(
            **values
        )
    return "{where}: {equal} of {items} labels alike".format(**values)
