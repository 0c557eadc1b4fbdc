"""Mail in the admin: what waits, what was sent, and what was given up and why, to be sent again. For superusers."""

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from accounts.admin_look import ReadBySuperusers, coloured
from accounts.audit.admin import Audited
from accounts.formats.numbers import grouped
from accounts.mail.outbox import send_again
from accounts.models import Mail
from accounts.server.clock import database_now

COLOURS = {
    Mail.Status.WAITING.label: "info",
    Mail.Status.SENDING.label: "info",
    Mail.Status.SENT.label: "success",
    Mail.Status.FAILED.label: "danger",
    Mail.Status.UNWANTED.label: "warning",
}


AGAIN = (
    "A worker tries each of them anew within a minute, and for a day and a half if the mail server refuses. One whose "
    "sending was cut short may have arrived before; its reader then gets it twice."
)


def said_again(count: int) -> str:
    """What is said once mail is back in the post."""
    if not count:
        return "None of it was given up, so nothing is sent again."
    words = "%(count)s mail is sent again." if count == 1 else "%(count)s mails are sent again."
    return words % {"count": grouped(count)}


@admin.register(Mail)
class MailAdmin(ReadBySuperusers, Audited):
    """To see whether mail gets through. A mail that was given up is told in its row with the server's words."""

    list_display = (
        "subject",
        "user",
        "kind",
        "state",
        "attempts",
        "error",
        "created_at",
        "due_at",
        "sent_at",
    )
    list_filter = ("status", "kind")
    list_select_related = ("user",)
    list_per_page = 50
    search_fields = ("subject", "user__email", "about")
    fields = (
        ("user", "kind", "about"),
        "subject",
        "text",
        ("state", "attempts", "error"),
        ("created_at", "due_at", "sent_at"),
    )
    readonly_fields = ("state",)
    actions = ("send_again",)
    audited = ("status",)

    @coloured("status", COLOURS, ordering="status")
    def state(self, mail: Mail) -> str:
        return mail.get_status_display()

    @admin.action(description="Send again what was given up", permissions=["view"])
    def send_again(self, request: HttpRequest, mails: QuerySet[Mail]) -> HttpResponse | None:
        """Ask, then put those of the selected mails that were given up back in the post."""
        failed = list(mails.filter(status=Mail.Status.FAILED).exclude(text="").select_related("user"))
        if failed and "confirmed" not in request.POST:
            return self._ask(request, failed)
        count = send_again(Mail.objects.filter(pk__in=[one.pk for one in failed]), now=database_now())
        for one in failed:
            self.log_change(request, one, "Put back in the post.")
        messages.success(request, said_again(count))
        return None

    def _ask(self, request: HttpRequest, failed: list[Mail]) -> HttpResponse:
        lines = [f"{one.user.email}: {one.subject} ({one.error})" for one in failed]
        context = {
            **self.admin_site.each_context(request),
            "title": "Send again",
            "opts": self.opts,
            "question": {
                "title": "Send again what was given up",
                "sentences": [str(AGAIN), *lines],
                "button": "Send again",
                "asks_why": True,
            },
            "back": request.get_full_path(),
            "selected": [one.pk for one in failed],
            "selected_name": ACTION_CHECKBOX_NAME,
            "action": "send_again",
        }
        return TemplateResponse(request, "admin/ask.html", context)
