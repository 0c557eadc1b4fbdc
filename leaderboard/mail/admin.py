"""Mail to participants in the admin: written, looked at with everybody who gets it, sent, and followed."""

from __future__ import annotations

import uuid
from hashlib import sha256
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from accounts.access import reader
from accounts.admin_look import button
from accounts.mail.admin import AGAIN, said_again
from accounts.mail.outbox import as_sent, send_again
from accounts.models import MailKind, User
from accounts.server.clock import database_now
from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.links import address
from benchmarks.admin.organised.organised_admin import AdminMixin, OrganisedAdmin, Question, Table
from benchmarks.models import Benchmark, Phase
from benchmarks.notices.models import Mailing
from breaking.forms import ByTitle
from leaderboard.mail.mailings import (
    Audience,
    counts_of,
    given_up,
    letter_text,
    mails_of,
    recipients,
    send_mailing,
)

_MOST_SHOWN = 1000
_MAIL = ("audience", "phase", "subject", "text")
_ADDED = "Below it every mail says where it comes from, and has a link with which its reader stops such mail."


class MailingForm(forms.Form):
    """A mail and who gets it. `mailing` and `seen` come with the page that asks for the last word."""

    audience = forms.TypedChoiceField(
        label="To",
        choices=Audience.choices,
        coerce=Audience,
        widget=UnfoldAdminSelectWidget(choices=Audience.choices),
    )
    phase = ByTitle(
        Phase.objects.none(),
        required=False,
        empty_label="All phases",
        widget=UnfoldAdminSelectWidget,
        help_text="Whose submissions, refused files or pairs are meant.",
    )
    subject = forms.CharField(
        max_length=100,
        widget=UnfoldAdminTextInputWidget,
        help_text="The benchmark's title and a colon are put before it.",
    )
    text = forms.CharField(
        max_length=10_000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 14}),
        help_text=f"Plain text. {_ADDED}",
    )
    mailing = forms.UUIDField(required=False, widget=forms.HiddenInput)
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, benchmark: Benchmark, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        phases = cast("forms.ModelChoiceField[Phase]", self.fields["phase"])
        phases.queryset = benchmark.phases.all()

    def clean_text(self) -> str:
        """With line ends of one kind, as the text comes back from a hidden field."""
        return "\n".join(self.cleaned_data["text"].splitlines())

    def clean(self) -> dict[str, Any]:
        """Who has no submission in any phase takes no part."""
        super().clean()
        values = self.cleaned_data
        if values.get("audience") == Audience.ABSENT and "phase" in values and values["phase"] is None:
            self.add_error("phase", "Choose the phase in which they have no submission.")
        return values


