"""Ways in and out of a campaign: invitations, links for outside platforms, and the codes that workers take back."""

import datetime as dt
from collections.abc import Iterator
from typing import Any

from django import forms
from django.conf import settings
from django.urls import reverse
from django.utils.html import format_html
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from accounts.admin_look import ActionVariant
from accounts.formats.instants import in_words
from accounts.formats.numbers import grouped
from accounts.models import User
from benchmarks.admin.asks import Ask, AskAgain, Done
from benchmarks.admin.organised.links import link
from benchmarks.admin.organised.organised_admin import Question, Table
from labelling.models import Campaign
from labelling.work.completion import check_code
from labelling.work.joining import invite
from labelling.work.platforms import PLATFORMS, study_address

MOST_CODES = 5_000


class WorkerInvitationForm(forms.Form):
    """For whom a link is, and for how long."""

    note = forms.CharField(
        label="To whom",
        max_length=120,
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text="For your own list; workers do not see it.",
    )
    most_workers = forms.IntegerField(
        label="People who may join by it",
        min_value=1,
        max_value=10_000,
        initial=1,
        widget=UnfoldAdminIntegerFieldWidget,
    )
    days = forms.IntegerField(
        label="Days until it expires",
        min_value=1,
        max_value=365,
        initial=14,
        widget=UnfoldAdminIntegerFieldWidget,
    )


class CodesForm(forms.Form):
    """Codes as a platform lists them."""

    codes = forms.CharField(
        label="Completion codes",
        max_length=400_000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 12, "class": "font-mono"}),
        help_text=f"One a line, at most {MOST_CODES:,}.",
    )


def _invite(
    *, campaign: Campaign, note: str, most_workers: int, days: int, user: User, now: dt.datetime
) -> Done:
    expires_at = now + dt.timedelta(days=days)
    _, token = invite(
        campaign=campaign, note=note, most_workers=most_workers, expires_at=expires_at, user=user, now=now
    )
    path = reverse("labelling:join", args=[campaign.pk, token])
    people = "1 person" if most_workers == 1 else f"{grouped(most_workers)} people"
    told = format_html(
        'The link, which is shown this once: <code class="campaign-link">{}</code> {} may join by it until {}.',
        f"{settings.SITE_URL}{path}",
        people,
        in_words(expires_at),
    )
    return Done(told, f"Invited {people}{f' ({note})' if note else ''}, until {expires_at:%Y-%m-%d}.")


def _check(*, campaign: Campaign, codes: str) -> None:
    """Show whose codes they are. Nothing is changed."""
    lines = [line.strip() for line in codes.splitlines() if line.strip()]
    rows = list(_judged(campaign, lines[:MOST_CODES]))
    counts = {name: sum(row[2] == name for row in rows) for name in ("done", "screened out", "not ours")}
    told = ", ".join(f"{grouped(count)} {name}" for name, count in counts.items())
    beyond = [f"Only the first {MOST_CODES:,} lines were looked at."] if len(lines) > MOST_CODES else []
    raise AskAgain(
        Question(
            title=f"Codes of {campaign}: {told}",
            sentences=(
                "Pay for all work, also of those who were screened out or excluded. A code that is not ours was made "
                "up, mistyped, or is another campaign's.",
                *beyond,
            ),
            button="Check others",
            form=CodesForm(),
            leads_on=True,
            tables=(
                Table("Codes", ("Code", "Worker", "How it ended", "Answered", "Id at the platform"), rows),
            ),
        )
    )


def _judged(campaign: Campaign, codes: list[str]) -> Iterator[tuple[Any, ...]]:
    seen: set[str] = set()
    for code in codes:
        known = check_code(campaign, code)
        if known is None:
            yield code[:40], "", "not ours", "", ""
            continue
        worker, end = known
        outside = getattr(worker, "outside_id", None)
        again = " (stands there twice)" if code.upper() in seen else ""
        seen.add(code.upper())
        yield f"{code}{again}", link(worker), end, grouped(worker.answered), outside.value if outside else ""


def ways_in(campaign: Campaign) -> Table:
    """The addresses by which workers come."""
    site = settings.SITE_URL
    rows: list[tuple[Any, ...]] = [
        (
            "Accounts with the role of an annotator",
            f"{site}{reverse('labelling:campaign', args=[campaign.pk])}",
        )
    ]
    rows += [
        (platform.title, f"{site}{study_address(campaign, platform)}") for platform in PLATFORMS.values()
    ]
    return Table("Ways in", ("For", "Address to give"), rows)


def invitations(campaign: Campaign) -> Table:
    """Whom links were given to, without the links."""
    rows = [
        (
            one.note or "anybody",
            f"{grouped(one.joined)} of {grouped(one.most_workers)}",
            in_words(one.expires_at),
            one.made_by or "nobody known",
        )
        for one in campaign.invitations.select_related("made_by")[:50]
    ]
    return Table("Invitations", ("To whom", "Joined", "Expires", "Made by"), rows, empty="None yet.")


INVITE = Ask(
    label="Invite",
    icon="link",
    variant=ActionVariant.PRIMARY,
    question=Question(
        title="Invite workers to {row}",
        sentences=(
            "Whoever has the link joins without an account, as long as places are left and it has not expired. It is "
            "shown once: the server keeps only its digest.",
        ),
        button="Make a link",
    ),
    form=WorkerInvitationForm,
    do=_invite,
    shown=lambda campaign: campaign.status != Campaign.Status.CLOSED,
)
CHECK_CODES = Ask(
    label="Check codes",
    icon="verified",
    question=Question(
        title="Check completion codes of {row}",
        sentences=(
            "Paste what workers sent back: whose code it is, and whether they are done or screened out.",
        ),
        button="Check",
        leads_on=True,
    ),
    form=CodesForm,
    do=_check,
    shown=lambda campaign: campaign.status != Campaign.Status.DRAFT,
)
