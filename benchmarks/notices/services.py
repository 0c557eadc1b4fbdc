"""What organisers tell, and are told: terms and who has accepted them, announcements, and mail to organisers."""

import datetime as dt
from collections.abc import Iterable

from django.conf import settings
from django.db import transaction
from django.db.models import Max

from accounts.mail.outbox import tell_at_once
from accounts.models import User
from benchmarks.models import Benchmark
from benchmarks.notices.models import Acceptance, Announcement, Terms


class TermsChanged(Exception):
    """The version that was accepted is not the one that stands."""


def current_terms(benchmark: str | Benchmark) -> Terms | None:
    """The version that stands; None where nothing has to be accepted."""
    newest = Terms.objects.filter(benchmark=benchmark).order_by("-version").first()
    return newest if newest is not None and newest.text else None


def pending_terms(user: User, benchmarks: Iterable[Benchmark]) -> dict[str, Terms]:
    """Of these benchmarks the terms that a person has yet to accept, by the benchmark's slug."""
    rows = Terms.objects.filter(benchmark__in=list(benchmarks)).order_by("version")
    newest = {terms.benchmark_id: terms for terms in rows}
    acceptances = Acceptance.objects.filter(user=user, terms__in=newest.values())
    accepted = set(acceptances.values_list("terms", flat=True))
    return {slug: terms for slug, terms in newest.items() if terms.text and terms.pk not in accepted}


@transaction.atomic
def accept_terms(*, user: User, benchmark: Benchmark, version: int, now: dt.datetime) -> Acceptance:
    """Note that a person accepts a version. Done again, it changes nothing: the first instant stays.

    Raises
    ------
    TermsChanged
        If that version is not the one that stands.
    """
    terms = current_terms(benchmark)
    if terms is None or terms.version != version:
        now_stands = f"version {terms.version} stands now" if terms else "nothing has to be accepted now"
        raise TermsChanged(f"{benchmark} has no terms of version {version} to accept: {now_stands}.")
    return Acceptance.objects.get_or_create(user=user, terms=terms, defaults={"accepted_at": now})[0]


@transaction.atomic
def write_terms(*, benchmark: Benchmark, text: str, by: User | None, now: dt.datetime) -> Terms | None:
    """Have another text stand, as the next version; None where it says what stands already.

    Everybody is asked anew with the next submission. An empty text asks for nothing any more.
    """
    Benchmark.objects.select_for_update().get(pk=benchmark.pk)  # one version after the other
    text = "\n".join(line.rstrip() for line in text.strip().splitlines())
    standing = current_terms(benchmark)
    if text == (standing.text if standing else ""):
        return None
    last = Terms.objects.filter(benchmark=benchmark).aggregate(last=Max("version"))["last"] or 0
    Benchmark.objects.filter(pk=benchmark.pk).mark_stale()
    return Terms.objects.create(
        benchmark=benchmark, version=last + 1, text=text, written_by=by, written_at=now
    )


def standing_announcements(benchmark: Benchmark) -> list[Announcement]:
    """Those that stand, the newest first."""
    return list(Announcement.objects.filter(benchmark=benchmark, is_taken_back=False))


@transaction.atomic
def was_just_announced(*, benchmark: Benchmark, title: str, text: str, now: dt.datetime) -> bool:
    """Whether these words were announced within the last hour and still stand.

    Ask in the transaction that would add them: of two at once, the second one then sees the first.
    """
    Benchmark.objects.select_for_update().get(pk=benchmark.pk)
    standing = Announcement.objects.filter(benchmark=benchmark, is_taken_back=False)
    return standing.filter(title=title, text=text, published_at__gt=now - dt.timedelta(hours=1)).exists()


@transaction.atomic
def save_announcement(*, announcement: Announcement, is_new: bool, now: dt.datetime) -> None:
    """Store a new announcement or a changed one; published pages and the feed follow with the next sweep.

    When it was first published stays.
    """
    announcement.changed_at = now
    if is_new:
        announcement.published_at = now
    announcement.save()
    Benchmark.objects.filter(pk=announcement.benchmark_id).mark_stale()


def tell_organisers(benchmark: Benchmark, subject: str, text: str, path: str) -> None:
    """Mail the benchmark's organisers, with the address of a page of this site at the end.

    Call it outside of transactions.
    """
    tell_at_once(
        people=benchmark.organisers.all(),
        subject=f"{benchmark}: {subject}",
        text=f"{text}\n\n{settings.SITE_URL}{path}",
    )
