"""What stands around a page of the admin: the sidebar and the page's head.

In the sidebar are all lists for operators; for organisers the home's sections and what there is.
"""

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, QuerySet
from django.http import HttpRequest
from django.template import Context, Library
from django.urls import reverse
from django.utils.text import capfirst

from benchmarks.models import Attack, Benchmark, FactList, Phase, Split
from benchmarks.people.request_rights import is_superuser, organised
from breaking.models import Contest
from config.admin_site import NAVIGATION
from labelling.models import Campaign
from leaderboard.admin.home.page import home_address
from scoring.models import PairSet
from submissions.participants import RowClaim, TeamRegistration

SECTIONS = (
    ("Overview", "home", "overview"),
    ("Timeline", "event", "timeline"),
    ("Data and gold", "lock", "data"),
    ("Participants", "groups", "participants"),
    ("Results", "leaderboard", "results"),
    ("Pages and mail", "mail", "notices"),
    ("Take home", "download", "take-home"),
    ("Danger zone", "warning", "danger"),
)
OF_OPERATORS = frozenset({"scoring_scoringrun", "benchmarks_split", "submissions_groupuse"})
"""Lists by the table of the database, which no organiser looks for: their pages are linked from where they matter."""
_MOST_NAMED = 12

register = Library()


@dataclass(frozen=True, slots=True)
class AdminHead:
    """What a page is called, and above it the list and the row that it belongs to: addresses and their names."""

    title: str
    above: tuple[tuple[str, str], ...] = ()


@register.simple_tag(takes_context=True)
def admin_head(context: Context) -> AdminHead:
    """The head of the page with this context. A list is called what the sidebar calls it."""
    opts, row = context.get("opts"), context.get("original")
    if opts is None:
        return AdminHead(context.get("title") or "")
    name = f"{opts.app_label}_{opts.model_name}_changelist"
    of_list = _LISTS.get(name) or capfirst(opts.verbose_name_plural)
    if "cl" in context:
        return AdminHead(of_list)
    above = ((reverse(f"admin:{name}"), of_list),)
    if row is None:
        return AdminHead(context.get("title") or "", above)
    return AdminHead(str(row), above)


_LISTS: dict[str, str] = {item["name"]: item["title"] for group in NAVIGATION for item in group["items"]}


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """The groups of the sidebar for whoever asks."""
    slugs = organised(request)
    if is_superuser(request) or not slugs:
        return NAVIGATION
    own = list(Benchmark.objects.filter(pk__in=slugs).order_by("position", "slug").only("slug", "title"))
    current = _current(request, own)
    hidden = OF_OPERATORS | _unused(frozenset({current.pk}) if current else slugs)
    lists = [
        group | {"items": [one for one in group["items"] if _name(one) not in hidden]} for group in NAVIGATION
    ]
    first = [_home(request, current)] if current else []
    if len(own) > 1:
        first.insert(0, {"items": [*lists[0]["items"], *(_link(row) for row in own[:_MOST_NAMED])]})
    return [*first, *(group for group in lists[1:] if group["items"])]


def _name(item: dict[str, Any]) -> str:
    return str(item.get("name", "")).removesuffix("_changelist")


def _current(request: HttpRequest, own: list[Benchmark]) -> Benchmark | None:
    """The benchmark that the page is about: the only one, that of the address, or that of the filter."""
    match = request.resolver_match
    named = (
        [match.kwargs.get("object_id")] if match and "benchmarks_benchmark_" in (match.url_name or "") else []
    )
    named += [value for key, value in request.GET.items() if key.endswith("benchmark__slug__exact")]
    return next((row for row in own if row.pk in named or len(own) == 1), None)


def _home(request: HttpRequest, benchmark: Benchmark) -> dict[str, Any]:
    address = home_address(benchmark.pk)
    items = [
        {
            "title": title,
            "icon": icon,
            "link": address if anchor == "overview" else f"{address}#{anchor}",
            "active": anchor == "overview" and request.path == address,
        }
        for title, icon, anchor in SECTIONS
    ]
    return {"title": benchmark.title, "items": items}


def _link(benchmark: Benchmark) -> dict[str, Any]:
    return {"title": benchmark.title, "icon": "leaderboard", "link": home_address(benchmark.pk)}


def _unused(slugs: frozenset[str]) -> frozenset[str]:
    """The lists of what these benchmarks do not have; one query."""
    has: dict[str, QuerySet[Any]] = {
        "facts": FactList.objects.filter(benchmark__in=slugs),
        "attacks": Attack.objects.filter(benchmark__in=slugs),
        "pairs": PairSet.objects.filter(split__task__benchmark__in=slugs),
        "breakers": Phase.objects.filter(benchmark__in=slugs).exclude(kind=Phase.Kind.PREDICTIONS),
        "contests": Contest.objects.filter(split__task__benchmark__in=slugs),
        "opened": Split.objects.filter(task__benchmark__in=slugs, gold_opened_at__isnull=False),
        "asking": Benchmark.objects.filter(pk__in=slugs, registration=Benchmark.Registration.APPROVAL),
        "asked": TeamRegistration.objects.filter(benchmark__in=slugs),
        "campaigns": Campaign.objects.filter(benchmark__in=slugs),
        "claimed": RowClaim.objects.filter(benchmark__in=slugs),
    }
    found = (
        Benchmark.objects.filter(pk__in=slugs)
        .annotate(**{f"has_{name}": Exists(rows) for name, rows in has.items()})
        .values(*(f"has_{name}" for name in has))[:1]
    )
    used = {name.removeprefix("has_") for row in found for name, is_there in row.items() if is_there}
    needs = {
        frozenset({"facts"}): {"benchmarks_factlist", "submissions_factsheet"},
        frozenset({"attacks"}): {"benchmarks_attack"},
        frozenset({"pairs"}): {"scoring_pairset"},
        frozenset({"breakers"}): {
            "breaking_pair",
            "breaking_pairfile",
            "breaking_starterdata",
            "breaking_breakerset",
        },
        frozenset({"contests", "opened"}): {"breaking_contest"},
        frozenset({"asking", "asked"}): {"submissions_teamregistration"},
        frozenset({"campaigns"}): {"labelling_worker"},
        frozenset({"claimed"}): {"submissions_rowclaim"},
    }
    return frozenset(name for any_of, names in needs.items() if not any_of & used for name in names)
