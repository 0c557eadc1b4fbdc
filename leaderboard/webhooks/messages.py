"""What webhooks are told of: found in the database since it was looked last, and put in the post."""

import datetime as dt
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.db import transaction

from leaderboard.models import Release, Webhook, WebhookDelivery
from leaderboard.webhooks.givers import told_ones
from scoring.models import Batch
from submissions.models import Submission, System

# An upload counts from when its request began, and a slow one is stored long after that.
OVERLAP = dt.timedelta(hours=2)


def write_messages(now: dt.datetime) -> int:
    """Put in the post what webhooks that are told anything were not told yet; returns how many messages were written.

    Two sweeps at once write each message once. Messages name systems and instants, and never a score or a label.
    """
    written = 0
    for webhook in told_ones():
        # `looked_until` lies ahead where the clock did.
        since = max(min(webhook.looked_until, now) - OVERLAP, webhook.made_at)
        told = set(webhook.deliveries.filter(created_at__gt=since).values_list("about", flat=True))
        messages = [
            WebhookDelivery(
                webhook=webhook,
                about=about,
                body={"event": about.partition(":")[0], "benchmark": webhook.benchmark_id} | body,
                created_at=now,
                due_at=now,
            )
            for about, body in _happened(webhook, since)
            if about not in told
        ]
        with transaction.atomic():
            WebhookDelivery.objects.bulk_create(messages, ignore_conflicts=True)
            Webhook.objects.filter(pk=webhook.pk).update(looked_until=now)
        written += len(messages)
    return written


def _happened(webhook: Webhook, since: dt.datetime) -> Iterator[tuple[str, dict[str, Any]]]:
    if webhook.tells_accepted:
        yield from _accepted(webhook.benchmark_id, since)
    if webhook.tells_scored:
        yield from _scored(webhook.benchmark_id, since)
    if webhook.tells_released:
        yield from _released(webhook.benchmark_id, since)


def _accepted(benchmark: str, since: dt.datetime) -> Iterator[tuple[str, dict[str, Any]]]:
    accepted = Submission.objects.filter(
        phase__benchmark=benchmark, received_at__gt=since, system__kind=System.Kind.SYSTEM
    )
    for submission in accepted.select_related("system__team", "phase"):
        yield (
            f"accepted:{submission.pk}",
            {
                "at": submission.received_at.isoformat(),
                "phase": submission.phase.slug,
                "submission": str(submission.pk),
                "system": submission.system.name,
                "team": submission.system.team.name,
            },
        )


def _scored(benchmark: str, since: dt.datetime) -> Iterator[tuple[str, dict[str, Any]]]:
    for batch in Batch.objects.filter(phase__benchmark=benchmark, scored_at__gt=since).select_related(
        "phase"
    ):
        yield (
            f"scored:{batch.pk}",
            {
                "at": batch.scored_at.isoformat() if batch.scored_at else None,
                "phase": batch.phase.slug,
                "cut_off": batch.cut_off_at.isoformat(),
                "submissions": batch.entries.count(),
            },
        )


def _released(benchmark: str, since: dt.datetime) -> Iterator[tuple[str, dict[str, Any]]]:
    releases = Release.objects.filter(benchmark=benchmark, published_at__gt=since)
    for release in releases.select_related("phase"):
        yield (
            f"released:{release.number}",
            {
                "at": release.published_at.isoformat(),
                "phase": release.phase.slug,
                "release": release.number,
                "url": f"{settings.SITE_URL}/benchmarks/{benchmark}/releases/{release.number}/",
            },
        )
