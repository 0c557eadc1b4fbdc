"""The buttons of a benchmark that say how and when teams come to take part."""

import datetime as dt
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminSplitDateTimeWidget

from accounts.formats.instants import in_own_zone
from benchmarks.admin.asks import Ask
from benchmarks.admin.organised.organised_admin import Question
from benchmarks.models import Benchmark

_Mode = Benchmark.Registration


def _set(benchmark: Benchmark, mode: _Mode) -> None:
    Benchmark.objects.filter(pk=benchmark.pk).update(registration=mode)


ASK_FOR_APPROVAL = Ask(
    label="Approve teams",
    icon="how_to_reg",
    question=Question(
        title="Approve teams before they take part in {row}",
        sentences=(
            "What a team sends is refused from now on until you have approved the team under “Registrations”. "
            "Its first upload registers it; you get a mail then, and the team gets one once it is approved.",
            "Teams that have submitted already go on.",
        ),
        button="Approve teams",
    ),
    do=lambda benchmark: _set(benchmark, _Mode.APPROVAL),
    done="From now on you approve the teams that take part in {row}.",
    log="Had teams approved before they take part.",
    shown=lambda benchmark: benchmark.registration != _Mode.APPROVAL,
)
OPEN_REGISTRATION = Ask(
    label="Open to all teams",
    icon="group_add",
    question=Question(
        title="Let teams take part in {row} at once",
        sentences=("Also those that wait for your approval, or have no code, may send files then.",),
        button="Open to all teams",
    ),
    do=lambda benchmark: _set(benchmark, _Mode.OPEN),
    done="Every team may take part in {row}.",
    log="Let teams take part without approval.",
    shown=lambda benchmark: benchmark.registration != _Mode.OPEN,
)


class DatesForm(forms.Form):
    """Between which instants new teams may begin to take part."""

    opens_at = forms.SplitDateTimeField(
        label="Opens at",
        required=False,
        widget=UnfoldAdminSplitDateTimeWidget,
        help_text=in_own_zone("Empty: at once."),
    )
    closes_at = forms.SplitDateTimeField(
        label="Closes at",
        required=False,
        widget=UnfoldAdminSplitDateTimeWidget,
        help_text=in_own_zone("The first instant that is too late. Empty: it does not close."),
    )

    def clean(self) -> dict[str, Any]:
        """Both in order."""
        super().clean()
        opens, closes = self.cleaned_data.get("opens_at"), self.cleaned_data.get("closes_at")
        if opens and closes and opens >= closes:
            self.add_error("closes_at", "It would close before it opens. Please choose a later end.")
        return self.cleaned_data


def _set_dates(benchmark: Benchmark, opens_at: dt.datetime | None, closes_at: dt.datetime | None) -> None:
    Benchmark.objects.filter(pk=benchmark.pk).mark_stale(
        registration_opens_at=opens_at, registration_closes_at=closes_at
    )


REGISTRATION_DATES = Ask(
    label="Dates of registration",
    icon="calendar_month",
    question=Question(
        title="When may new teams begin to take part in {row}?",
        sentences=(
            "Outside of these dates a team that has neither submitted nor asked before is refused, and told when.",
            "Teams that take part already go on.",
        ),
        button="Set the dates",
    ),
    form=DatesForm,
    given=lambda benchmark: {
        "initial": {
            "opens_at": benchmark.registration_opens_at,
            "closes_at": benchmark.registration_closes_at,
        }
    },
    do=_set_dates,
    done="The dates of registration are set.",
    log="Set the dates of registration.",
)
