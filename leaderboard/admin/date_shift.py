"""The button that moves all dates of a benchmark by some days: it says what moves and who is written to, then asks."""

import datetime as dt

from django import forms
from unfold.widgets import UnfoldAdminIntegerFieldWidget

from accounts.formats.instants import in_words
from benchmarks.admin.asks import Ask, AskAgain, Done
from benchmarks.admin.organised.organised_admin import Question, Table
from benchmarks.models import Benchmark
from scoring.queue.date_mail import taking_part, tell_of_shift
from scoring.queue.date_shift import CannotShift, dates_to_shift, shift_dates

MOST_DAYS = 366


class ShiftForm(forms.Form):
    """By how many days, and whether what moves was seen."""

    days = forms.IntegerField(
        label="Days",
        min_value=-MOST_DAYS,
        max_value=MOST_DAYS,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text="Later; with a minus earlier.",
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)


class SeenShiftForm(ShiftForm):
    """The same once what moves is shown."""

    days = forms.IntegerField(widget=forms.HiddenInput)


def _shift(benchmark: Benchmark, days: int, seen: str, now: dt.datetime) -> Done:
    by = dt.timedelta(days=days)
    moving = dates_to_shift(benchmark, by, since=now, now=now)
    state = " ".join(one.before.isoformat() for one in moving)
    if seen != state:
        people = len(taking_part(benchmark.pk))
        rows = [(one.what, in_words(one.before), in_words(one.after)) for one in moving]
        raise AskAgain(
            Question(
                title=f"Move {len(rows)} dates of {benchmark} by {days} day{'' if abs(days) == 1 else 's'}",
                sentences=(
                    "What is over already stays. Submissions that wait do so for the cut-offs as they are then.",
                    f"{people} {'person who takes part gets' if people == 1 else 'people who take part get'} one mail "
                    "with all of these dates.",
                ),
                button="Move the dates and write the mail",
                form=SeenShiftForm(initial={"days": days, "seen": state}),
                tables=(Table("What moves", ("Date", "Now", "Then"), rows),),
            )
        )
    shifted = shift_dates(benchmark=benchmark, by=by, since=now, now=now)
    told = tell_of_shift(benchmark=benchmark, shifted=shifted, now=now)
    return Done(
        f"{len(shifted)} dates were moved. Mails: {told}.", f"Moved {len(shifted)} dates by {days} days."
    )


SHIFT_DATES = Ask(
    label="Shift dates",
    icon="event_repeat",
    question=Question(
        title="Shift all dates of {row}",
        sentences=(
            "Every date that is still to come moves by the same number of days: openings and ends of phases, when "
            "releases may be out, when files are given, and the registration.",
            "What moves and who gets a mail is shown first; nothing is changed before you agree to that.",
        ),
        button="Show what moves",
        leads_on=True,
    ),
    form=ShiftForm,
    do=_shift,
    refused=(CannotShift,),
)
