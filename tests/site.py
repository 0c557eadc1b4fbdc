"""A site on which everything has happened once, and who may open which of its pages."""

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.apps import apps
from django.contrib.admin.utils import quote

from accounts.mail.outbox import unsubscribe_token
from accounts.models import ApiToken, MailKind, User
from accounts.services import invitation_token
from benchmarks.given_files import load_given_file
from benchmarks.models import Attack, Benchmark, GivenFile
from benchmarks.notices.models import Announcement, Mailing, WrittenPage
from benchmarks.notices.pages import write_page
from benchmarks.notices.services import save_announcement, write_terms
from benchmarks.services import sync_benchmark
from benchmarks.spec.document import parse_yaml
from benchmarks.spec.loader import build_spec
from breaking.jobs import do_what_is_due
from breaking.models import BreakerSet
from labelling.models import Campaign
from labelling.work.joining import invite
from labelling.work.platforms import PLATFORMS, study_address
from leaderboard.models import Page, Webhook
from leaderboard.pages.system_pages import systems_with_pages
from leaderboard.publication.services import refresh_stale
from submissions.models import Submission, System
from submissions.participants import TeamRegistration
from tests.breakers import hand_in, load_starters
from tests.broken import run
from tests.contested import LATER, breaker_team, contested, play, split_of
from tests.crowds import hired, opened, work_on
from tests.games import DEFINITION
from tests.routes import routes
from tests.weeks import HALF_WRONG, ONE_WRONG, upload
from transparency.services import sign_log

# Boards of a past release beyond its first page look like those of today; where its numbers come from has no such page.
ARCHIVED = re.compile(r"/benchmarks/\w+/releases/\d+/(?!provenance/).")
PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
# A second benchmark of this kind, whose break phase is open when that of the first is long over.
DUEL = DEFINITION.replace("id: games", "id: duel").replace("title: Games", "title: Duel")
DUEL_BEGINS = LATER - dt.timedelta(days=15)


@dataclass(frozen=True)
class Site:
    """The benchmarks toy (weekly), games (over) and duel (in its break phase), and what a member of North has there."""

    owner: User
    staff: User
    parameters: Mapping[str, Any]
    """What stands for a parameter of a route."""
    samples: Mapping[str, tuple[str, ...]]
    """Addresses for the routes that take more than parameters, or where one address does not show all."""

    def addresses(self) -> Iterator[tuple[str, str]]:
        """Each route of the URL resolver with the addresses that stand for it.

        Raises
        ------
        KeyError
            If nobody has said what to fill in for a parameter of a new route.
        """
        for route in dict.fromkeys(routes()):
            for address in self.samples.get(route) or ("/" + self._filled_in(route),):
                yield route, address

    def _filled_in(self, route: str) -> str:
        return PARAMETER.sub(lambda found: str(self._value(found[1], route)), route)

    def _value(self, name: str, route: str) -> object:
        if route.startswith("admin/") and name in ("object_id", "id"):
            _, app, model, *_ = route.split("/")
            found = apps.get_model(app, model).objects.order_by("pk").last()
            return quote(found.pk) if found else "1"
        return self.parameters[name]


