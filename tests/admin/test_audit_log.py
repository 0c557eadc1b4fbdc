"""What is done by hand stands in the audit log: who, what, when, why, and the values before and after."""

import pytest
from django.contrib import admin
from django.contrib.admin.utils import flatten_fieldsets
from django.core.management import call_command
from django.db import Error, models, transaction
from django.urls import reverse

from accounts.audit.admin import Audited
from accounts.audit.log import may_be_logged, values
from accounts.models import AuditEntry, User
from scoring.models import GoldVersion, ScoringRun
from tests.conftest import TOY_GOLD, person

pytestmark = [pytest.mark.thorough, pytest.mark.postgres]


@pytest.fixture
def signed_in(client, world, organiser):
    client.force_login(organiser)
    return client


def last() -> AuditEntry:
    return AuditEntry.objects.exclude(actor=None).latest("pk")


def test_a_changed_field_stands_with_its_old_and_new_value(signed_in, world, organiser):
    address = reverse("admin:benchmarks_phase_change", args=[world.phase.pk])
    form = signed_in.get(address).context["adminform"].form
    fields = {name: form[name].value() for name in form.fields}
    sent = {name: value for name, value in fields.items() if value is not None and value is not False}
    assert signed_in.post(address, sent | {"quota_limit": 3}).status_code == 302
    entry = last()
    assert (entry.actor, entry.kind, entry.benchmark) == (organiser, "change", "toy")
    assert [(old, new) for field, old, new in entry.changes if "quota" in field] == [("5", "3")]


def test_a_button_stands_with_its_reason_and_what_it_changed(signed_in, world):
    signed_in.post(
        reverse("admin:scoring_batch_publish", args=[world.scored.pk]),
        {"confirmed": "yes", "reason": "The week\x00 is over."},
    )
    entry = last()
    assert (entry.kind, entry.reason) == ("publish", "The week is over.")
    assert ["status", "scored, waiting for its release", "released"] in entry.changes


def test_an_action_on_several_rows_stands_once_for_each(signed_in, world):
    chosen = [world.waiting.pk, world.published.pk]
    signed_in.post(
        reverse("admin:submissions_submission_changelist"),
        {
            "action": "disqualify_selected",
            "_selected_action": chosen,
            "confirmed": "yes",
            "reason": "Test labels",
        },
    )
    logged = AuditEntry.objects.filter(kind="disqualify")
    assert {entry.object_id for entry in logged} == {str(key) for key in chosen}
    assert {entry.reason for entry in logged} == {"Test labels"}
    assert all(["status reason", "nothing", "Test labels"] in entry.changes for entry in logged)


def test_retrying_runs_asks_first_and_is_logged(signed_in, world):
    run = ScoringRun.objects.filter(submission=world.published)[0]
    ScoringRun.objects.filter(pk=run.pk).update(status="failed", error="internal")
    address, sent = (
        reverse("admin:scoring_scoringrun_changelist"),
        {"action": "retry", "_selected_action": [run.pk]},
    )
    assert "Retry 1 scoring run" in signed_in.post(address, sent).content.decode()
    run.refresh_from_db()
    assert run.status == "failed"
    signed_in.post(address, sent | {"confirmed": "yes"})
    assert (last().kind, last().object_id) == ("retry", str(run.pk))


def test_the_history_of_a_row_shows_it(signed_in, world):
    page = signed_in.get(reverse("admin:benchmarks_phase_history", args=[world.phase.pk])).content.decode()
    assert "quota: 4 → 5" in page


def test_the_list_is_narrowed_by_who_and_what(signed_in, world):
    address = reverse("admin:accounts_auditentry_changelist")
    assert "4 → 5" in signed_in.get(f"{address}?kind=change&benchmark=toy").content.decode()
    assert "4 → 5" not in signed_in.get(f"{address}?kind=publish").content.decode()


def test_another_organiser_reads_nothing_of_it(client, world, stranger):
    client.force_login(stranger)
    page = client.get(reverse("admin:accounts_auditentry_changelist")).content.decode()
    assert "4 → 5" not in page
    assert client.get(f"{reverse('admin:accounts_auditentry_changelist')}?benchmark=toy").status_code == 200


def test_a_line_can_be_neither_changed_nor_removed(world):
    lines = AuditEntry.objects.all()
    with pytest.raises(Error, match="append-only"), transaction.atomic():
        lines.update(reason="Something else")
    with pytest.raises(Error, match="append-only"), transaction.atomic():
        lines.delete()


def test_a_superuser_who_makes_somebody_staff_is_logged_without_a_password(client, world, staff):
    clerk = person("clerk")
    client.force_login(staff)
    address = reverse("admin:accounts_user_change", args=[clerk.pk])
    client.post(
        address,
        {
            "name": "Clerk",
            "timezone": "UTC",
            "is_active": "on",
            "is_staff": "on",
            "emailaddress_set-TOTAL_FORMS": "0",
            "emailaddress_set-INITIAL_FORMS": "0",
        },
    )
    changed = {field for field, _, _ in last().changes}
    assert "staff status" in changed
    assert not any("password" in field for field in changed)


def test_a_command_stands_with_its_name(world, tmp_path):
    file = tmp_path / "mood.csv"
    file.write_bytes(TOY_GOLD["mood"])
    call_command("load_gold", "toy", "mood", str(file), note="Anew")
    entry = AuditEntry.objects.filter(actor=None).latest("pk")
    assert (entry.who, entry.benchmark, entry.reason) == ("manage.py load_gold", "toy", "Anew")
    assert entry.what == "Loaded gold version 2."


def test_passwords_tokens_salts_and_sealed_labels_are_never_logged(world, staff):
    version = GoldVersion.objects.all()[0]
    everything = [field.name for field in version._meta.concrete_fields]
    assert not {"sealed", "key fingerprint"} & set(values(version, everything))
    assert "password" not in values(staff, [field.name for field in User._meta.concrete_fields])
    team = world.waiting.system.team
    assert "invitation nonce" not in values(team, ["invitation_nonce", "name"])


def test_every_page_that_changes_something_logs_it_and_no_blob(rf, staff, world):
    request = rf.get("/admin/")
    request.user = staff
    for model, page in admin.site._registry.items():
        if not isinstance(page, Audited):
            assert not page.has_change_permission(request), model
            continue
        row = model._default_manager.first()
        for name in [*flatten_fieldsets(page.get_fieldsets(request, row)), *page.audited]:
            field = {one.name: one for one in model._meta.concrete_fields}.get(name)
            assert not isinstance(field, models.BinaryField), (model, name)
            assert not (field and name == "password" and may_be_logged(field))
