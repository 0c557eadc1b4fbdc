"""The look of the admin and the order of its pages, as django-unfold reads them."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse, reverse_lazy
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

ORGANISERS = "benchmarks.organising.may_organise"
SUPERUSERS = "benchmarks.organising.is_superuser"
STAFF = "benchmarks.organising.is_staff"


def _page(title: str | Promise, icon: str, name: str, permission: str = ORGANISERS) -> dict[str, Any]:
    return {
        "title": title,
        "icon": icon,
        "link": reverse_lazy(f"admin:{name}"),
        "permission": permission,
    }


def _list(title: str | Promise, icon: str, model: str, permission: str = ORGANISERS) -> dict[str, Any]:
    return _page(title, icon, f"{model}_changelist", permission)


def _is_on_tasks(request: HttpRequest) -> bool:
    """Whether a page is among those of tasks; that of a new one stands below their address and has its own entry."""
    is_new = request.path.startswith(reverse("admin:benchmarks_task_new"))
    return request.path.startswith(reverse("admin:benchmarks_task_changelist")) and not is_new


NAVIGATION = [
    {"items": [_page(_("What waits for you"), "inbox", "index")]},
    {
        "title": _("Every week"),
        "items": [
            _list(_("Submissions"), "upload_file", "submissions_submission"),
            _list(_("Refused uploads"), "error", "submissions_refusal"),
            _list(_("Batches"), "inventory_2", "scoring_batch"),
            _list(_("Watch"), "visibility", "leaderboard_watchreport"),
            _list(_("Scoring runs"), "calculate", "scoring_scoringrun"),
            _list(_("Releases"), "campaign", "leaderboard_release"),
            _list(_("Announcements"), "campaign", "benchmarks_announcement"),
            _list(_("Mail to participants"), "mail", "benchmarks_mailing"),
            _list(_("Contested labels"), "gavel", "breaking_contest"),
            _list(_("Breakers' pairs"), "difference", "breaking_pair"),
            _list(_("Breakers' files"), "folder", "breaking_pairfile"),
        ],
    },
    {
        "title": _("Set up"),
        "items": [
            _page(_("New task"), "add_circle", "benchmarks_task_new", STAFF),
            _list(_("Benchmarks"), "leaderboard", "benchmarks_benchmark"),
            _list(_("Phases"), "event", "benchmarks_phase"),
            _list(_("Tasks"), "task_alt", "benchmarks_task") | {"active": _is_on_tasks},
            _list(_("Gold versions"), "lock", "scoring_goldversion"),
            _list(_("Terms"), "contract", "benchmarks_terms"),
            _list(_("Fact sheet lists"), "checklist", "benchmarks_factlist"),
            _list(_("Pairs"), "compare_arrows", "scoring_pairset"),
            _list(_("Attacks"), "swords", "benchmarks_attack"),
            _list(_("Splits"), "list_alt", "benchmarks_split"),
            _list(_("Starter data"), "flag", "breaking_starterdata"),
            _list(_("Breakers' sets"), "stacks", "breaking_breakerset"),
        ],
    },
    {
        "title": _("Who takes part"),
        "items": [
            _list(_("Systems"), "memory", "submissions_system"),
            _list(_("Fact sheets"), "fact_check", "submissions_factsheet"),
            _list(_("Teams"), "groups", "accounts_team"),
            _list(_("Quota"), "data_usage", "submissions_quotause"),
            _list(_("People"), "person", "accounts_user", SUPERUSERS),
            _list(_("Mail"), "outgoing_mail", "accounts_mail", SUPERUSERS),
            _list(_("Audit log"), "history", "accounts_auditentry"),
        ],
    },
]

# The site's own accent, from nearly white to nearly black.
ACCENT = {
    "50": "oklch(97.5% .012 207)",
    "100": "oklch(94.5% .025 207)",
    "200": "oklch(88% .045 207)",
    "300": "oklch(80% .07 207)",
    "400": "oklch(70% .09 207)",
    "500": "oklch(60% .09 207)",
    "600": "oklch(44.5% .075 207)",
    "700": "oklch(38% .065 207)",
    "800": "oklch(32% .055 207)",
    "900": "oklch(27% .045 207)",
    "950": "oklch(20% .035 207)",
}

UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Heldout",
    "SITE_HEADER": "Heldout",
    "SITE_SUBHEADER": _("for organisers"),
    "SITE_URL": "/",
    "SITE_ICON": lambda request: static("favicon.svg"),
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("favicon.svg")}
    ],
    "SHOW_HISTORY": True,
    "SHOW_VIEW_ON_SITE": False,
    "COLORS": {"primary": ACCENT},
    "DASHBOARD_CALLBACK": "leaderboard.dashboard.fill",
    "SIDEBAR": {"navigation": NAVIGATION},
}