def make_site(*, toy: Benchmark, games: Benchmark, system: System, staff: User) -> Site:
    """Weeks, games, contests, pairs, tokens: something of everything, as it stands at `tests.contested.LATER`."""
    owner = system.team.members.get()
    toy_phase = toy.phases.get()
    upload(system, toy_phase)
    other = System.objects.create(team=system.team, name="Alder", created_at=LATER)
    upload(other, toy_phase, mood=HALF_WRONG)
    play(games, system)
    sets = BreakerSet.objects.filter(split__task__benchmark=games)
    breaker_team("South", sets.get(split__slug="south"))
    contest = contested(split_of(games, "tone", "north"), "11_b", system.team)
    duel = _duel()
    pair_file = hand_in(duel, system.team, at=LATER)
    Attack.objects.create(benchmark=toy, slug="spelling", title="Spelling", changed_at=LATER)
    waiting = upload(system, toy_phase, mood=ONE_WRONG, at=LATER)
    ApiToken.objects.create(owner)
    TOTP.activate(owner, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
    RecoveryCodes.activate(owner)
    train = GivenFile.objects.create(benchmark=toy, name="train.csv", licence="CC BY 4.0")
    load_given_file(given_file=train, data=b"id,text\n1,a\n", now=LATER)
    TeamRegistration.objects.create(benchmark=duel, team=system.team, asked_by=owner, asked_at=LATER)
    campaign = _label(toy, owner, staff)
    _tell(toy, duel, by=staff)
    hook = Webhook.objects.create(
        benchmark=toy, url="https://chat.example/", made_at=LATER, looked_until=LATER
    )
    hook.deliveries.create(about="released:1", body={}, status="failed", created_at=LATER, due_at=LATER)
    refresh_stale()
    sign_log(LATER)
    published = Submission.objects.exclude(pk=waiting.pk).filter(system=system, phase=toy_phase).get()
    parameters = {
        "benchmark": "toy",
        "task": "mood",
        "split": "test",
        "phase": "main",
        "number": 1,
        "board": "overall",
        "ending": "csv",
        "system": system.pk,
        "submission": published.pk,
        "team": system.team_id,
        "member": owner.pk,
        "pair_file": pair_file.pk,
        "contest": contest.pk,
        "campaign": campaign.pk,
        "pk": published.pk,
        "token": invitation_token(system.team),
        "key": "none",
        "uidb36": "none",
        "url": "none",
        "name": train.name,
        "app_label": "scoring",
    }
    samples = _samples(owner, pair_file.pk, contest.pk, waiting, other)
    return Site(owner, staff, parameters, samples | _ways_in(campaign, staff))


def _label(toy: Benchmark, owner: User, staff: User) -> Campaign:
    """A campaign in which the owner has answered one of three units."""
    campaign = opened(toy, 3)
    (worker,) = hired(campaign, user=owner)
    work_on(worker, most=1)
    return campaign


def _ways_in(campaign: Campaign, staff: User) -> dict[str, tuple[str, ...]]:
    """Addresses of workers without an account."""
    (worker,) = hired(campaign)
    expires_at = LATER + dt.timedelta(days=9)
    _, token = invite(
        campaign=campaign, note="", most_workers=9, expires_at=expires_at, user=staff, now=LATER
    )
    study = study_address(campaign, PLATFORMS["prolific"]).partition("?")[0]
    return {
        "label/back/<uuid:key>/": (f"/label/back/{worker.key}/",),
        "label/<uuid:campaign>/join/<str:token>/": (f"/label/{campaign.pk}/join/{token}/",),
        "label/<uuid:campaign>/panel/<slug:platform>/<str:key>/": (f"{study}?PROLIFIC_PID=p1", study),
    }


def _tell(announcing: Benchmark, asking: Benchmark, by: User) -> None:
    announcement = Announcement(benchmark=announcing, title="News", text="See https://example.org/news.")
    save_announcement(announcement=announcement, is_new=True, now=LATER)
    write_terms(benchmark=asking, text="Be fair.", by=None, now=LATER)
    for number, slug in enumerate(("overview", "faq")):
        page = WrittenPage.objects.create(benchmark=announcing, slug=slug, position=number)
        write_page(page=page, title=slug.title(), text=f"## What\n\nSee [it]({slug}).", by=by, now=LATER)
    Mailing.objects.create(
        benchmark=announcing,
        audience=Mailing.Audience.SUBMITTED,
        subject="A fault",
        text="One label was wrong.",
        written_by=by,
        confirmed_at=LATER,
    )


def _duel() -> Benchmark:
    document = parse_yaml(DUEL, "duel.yaml")
    sync_benchmark(spec=build_spec(document, "duel.yaml"), document=document, position=9, now=DUEL_BEGINS)
    duel = Benchmark.objects.get(pk="duel")
    load_starters(duel)
    do_what_is_due(LATER)
    run(LATER)
    return duel


def _samples(
    owner: User, pair_file: object, contest: object, waiting: Submission, other: System
) -> dict[str, tuple[str, ...]]:
    pages = Page.objects.filter(content_type__startswith="text/html").order_by("path")
    published = tuple(pages.values_list("path", flat=True))
    reset = f"{user_pk_to_url_str(owner)}-{default_token_generator.make_token(owner)}"
    beside = f"system={waiting.system_id}&system={other.pk}"
    games, duel = "/benchmarks/games/", "/benchmarks/duel/"
    toy = "/benchmarks/toy/compare/"
    return {
        "submit/": ("/submit/", "/submit/?benchmark=toy"),
        "benchmarks/<slug:benchmark>/compare/": (toy, f"{toy}?{beside}", f"{toy}?system=nobody"),
        "handbook/<path:name>/": tuple(
            f"/handbook/{name}/" for name in ("held-out", "glossary", "api", "metrics")
        ),
        "search/": ("/search/", "/search/?q=Larch", "/search/?q=nothing"),
        "admin/r/<path:content_type_id>/<path:object_id>/": ("/admin/r/1/1/",),
        "benchmarks/<slug:benchmark>/<path:rest>/card.png": ("/benchmarks/toy/tasks/mood/card.png",),
        "benchmarks/<rest>": tuple(
            path for path in published if path.startswith("/benchmarks/") and not ARCHIVED.match(path)
        ),
        "systems/<uuid:system>/": tuple(f"/systems/{system.pk}/" for system in systems_with_pages()),
        "accounts/password/reset/key/<uidb36>-<key>/": (
            f"/accounts/password/reset/key/{reset}/",
            "/accounts/password/reset/key/none-none/",
        ),
        "unsubscribe/<str:token>/": (
            f"/unsubscribe/{unsubscribe_token(owner, MailKind.PUBLICATION)}/",
            "/unsubscribe/none/",
        ),
        "submissions/<uuid:submission>/": tuple(
            f"/submissions/{pk}/" for pk in Submission.objects.values_list("pk", flat=True)
        ),
        "submissions/<uuid:submission>/withdraw/": (f"/submissions/{waiting.pk}/withdraw/",),
        "benchmarks/<slug:benchmark>/blind/<slug:task>.csv": (f"{duel}blind/tone.csv",),
        "benchmarks/<slug:benchmark>/starter/<slug:task>.csv": (f"{duel}starter/tone.csv",),
        "benchmarks/<slug:benchmark>/pairs/": (f"{duel}pairs/", f"{games}pairs/"),
        "benchmarks/<slug:benchmark>/pairs/template/<slug:task>.<slug:ending>": (
            f"{duel}pairs/template/tone.csv",
        ),
        "benchmarks/<slug:benchmark>/pairs/<uuid:pair_file>/": (f"{duel}pairs/{pair_file}/",),
        "benchmarks/<slug:benchmark>/pairs/<uuid:pair_file>/withdraw/": (
            f"{duel}pairs/{pair_file}/withdraw/",
        ),
        "benchmarks/<slug:benchmark>/contests/": (f"{games}contests/",),
        "benchmarks/<slug:benchmark>/contests/<uuid:contest>/retract/": (
            f"{games}contests/{contest}/retract/",
        ),
        "benchmarks/<slug:benchmark>/contest/<str:task>/<slug:split>/": (
            f"{games}contest/tone/north/?item=11_b",
            f"{games}contest/tone/north/?item=13_b",
            f"{games}contest/tone/north/?item=none",
        ),
    }
