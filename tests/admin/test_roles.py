"""Whoever runs another benchmark finds nothing of this one in the admin, and changes nothing of it."""

from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry
from tests.admin.test_access import rows, url

pytestmark = pytest.mark.thorough

# What only the toy benchmark's organisers may read: its phase, its system, the file, the breaker's words.
TOLD = ("toy/", "Larch", "larch.zip", "It is bad.", "/toy")


@pytest.fixture
def nosy(client: Client, world: Any, organiser: Any, stranger: Any) -> Client:
    """The organiser of another benchmark, at work."""
    client.force_login(stranger)
    return client


def everything() -> dict[str, list[dict[str, Any]]]:
    """All rows of every model that the admin has; who signed in when is no matter."""
    return {
        model._meta.label_lower: [
            {name: value for name, value in row.items() if name != "last_login"}
            for row in model._default_manager.order_by("pk").values()
        ]
        for model in admin.site._registry
    }


def own_addresses() -> list[str]:
    """Every address of a row of the toy benchmark: its pages, and the buttons of each."""
    found = []
    for label, row in rows():
        if label in ("accounts.user",):
            continue
        page = url(label, "change", row).removesuffix("change/")
        buttons = getattr(admin.site._registry[type(row)], "actions_detail", ())
        found += [f"{page}{name}/" for name in ("change", "history", "delete", *buttons)]
    return found


def test_no_address_of_a_row_is_answered(nosy):
    answers = {address: nosy.get(address).status_code for address in own_addresses()}
    assert {address for address, status in answers.items() if status not in (403, 404)} == set()


def test_no_form_and_no_button_can_be_sent(nosy):
    before = everything()
    sent = {"confirmed": "yes", "reason": "Because.", "note": "Because.", "quota_limit": "9", "name": "Mine"}
    answers = {address: nosy.post(address, sent).status_code for address in own_addresses()}
    assert {address for address, status in answers.items() if status not in (403, 404)} == set()
    assert everything() == before


def test_no_list_names_it_even_when_asked(nosy, world):
    for label, row in rows():
        address = url(label, "list", row)
        for query in ("", "?q=larch", "?q=toy", "?phase__id__exact=" + str(world.phase.pk), "?benchmark=toy"):
            page = nosy.get(address + query).content.decode()
            # The page says what was asked for; that is no answer.
            page = page.replace(query, "").replace('value="larch"', "").replace('value="toy"', "")
            assert not [word for word in TOLD if word in page], (label, query)


def test_no_action_of_a_list_reaches_a_row(nosy, rf, stranger):
    before = everything()
    request = rf.get("/admin/")
    request.user = stranger
    for label, row in rows():
        for action in admin.site._registry[type(row)].get_actions(request):
            for across in ("0", "1"):
                sent = {"action": action, "_selected_action": [row.pk], "select_across": across}
                answer = nosy.post(url(label, "list", row), sent | {"confirmed": "yes", "reason": "Because."})
                assert answer.status_code in (200, 302, 403), (label, action)
    assert everything() == before


@pytest.mark.parametrize("key", ["", "x", "0", "-1", "9" * 30, "\x00"], ids=ascii)
def test_a_key_that_is_none_is_no_fault_of_the_server(nosy, key):
    for label, row in rows():
        sent = {"action": "disqualify_selected", "_selected_action": [key], "confirmed": "yes"}
        assert nosy.post(url(label, "list", row), sent).status_code < 500, label


def test_no_suggestion_names_anybody(nosy, owner):
    for model, page in admin.site._registry.items():
        inlines = [(one.model, one.autocomplete_fields) for one in page.inlines]
        for asked, fields in [(model, page.autocomplete_fields), *inlines]:
            for field in fields:
                answer = nosy.get(
                    reverse("admin:autocomplete"),
                    {
                        "app_label": asked._meta.app_label,
                        "model_name": asked._meta.model_name,
                        "field_name": field,
                        "term": "o",
                    },
                )
                assert answer.status_code == 403, (asked, field)


def test_the_first_page_and_the_wizard_name_nothing_of_it(nosy):
    for address in (reverse("admin:index"), reverse("admin:benchmarks_task_new")):
        page = nosy.get(address).content.decode()
        assert not [word for word in TOLD if word in page], address


def test_forms_for_something_new_offer_only_ones_own(nosy, world):
    theirs = world.phase.benchmark.tasks.values_list("pk", flat=True)
    for label in ("breaking.breakerset", "breaking.starterdata", "benchmarks.factlist"):
        page = nosy.get(reverse(f"admin:{label.replace('.', '_')}_add")).content.decode()
        assert 'value="toy"' not in page
        assert not [key for key in theirs if f'<option value="{key}"' in page and "Toy / " in page]


def test_nothing_of_this_was_taken_for_something_done(nosy):
    lines = AuditEntry.objects.count()
    for address in own_addresses():
        nosy.post(address, {"confirmed": "yes"})
    assert AuditEntry.objects.count() == lines


def test_whoever_may_not_see_a_page_is_still_signed_in_there(client, clerk):
    client.force_login(clerk)
    answer = client.get("/admin/benchmarks/benchmark/")
    page = answer.content.decode()
    assert answer.status_code == 403
    assert "Sign out" in page
    assert 'class="sign-in"' not in page
