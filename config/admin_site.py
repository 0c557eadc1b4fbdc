"""The look of the admin and the order of its pages, as django-unfold reads them."""

from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse, reverse_lazy

ORGANISERS = "benchmarks.people.request_rights.may_organise"
SUPERUSERS = "benchmarks.people.request_rights.is_superuser"
BEGINNERS = "benchmarks.people.request_rights.may_begin"
LABELLERS = "benchmarks.people.request_rights.may_label"
RUNNERS = "benchmarks.people.request_rights.may_run"


def _page(title: str, icon: str, name: str, permission: str = ORGANISERS) -> dict[str, Any]:
    return {
        "title": title,
        "icon": icon,
        "link": reverse_lazy(f"admin:{name}"),
        "permission": permission,
        "name": name,
    }


def _list(title: str, icon: str, model: str, permission: str = ORGANISERS) -> dict[str, Any]:
    return _page(title, icon, f"{model}_changelist", permission)


def _is_on_tasks(request: HttpRequest) -> bool:
    """Whether a page is among those of tasks; that of a new one stands below their address and has its own entry."""
    is_new = request.path.startswith(reverse("admin:benchmarks_task_new"))
    return request.path.startswith(reverse("admin:benchmarks_task_changelist")) and not is_new


def _is_on_benchmarks(request: HttpRequest) -> bool:
    """Whether a page is among those of benchmarks; that of a rehearsal has its own entry."""
    is_rehearsal = request.path.startswith(reverse("admin:benchmarks_benchmark_rehearsal"))
    return request.path.startswith(reverse("admin:benchmarks_benchmark_changelist")) and not is_rehearsal


NAVIGATION: list[dict[str, Any]] = [
    {"items": [_page("What waits for you", "inbox", "index")]},
    {
        "title": "Every week",
        "items": [
            _list("Submissions", "upload_file", "submissions_submission"),
            _list("Refused uploads", "error", "submissions_refusal"),
            _list("Batches", "inventory_2", "scoring_batch"),
            _list("Watch", "visibility", "leaderboard_watchreport"),
            _list("Scoring runs", "calculate", "scoring_scoringrun"),
            _list("Releases", "campaign", "leaderboard_release"),
            _list("Announcements", "campaign", "benchmarks_announcement"),
            _list("Questions", "help", "benchmarks_participantquestion"),
            _list("Mail to participants", "mail", "benchmarks_mailing"),
            _list("Contested labels", "gavel", "breaking_contest", LABELLERS),
            _list("Breakers' pairs", "difference", "breaking_pair", RUNNERS),
            _list("Breakers' files", "folder", "breaking_pairfile", RUNNERS),
        ],
    },
    {
        "title": "Set up",
        "items": [
            _page("New task", "add_circle", "benchmarks_task_new", BEGINNERS),
            _page("Rehearsal", "theater_comedy", "benchmarks_benchmark_rehearsal", BEGINNERS),
            _list("Benchmarks", "leaderboard", "benchmarks_benchmark") | {"active": _is_on_benchmarks},
            _list("Phases", "event", "benchmarks_phase"),
            _list("Tasks", "task_alt", "benchmarks_task") | {"active": _is_on_tasks},
            _list("Gold versions", "lock", "scoring_goldversion", RUNNERS),
            _list("Terms", "contract", "benchmarks_terms"),
            _list("Webhooks", "webhook", "leaderboard_webhook"),
            _list("Pages", "article", "benchmarks_writtenpage"),
            _list("Files for everybody", "folder_zip", "benchmarks_givenfile"),
            _list("Fact sheet lists", "checklist", "benchmarks_factlist"),
            _list("Pairs", "compare_arrows", "scoring_pairset", RUNNERS),
            _list("Attacks", "swords", "benchmarks_attack"),
            _list("Labelling", "label", "labelling_campaign"),
            _list("Workers", "engineering", "labelling_worker", RUNNERS),
            _list("Splits", "list_alt", "benchmarks_split"),
            _list("Starter data", "flag", "breaking_starterdata"),
            _list("Breakers' sets", "stacks", "breaking_breakerset", RUNNERS),
        ],
    },
    {
        "title": "Who takes part",
        "items": [
            _list("Roles", "badge", "benchmarks_benchmarkrole"),
            _list("Systems", "memory", "submissions_system"),
            _list("Fact sheets", "fact_check", "submissions_factsheet"),
            _list("Teams", "groups", "accounts_team"),
            _list("Registrations", "how_to_reg", "submissions_teamregistration"),
            _list("Claims", "contract_edit", "submissions_rowclaim"),
            _list("Bans", "block", "submissions_ban"),
            _list("Quota", "data_usage", "submissions_groupuse"),
            _list("People", "person", "accounts_user", SUPERUSERS),
            _list("Mail", "outgoing_mail", "accounts_mail", SUPERUSERS),
            _list("Accounts: what happened", "shield_person", "accounts_accountevent", SUPERUSERS),
            _list("Audit log", "history", "accounts_auditentry", RUNNERS),
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
    "500": "oklch(64% .09 207)",
    "600": "oklch(44.5% .075 207)",
    "700": "oklch(38% .065 207)",
    "800": "oklch(32% .055 207)",
    "900": "oklch(27% .045 207)",
    "950": "oklch(20% .035 207)",
}

UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Heldout",
    "SITE_HEADER": "Heldout",
    "SITE_SUBHEADER": "for organisers",
    "SITE_URL": "/",
    "SITE_ICON": lambda request: static("favicon.svg"),
    "STYLES": [lambda request: static("admin.css")],
    "SCRIPTS": [
        lambda request: f"{static('forms.js')}#{request.user.pk or ''}",
        lambda request: static("admin.js"),
        lambda request: static("told.js"),
    ],
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("favicon.svg")}
    ],
    "SHOW_HISTORY": True,
    "SHOW_VIEW_ON_SITE": False,
    "COLORS": {"primary": ACCENT},
    "DASHBOARD_CALLBACK": "operations.dashboard.fill",
    "SIDEBAR": {"navigation": "config.admin_sidebar.navigation"},
}
