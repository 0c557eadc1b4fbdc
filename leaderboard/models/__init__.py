"""Releases, the pages rendered from them, and what goes with both.

Django looks for the models of an app in this package, so each module's classes are named here.
"""

from leaderboard.models.orders import ArchiveOrder, Rehearsal
from leaderboard.models.pages import HomeLine, Page, PageBody, Press, Printing, SiteAddress
from leaderboard.models.releases import ArchivedRelease, Release, ReleaseCell, ReleaseHead, ReleasePlace
from leaderboard.models.watching import AnswerBudget, LedgerEntry, TeamBits, WatchReport
from leaderboard.models.webhooks import Webhook, WebhookDelivery, new_secret

__all__ = [
    "AnswerBudget",
    "ArchiveOrder",
    "ArchivedRelease",
    "HomeLine",
    "LedgerEntry",
    "Page",
    "PageBody",
    "Press",
    "Printing",
    "Rehearsal",
    "Release",
    "ReleaseCell",
    "ReleaseHead",
    "ReleasePlace",
    "SiteAddress",
    "TeamBits",
    "WatchReport",
    "Webhook",
    "WebhookDelivery",
    "new_secret",
]
