"""What an organiser is told and asked before the end of a phase is moved."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from django import forms
from django.http import QueryDict

from accounts.formats.instants import in_words
from benchmarks.admin.organised.organised_admin import Question, Table
from benchmarks.models import Phase
from scoring.queue.date_mail import taking_part
from scoring.queue.date_shift import OWN_DATES, CannotShift, ShiftedDate, dates_to_shift

REST = "shift_the_rest"
"""The box that has all later dates moved by as much."""


@dataclass(frozen=True, slots=True)
class EndMove:
    """The end of a phase that is to be moved: which phases open with it, what else comes later, and who is told."""

    phase: Phase
    before: dt.datetime
    after: dt.datetime
    following: Sequence[Phase]
    staying: Sequence[Phase]
    later: Sequence[ShiftedDate]
    people: int

    @classmethod
    def of(cls, form: forms.ModelForm[Phase], now: dt.datetime) -> Self | None:
        """From the form that was filled in; None where there was no end, or there is to be none."""
        phase = Phase.objects.select_related("benchmark").get(pk=form.instance.pk)
        before, after = phase.closes_at, form.cleaned_data["closes_at"]
        if before is None or after is None or before == after:
            return None
        at_the_end = phase.benchmark.phases.filter(opens_at=before).exclude(pk=phase.pk)
        following = [one for one in at_the_end if one.closes_at is None or one.closes_at > after]
        try:
            stay = {*OWN_DATES, *form.changed_data}
            by = after - before
            later = dates_to_shift(phase.benchmark, by, since=before, now=now, but=phase, stay=stay)
        except CannotShift:
            later = []
        people = len(taking_part(phase.benchmark_id)) if before > now else 0
        staying = [one for one in at_the_end if one not in following]
        return cls(phase, before, after, following, staying, later, people)

    @property
    def matters(self) -> bool:
        """Whether anything else changes by it, or anybody is told."""
        return bool(self.following or self.staying or self.later or self.people)

    def question(self, sent: QueryDict) -> Question:
        """The page that asks; what was filled in comes along unseen."""
        sentences = [
            f"{self.phase.title} closes on {in_words(self.after)} in place of {in_words(self.before)}.",
            *(f"{one.title}, which follows it, opens then." for one in self.following),
            *(
                f"{one.title}, which followed it, still opens on {in_words(self.before)}, because it would be over "
                "before."
                for one in self.staying
            ),
            "Nobody is written to: the old end is over, or nobody takes part yet."
            if not self.people
            else f"{self.people} {'person who takes part gets' if self.people == 1 else 'people who take part get'} a "
            "mail with both dates.",
        ]
        rows = [(one.what, in_words(one.before), in_words(one.after)) for one in self.later]
        return Question(
            title=f"Move the end of {self.phase.title}",
            sentences=sentences,
            button="Move the end" if not self.people else "Move the end and write the mail",
            form=_again(sent, offers_rest=bool(self.later)),
            tables=(Table("Later dates", ("Date", "Now", "If it moves by as much"), rows),) if rows else (),
        )


def _again(sent: QueryDict, *, offers_rest: bool) -> forms.Form:
    """A form of what was sent, hidden, and of the box for later dates."""
    form = forms.Form(initial={name: values[-1] for name, values in sent.lists()})
    hidden: dict[str, Any] = {
        name: forms.CharField(required=False, widget=forms.HiddenInput)
        for name in sent
        if name != "csrfmiddlewaretoken"
    }
    form.fields |= hidden
    if offers_rest:
        form.fields[REST] = forms.BooleanField(
            label="Move all later dates by as much", required=False, help_text="They are listed below."
        )
    return form
