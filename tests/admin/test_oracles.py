"""No query string makes the admin answer questions about what it does not show."""

import pytest
from django.contrib import admin
from django.db.models import BinaryField
from django.db.models.constants import LOOKUP_SEP

pytestmark = pytest.mark.thorough

SEALED = (
    "/admin/scoring/goldversion/?sealed__startswith=a",
    "/admin/scoring/goldversion/?sealed__isnull=0",
    "/admin/scoring/goldversion/?sealed=a",
    "/admin/scoring/pairset/?results__mean_difference__gt=0",
    "/admin/scoring/pairset/?packed__startswith=a",
    "/admin/scoring/scoringrun/?gold_version__sealed__startswith=a",
    "/admin/scoring/scoringrun/?predictions__codes__packed__startswith=a",
    "/admin/scoring/scoringrun/?scores__value__gt=0.5",
    "/admin/scoring/batch/?entries__submission__runs__scores__value__gt=0.5",
    "/admin/submissions/submission/?predictions__codes__packed__startswith=a",
    "/admin/submissions/submission/?runs__scores__value__gt=0.5",
    "/admin/submissions/submission/?system__team__invitation_nonce__startswith=a",
    "/admin/submissions/submission/?submitted_by__password__startswith=a",
    "/admin/submissions/system/?submissions__runs__scores__value__gt=0.5",
    "/admin/benchmarks/task/?splits__gold_versions__sealed__ciphertext__startswith=a",
    "/admin/benchmarks/split/?gold_versions__sealed__ciphertext__startswith=a",
    "/admin/benchmarks/phase/?benchmark__tasks__splits__gold_versions__sealed__ciphertext__startswith=a",
    "/admin/accounts/team/?invitation_nonce__startswith=a",
    "/admin/accounts/user/?password__startswith=a",
    "/admin/submissions/submission/?phase__benchmark__organisers__password__startswith=a",
)
SECRET = {"sealed", "codes", "packed", "password", "invitation_nonce", "scores", "lease_token", "stored_file"}


@pytest.mark.parametrize("address", SEALED)
def test_lookups_that_reach_what_is_sealed_are_refused(address, client, world, staff):
    client.force_login(staff)
    assert client.get(address).status_code == 400


def test_the_filters_that_pages_offer_do_work(client, world, staff):
    client.force_login(staff)
    for address in (
        f"/admin/submissions/submission/?phase__id__exact={world.phase.pk}&status__exact=accepted&twin=yes",
        f"/admin/submissions/submission/?system__exact={world.waiting.system_id}",
        f"/admin/scoring/scoringrun/?submission__exact={world.published.pk}&error=key_missing",
        "/admin/scoring/goldversion/?split__task__benchmark__slug__exact=toy",
        "/admin/leaderboard/release/?benchmark__slug__exact=toy",
    ):
        assert client.get(address).status_code == 200, address


def test_no_page_shows_searches_or_sorts_by_a_secret(staff, rf):
    request = rf.get("/")
    request.user = staff
    for model, page in admin.site._registry.items():
        used = [
            *page.get_list_display(request),
            *page.get_search_fields(request),
            *page.get_list_filter(request),
        ]
        used += [
            page.ordering,
            page.date_hierarchy,
            page.get_readonly_fields(request),
            page.fields,
            page.fieldsets,
        ]
        if model._meta.label_lower == "accounts.user":
            continue  # its form shows that there is a password, and never its hash: see below
        words = set(str(used).replace("'", " ").replace(LOOKUP_SEP, " ").replace(",", " ").split())
        assert not words & SECRET, model


def test_forms_hold_no_binary_column(client, world, staff, rf):
    request = rf.get("/")
    request.user = staff
    for model, page in admin.site._registry.items():
        row = model._default_manager.first()
        shown = {name for _, options in page.get_fieldsets(request, row) for name in options["fields"]}
        assert not shown & {field.name for field in model._meta.fields if isinstance(field, BinaryField)}


def test_no_page_shows_an_unpublished_score(client, world, organiser):
    client.force_login(organiser)
    for address in (
        f"/admin/submissions/submission/{world.unpublished.pk}/change/",
        f"/admin/scoring/batch/{world.scored.pk}/change/",
        f"/admin/scoring/scoringrun/{world.unpublished.runs.first().pk}/change/",
        "/admin/",
    ):
        page = client.get(address).content.decode()
        assert ".914" not in page, address
        assert "0.9142" not in page, address


def test_what_came_from_participants_is_escaped(client, world, organiser):
    world.refusal.problems = [{"file": "<script>alert(1)</script>", "line": 1, "message": "<b>x</b>"}]
    world.refusal.file_name = "<i>name</i>"
    world.refusal.save()
    client.force_login(organiser)
    page = client.get(f"/admin/submissions/refusal/{world.refusal.pk}/change/").content.decode()
    assert "<script>alert(1)</script>" not in page
    assert "<i>name</i>" not in page
    assert "&lt;b&gt;x&lt;/b&gt;" in page
