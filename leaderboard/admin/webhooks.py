"""Webhooks in the admin: named by organisers, with what was sent to each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Count, Q
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminTextInputWidget

from accounts.formats.instants import in_words
from accounts.server.clock import database_now
from accounts.server.outgoing import AddressRefused, read_address
from benchmarks.admin.asks import Ask
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, Table, column
from benchmarks.people.rights import Right
from leaderboard.models import Webhook, WebhookDelivery
from leaderboard.webhooks.delivery import messages_in_words, renew_secret, secret_of, send_given_up
from leaderboard.webhooks.givers import gone_giver

if TYPE_CHECKING:
    BaseForm = forms.ModelForm[Webhook]
else:
    BaseForm = forms.ModelForm

TOLD = ("tells_accepted", "tells_scored", "tells_released")


def _state(webhook: Any) -> str:
    if not webhook.is_active:
        return "not active"
    if gone := gone_giver(webhook):
        return f"silent: {gone}, who gave the address, runs the benchmark no more"
    return f"told; {messages_in_words(webhook.given_up)} given up" if webhook.given_up else "told"


class WebhookForm(BaseForm):
    """Where messages go, and what they tell of."""

    url = forms.URLField(
        label="Address",
        assume_scheme="https",
        max_length=500,
        widget=UnfoldAdminTextInputWidget,
        help_text="Begins with https, at a public host.",
    )

    class Meta:
        model = Webhook
        fields = ("benchmark", "url", *TOLD, "is_active")

    def clean_url(self) -> str:
        """An address that this server would connect to."""
        url: str = self.cleaned_data["url"]
        try:
            read_address(url)
        except AddressRefused as refused:
            raise ValidationError(str(refused)) from None
        return url


@admin.register(Webhook)
class WebhookAdmin(OrganisedAdmin):
    """Addresses that are told what happens in a benchmark: systems and instants, never a score or a label.

    Whoever saves or takes over a webhook answers for its address; it falls silent once they run the benchmark no more.
    """

    benchmark_path = "benchmark"
    is_editable = True
    may_add = True
    form = WebhookForm
    list_display = ("url", "benchmark", "state")
    list_select_related = ("benchmark",)
    annotations = {
        "given_up": Count("deliveries", filter=Q(deliveries__status=WebhookDelivery.Status.FAILED))
    }
    list_filter = (("benchmark", admin.RelatedOnlyFieldListFilter), "is_active")

    state = column("state", _state)
    shown_secret = column("secret", secret_of)
    take_over = Ask(
        label="Have it go on",
        icon="play_arrow",
        question=Question(
            "Have {row} told again?",
            (
                "Whoever gave this address runs the benchmark no more, so it is told nothing.",
                "If it is one of yours, it goes on in your name, and is told what happened meanwhile, too.",
                "Its secret stays the same, and whoever ran the benchmark may know it: make a new one afterwards.",
            ),
            "Have it go on",
        ),
        do=lambda webhook: None,
        done="It goes on in your name.",
        log="Took it over.",
        shown=lambda webhook: gone_giver(webhook) is not None,
        changes_row=True,
    )
    send_again = Ask(
        label="Send again",
        icon="replay",
        question=lambda webhook: Question(
            f"Send again what {webhook} did not take?",
            (
                f"{messages_in_words(webhook.given_up).capitalize()} given up. Each is sent with the id that it had, "
                "and tried for a day and a half.",
                "It goes on in your name.",
            ),
            "Send again",
        ),
        do=lambda webhook, now: messages_in_words(send_given_up(webhook, now)),
        done="{result} back in the post.",
        log="{result} put back in the post.",
        shown=lambda webhook: webhook.given_up > 0,
        changes_row=True,
    )
    renew_secret = Ask(
        label="New secret",
        icon="key",
        question=Question(
            "Make a new secret for {row}?",
            (
                "Messages are signed with the new one at once, and with the old one no more.",
                "What your receiver refuses until it knows the new one is sent again for a day and a half. Nothing is "
                "lost if it answers with an error and not with 200 to 299 or 410.",
                "It goes on in your name.",
            ),
            "Make a new secret",
        ),
        do=renew_secret,
        done="The new secret stands below. Give it to your receiver.",
        log="Made a new secret.",
        confirms_identity=True,
        changes_row=True,
    )
    actions_detail = ("take_over", "send_again", "renew_secret")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        written = ("benchmark", "url", *TOLD)
        if obj is None:
            return written
        secret = ("shown_secret",) if self.may(request, Right.RUN, [obj]) else ()
        return ("state", *written, "is_active", *secret)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("state", "benchmark", "shown_secret") if obj else ()

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if not change:
            obj.made_at = obj.looked_until = database_now()
        super().save_model(request, obj, form, change)

    def tables(self, request: HttpRequest, row: Any) -> list[Table]:
        messages = [
            (one.about, in_words(one.created_at), one.get_status_display(), one.attempts, one.error)
            for one in row.deliveries.all()[:50]
        ]
        headers = ("About", "Written", "Status", "Attempts", "Last answer")
        return [Table("Latest messages", headers, messages, empty="Nothing has happened yet.")]
