"""Declared buttons: nothing happens unasked, reasons are kept, and what is declared wrongly is named at the start."""

from typing import Any

import pytest
from django import forms
from django.contrib import admin
from django.db.models import Model
from django.test import Client

from accounts.models import AuditEntry
from benchmarks.admin.asks import Ask, Selected
from benchmarks.admin.organised.organised_admin import OrganisedAdmin, Question, column
from benchmarks.models import Phase
from tests.admin.test_access import rows, url

pytestmark = pytest.mark.thorough

QUESTION = Question(title="Sure?", sentences=(), button="Yes")


def asks() -> list[tuple[str, str]]:
    """The label of the model, and the name, of each declared button."""
    return [
        (model._meta.label_lower, name)
        for model, page in admin.site._registry.items()
        for name in getattr(page, "actions_detail", ())
        if hasattr(getattr(page, name), "ask")
    ]


def stored() -> dict[type[Model], list[Any]]:
    return {model: list(model._base_manager.order_by("pk").values()) for model in admin.site._registry}


def addresses() -> list[str]:
    rows_of = dict(rows())
    return [
        f"{url(label, 'change', rows_of[label]).removesuffix('change/')}{name}/"
        for label, name in asks()
        if label in rows_of
    ]


def test_nearly_all_buttons_are_declared():
    assert len(asks()) >= 25


def test_neither_a_look_nor_a_post_without_confirmation_changes_anything(world, organiser):
    client = Client()
    client.force_login(organiser)
    before = stored()
    for address in addresses():
        client.get(address)
        client.post(address, {"reason": "Because.", "note": "Because.", "percent": "20", "text": "Terms."})
    assert stored() == before


def test_a_stranger_changes_nothing_even_confirmed(world, stranger):
    client = Client()
    client.force_login(stranger)
    before = stored()
    answers = {address: client.post(address, {"confirmed": "yes"}).status_code for address in addresses()}
    assert set(answers.values()) == {404}, answers
    assert stored() == before


def test_the_reason_of_whatever_was_done_is_audited(world, organiser):
    client = Client()
    client.force_login(organiser)
    known = set(AuditEntry.objects.values_list("pk", flat=True))
    for address in addresses():
        if not address.endswith("/remove/"):
            client.post(address, {"confirmed": "yes", "reason": "Because.", "share": "0.5", "percent": "20"})
    done = AuditEntry.objects.exclude(pk__in=known)
    assert len(done) >= 4
    assert {entry.reason for entry in done} <= {"Because.", ""}
    assert done.filter(reason="Because.").exists()


class WrongForm(forms.Form):
    unknown = forms.CharField()


def _does(*, phase: Phase, missing: int) -> None:
    pass


class WrongAdmin(OrganisedAdmin):
    benchmark_path = "benchmark"
    wrong = Ask(label="Wrong", question=QUESTION, form=WrongForm, do=_does)
    wrong_too = Selected(wrong)
    nowhere = column("Nowhere", "benchmark.nothing_of_the_kind")


@pytest.mark.parametrize("key", ["heldout.E001", "heldout.E002", "heldout.E003"])
def test_a_wrong_declaration_is_found_at_the_start(key):
    assert key in {problem.id for problem in WrongAdmin(Phase, admin.site).check()}