class WritesMail(AdminMixin):
    """The button of a benchmark's page that writes to those who take part."""

    @button("Write to participants", icon="mail")
    def write_mail(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for the mail, show it with everybody who gets it, and send it when that was confirmed."""
        benchmark = self.row_or_404(request, object_id)
        form = MailingForm(benchmark, request.POST or None)
        is_written = request.method == "POST" and form.is_valid()
        now = database_now()
        mail = {key: form.cleaned_data[key] for key in _MAIL} if is_written else {}
        people = list(recipients(benchmark, mail["audience"], mail["phase"], now)) if is_written else []
        if not people:
            problem = "Nobody would get this mail: nobody is in this group, or nobody there wants mail from organisers."
            question = Question(
                title=f"Write to those who take part in {benchmark}",
                sentences=("Nothing is sent yet: the next page shows the mail and everybody who gets it.",),
                button="Preview",
                form=form,
                problems=(problem,) if is_written else (),
                leads_on=True,
            )
            return self.ask(request, question, row=benchmark)
        mailing, seen = form.cleaned_data["mailing"], form.cleaned_data["seen"]
        is_sent = mailing is not None and Mailing.objects.filter(pk=mailing, benchmark=benchmark).exists()
        if mailing is None or not (is_sent or seen == _digest(form, people)):
            return self.ask(request, _second(benchmark, form, people, again=bool(seen)), row=benchmark)
        sent = send_mailing(mailing=mailing, benchmark=benchmark, by=reader(request), now=now, **mail)
        if is_sent:
            messages.info(request, "This mail was sent before. Nothing more is sent.")
        else:
            self.log_change(request, benchmark, f"Wrote to {_people(len(people))}: {sent.subject}")
            messages.success(
                request, f"The mail to {_people(len(people))} is in the post: it goes out within minutes."
            )
        return HttpResponseRedirect(address(sent))


def _people(count: int) -> str:
    return f"{count:,} {'person' if count == 1 else 'people'}"


def _digest(form: MailingForm, people: list[User]) -> str:
    """Changes with the mail and with who gets it."""
    said = [str(form.cleaned_data[key]) for key in _MAIL]
    return sha256(repr([*said, *(person.pk for person in people)]).encode()).hexdigest()


def _second(benchmark: Benchmark, form: MailingForm, people: list[User], *, again: bool) -> Question:
    """The mail and its recipients, with everything to be sent again in hidden fields."""
    values = form.cleaned_data
    hidden = MailingForm(
        benchmark,
        initial={
            **values,
            "phase": values["phase"].pk if values["phase"] else "",
            "mailing": uuid.uuid4(),
            "seen": _digest(form, people),
        },
    )
    for field in hidden.fields.values():
        field.widget = field.hidden_widget()
    shown = [(str(person), person.email) for person in people[:_MOST_SHOWN]]
    if len(people) > _MOST_SHOWN:
        shown.append((f"and {len(people) - _MOST_SHOWN:,} more", ""))
    text = _whole(benchmark, values["text"])
    mail = [("Subject", f"{benchmark}: {values['subject']}"), ("Text", _preformatted(text))]
    where = f"in {values['phase'].title}" if values["phase"] else "in all phases"
    return Question(
        title=f"Send this mail to {_people(len(people))}?",
        sentences=(
            f"To {values['audience'].label}, {where}: members of their teams who want mail from organisers. "
            "Each gets a mail of their own and sees no other address.",
            f"{_ADDED} What was sent cannot be called back. To change something, go back in the browser.",
        ),
        button=f"Send to {_people(len(people))}",
        form=hidden,
        is_grave=True,
        problems=("The mail, or who gets it, has changed since you looked. Please look again.",)
        if again
        else (),
        tables=(
            Table("The mail", ("Part", "As it is sent"), mail),
            Table("Who gets it", ("Person", "Address"), shown),
        ),
    )


def _whole(benchmark: Benchmark, text: str) -> str:
    """The mail with its footer. Only the link with which one person stops such mail differs from mail to mail."""
    return as_sent(
        letter_text(benchmark, text), MailKind.ORGANISER, "(a link of each reader's own stands here)"
    )


def _preformatted(text: str) -> SafeString:
    return format_html('<pre class="whitespace-pre-wrap">{}</pre>', text)


def _question_again(mailing: Mailing) -> Question:
    lines = [(mail.user, mail.user.email, mail.error) for mail in given_up(mailing)[:_MOST_SHOWN]]
    return Question(
        title="Send again to those whom it did not reach",
        sentences=(AGAIN, "Whoever has it already gets nothing more."),
        button="Send again",
        tables=[Table("Who gets it again", ("Person", "Address", "Last fault"), lines)],
    )


@admin.register(Mailing)
class MailingAdmin(OrganisedAdmin):
    """Mail that was sent to participants, and what became of it for each of them."""

    made_from = "To write one, open a benchmark and choose “Write to participants”."
    benchmark_path = "benchmark"
    list_display = ("subject", "benchmark", "audience", "phase", "confirmed_at", "written_by")
    list_select_related = ("benchmark", "phase", "written_by")
    list_filter = (("benchmark", admin.RelatedOnlyFieldListFilter), "audience")
    search_fields = ("subject",)
    fields = ("benchmark", "audience", "phase", "subject", "as_sent", "written_by", "confirmed_at")
    readonly_fields = ("as_sent",)
    actions_detail = ("send_again",)

    send_again = Ask(
        label="Send again",
        icon="forward_to_inbox",
        question=_question_again,
        do=lambda mailing, now: send_again(given_up(mailing), now=now),
        done=lambda mailing, count: Done(said_again(count), f"Sent again to {count:,}." if count else ""),
        shown=lambda mailing: given_up(mailing).exists(),
    )

    @admin.display(description="text")
    def as_sent(self, mailing: Mailing) -> SafeString:
        return _preformatted(_whole(mailing.benchmark, mailing.text))

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        mails = [
            (mail.user, mail.user.email, mail.get_status_display(), mail.error)
            for mail in mails_of(row)[:_MOST_SHOWN]
        ]
        counts = [(status, f"{count:,}") for status, count in counts_of(row).items()]
        return [
            Table("So far", ("Status", "People"), counts),
            Table("Who gets it", ("Person", "Address", "Status", "Last fault"), mails),
        ]
