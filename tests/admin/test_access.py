"""Who reaches which page of the admin. A page that the table does not know fails the test."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.db.models import Model
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.thorough

PAGES = ("list", "add", "change", "history", "delete")
READ_ONLY = "200 403 200 200 403"
ADDED = "200 200 200 200 403"
OF_OTHERS = "200 403 404 404 403"
NOTHING = "403 403 403 404 403"

# For each model: what a superuser, this benchmark's organiser, another's organiser and other staff are answered.
TABLE = {
    "accounts.user": ("200 200 200 200 403", *["403 403 403 403 403"] * 3),
    "accounts.mail": (READ_ONLY, *["403 403 403 403 403"] * 3),
    "accounts.accountevent": (READ_ONLY, *["403 403 403 403 403"] * 3),
    "accounts.auditentry": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "accounts.team": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "benchmarks.benchmark": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "benchmarks.benchmarkrole": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "benchmarks.roleinvitation": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "benchmarks.task": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "benchmarks.phase": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "benchmarks.attack": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "benchmarks.split": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "benchmarks.factlist": (*["200 200 200 200 403"] * 2, "200 200 404 404 403", NOTHING),
    "benchmarks.terms": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "benchmarks.announcement": (*["200 200 200 200 403"] * 2, "200 200 404 404 403", NOTHING),
    "benchmarks.writtenpage": (*["200 200 200 200 403"] * 2, "200 200 404 404 403", NOTHING),
    "benchmarks.givenfile": (*["200 200 200 200 403"] * 2, "200 200 404 404 403", NOTHING),
    "benchmarks.participantquestion": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "benchmarks.mailing": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "submissions.factsheet": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "submissions.system": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "submissions.submission": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "submissions.refusal": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "submissions.teamregistration": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "submissions.rowclaim": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "submissions.ban": (*["200 200 200 200 403"] * 2, "200 200 404 404 403", NOTHING),
    "submissions.groupuse": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "scoring.goldversion": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "scoring.responseset": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "scoring.pairset": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "scoring.batch": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "scoring.scoringrun": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "leaderboard.release": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "leaderboard.watchreport": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "leaderboard.webhook": (*["200 200 200 200 403"] * 2, "200 200 404 404 403", NOTHING),
    "labelling.campaign": (ADDED, ADDED, "200 200 404 404 403", NOTHING),
    "labelling.worker": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "breaking.contest": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "breaking.pair": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "breaking.pairfile": (READ_ONLY, READ_ONLY, OF_OTHERS, NOTHING),
    "breaking.breakerset": (ADDED, ADDED, "200 200 404 404 403", NOTHING),
    "breaking.starterdata": (ADDED, ADDED, "200 200 404 404 403", NOTHING),
}
PERSONAS = ("staff", "organiser", "stranger", "clerk")
# What an owner is answered beyond an organiser, and what of all this a reader and an annotator are.
OWNERS_ALONE = {"invite", "change_role", "take_away", "withdraw_it", "remove"}
NOT_FOR_READERS = {
    "accounts.user",
    "accounts.mail",
    "accounts.accountevent",
    "accounts.auditentry",
    "benchmarks.roleinvitation",
    "scoring.goldversion",
    "scoring.responseset",
    "scoring.pairset",
    "labelling.worker",
    "breaking.contest",
    "breaking.pair",
    "breaking.pairfile",
    "breaking.breakerset",
}
LOOKED_AT = "200 403 200 403 403"  # the log of what was done to a row is for those who run the benchmark
# What a POST to a row's own form is answered: changed (302, or 200 with the form's errors), or refused.
CHANGES = {
    "accounts.user": "200 403 403 403",
    "accounts.team": "200 403 403 403",
    "benchmarks.benchmark": "302 403 403 403",
    "benchmarks.phase": "200 200 404 403",
    "benchmarks.factlist": "200 200 404 403",
    "benchmarks.announcement": "200 200 404 403",
    "benchmarks.givenfile": "302 302 404 403",
    "benchmarks.writtenpage": "200 200 404 403",
    "submissions.system": "200 200 404 403",
    "leaderboard.webhook": "200 200 404 403",
}

BUTTONS = {
    "benchmarks.phase": ("close_now",),
    "benchmarks.task": (
        "load_gold",
        "load_texts",
        "make_attack",
        "load_pairs",
        "load_responses",
        "renew_items",
        "draw_round",
    ),
    "benchmarks.attack": ("enter_share", "measure_share", "take_annotations"),
    "benchmarks.benchmark": (
        "add_phase",
        "remove_phase",
        "export_definition",
        "import_definition",
        "load_published",
        "move_in",
        "invite",
        "show_to",
        "ask_to_open",
        "edit_texts",
        "edit_terms",
        "write_mail",
        "render_anew",
        "hide_names",
        "lift_anonymity",
        "ask_for_approval",
        "open_registration",
        "set_registration_code",
        "registration_dates",
        "participants_csv",
        "shift_dates",
        "open_gold",
        "set_bit_budget",
        "take_home",
        "fetch_home",
        "archive",
        "bring_back",
        "remove",
    ),
    "benchmarks.benchmarkrole": ("change_role", "take_away"),
    "benchmarks.roleinvitation": ("withdraw_it",),
    "benchmarks.givenfile": ("load_version",),
    "accounts.team": ("merge", "replace_on_boards", "remove_team_name"),
    "submissions.system": ("rename_on_boards", "remove_system_name"),
    "submissions.ban": ("lift",),
    "submissions.teamregistration": ("approve", "decline"),
    "submissions.rowclaim": ("accept", "refuse"),
    "submissions.submission": ("hold_back", "let_go", "disqualify", "score_again", "remove_file"),
    "scoring.batch": ("publish",),
    "leaderboard.release": ("publish_predictions",),
    "leaderboard.watchreport": ("looked_at", "hold_rows", "hold_back"),
    "leaderboard.webhook": ("take_over", "send_again", "renew_secret"),
    "benchmarks.participantquestion": ("answer_it",),
    "benchmarks.mailing": ("send_again",),
    "labelling.campaign": (
        "edit",
        "add_units",
        "draw_units",
        "draw_systems",
        "write_units",
        "train_model",
        "name_endpoint",
        "accept_version",
        "open_it",
        "invite",
        "check_codes",
        "pause",
        "resume",
        "mend_words",
        "exclude_by_rule",
        "import_answers",
        "export_answers",
        "export_values",
        "export_systems",
        "close",
        "make_again",
        "erase_ids",
    ),
    "labelling.worker": ("exclude_it", "let_in", "screen_out", "erase_id"),
    "breaking.contest": ("decide", "enter_vote", "load_votes"),
    "breaking.pair": ("admit", "leave_out", "undo"),
    "breaking.pairfile": ("withdraw",),
    "breaking.breakerset": ("withdraw", "restore"),
}


def rows() -> Iterator[tuple[str, Model]]:
    """One row of every registered model, the newest of the toy benchmark where there are several."""
    for model in admin.site._registry:
        row = (
            model._default_manager.filter(pk=_toy_key(model)).first()
            or model._default_manager.order_by("pk").last()
        )
        assert row is not None, model
        yield model._meta.label_lower, row


def _toy_key(model: type[Model]) -> Any:
    paths = {"benchmark": "pk", "split": "task__benchmark"}
    paths |= dict.fromkeys(("phase", "task", "benchmarkrole", "auditentry"), "benchmark")
    path = paths.get(model._meta.model_name or "")
    return model._default_manager.filter(**{path: "toy"}).values("pk")[:1] if path else None


def url(label: str, page: str, row: Model) -> str:
    name = f"admin:{label.replace('.', '_')}_{'changelist' if page == 'list' else page}"
    return reverse(name) if page in ("list", "add") else reverse(name, args=[row.pk])


def test_every_registered_model_is_in_the_table():
    assert {model._meta.label_lower for model in admin.site._registry} == set(TABLE)


def test_every_button_is_in_the_table():
    buttons = {
        model._meta.label_lower: tuple(found)
        for model, page in admin.site._registry.items()
        if (found := getattr(page, "actions_detail", ()))
    }
    assert buttons == BUTTONS


@pytest.mark.parametrize("persona", PERSONAS)
def test_pages_answer_each_persona_as_the_table_says(persona, world, organiser, stranger, clerk, request):
    client = Client()
    client.force_login(request.getfixturevalue(persona))
    answers = {
        label: " ".join(str(client.get(url(label, page, row)).status_code) for page in PAGES)
        for label, row in rows()
    }
    assert answers == {label: answer[PERSONAS.index(persona)] for label, answer in TABLE.items()}


@pytest.mark.parametrize("persona", PERSONAS)
def test_forms_take_changes_only_from_those_who_may(persona, world, organiser, stranger, clerk, request):
    client = Client()
    client.force_login(request.getfixturevalue(persona))
    answers = {label: str(client.post(url(label, "change", row)).status_code) for label, row in rows()}
    expected = {
        label: CHANGES.get(label, "403 403 403 403").split()[PERSONAS.index(persona)] for label in TABLE
    }
    assert answers == expected


def pressed(client: Client, world: Any) -> dict[str, str]:
    """What whoever is signed in is answered for each button of each row."""
    return {
        button: str(client.get(f"{url(label, 'change', row).removesuffix('change/')}{button}/").status_code)
        for label, row in [
            *((label, row) for label, row in rows() if label != "scoring.batch"),
            ("scoring.batch", world.scored),
        ]
        for button in BUTTONS.get(label, ())
    }


@pytest.mark.parametrize(("persona", "answer"), [*zip(PERSONAS, ("200", "200", "404", "403"), strict=True)])
def test_buttons_answer_each_persona(persona, answer, world, organiser, stranger, clerk, request):
    client = Client()
    client.force_login(request.getfixturevalue(persona))
    expected = {button: answer for buttons in BUTTONS.values() for button in buttons}
    if persona == "organiser":
        # Teams take part in benchmarks of other organisers too.
        expected |= dict.fromkeys({"merge"} | OWNERS_ALONE, "403")
    assert pressed(client, world) == expected


@pytest.mark.parametrize(("persona", "pages"), [("onlooker", NOT_FOR_READERS), ("annotator", None)])
def test_roles_without_the_right_to_run_see_their_pages_and_press_nothing(persona, pages, world, request):
    client = Client()
    client.force_login(request.getfixturevalue(persona))
    hidden = set(TABLE) - {"breaking.contest"} if pages is None else pages
    shown = {
        label: " ".join(str(client.get(url(label, page, row)).status_code) for page in PAGES)
        for label, row in rows()
    }
    of_superusers = dict.fromkeys(
        ("accounts.user", "accounts.mail", "accounts.accountevent"), "403 403 403 403 403"
    )
    expected = {label: NOTHING if label in hidden else LOOKED_AT for label in TABLE}
    assert shown == expected | of_superusers
    assert {str(client.post(url(label, "change", row)).status_code) for label, row in rows()} == {"403"}
    allowed = {"enter_vote"} if persona == "annotator" else set()
    assert {name for name, status in pressed(client, world).items() if status != "403"} == allowed
    assert all(
        not admin.site._registry[type(row)].get_actions(answer.wsgi_request)
        for label, row in rows()
        if (answer := client.get(url(label, "list", row))).status_code == 200
    )


def test_an_owner_reaches_what_an_organiser_does_and_the_roles(client, world, keeper):
    client.force_login(keeper)
    shown = {
        label: " ".join(str(client.get(url(label, page, row)).status_code) for page in PAGES)
        for label, row in rows()
    }
    assert shown == {label: answer[1] for label, answer in TABLE.items()}
    refused = {name for name, status in pressed(client, world).items() if status != "200"}
    assert refused == {"merge"}


@pytest.mark.parametrize("persona", [None, "owner"])
def test_others_are_sent_to_the_sites_own_sign_in(persona, world, client, request):
    if persona:
        client.force_login(request.getfixturevalue(persona))
    addresses = [url(label, page, row) for label, row in rows() for page in PAGES]
    addresses += [
        f"{url(label, 'change', row).removesuffix('change/')}{button}/"
        for label, row in rows()
        for button in BUTTONS.get(label, ())
    ]
    for address in [reverse("admin:index"), *addresses]:
        first = client.get(address)
        assert (first.status_code, first["Location"].split("?")[0]) == (302, "/admin/login/"), address


def test_the_admins_sign_in_is_the_sites_own(client, db):
    answer = client.get("/admin/login/?next=/admin/")
    assert (answer.status_code, answer["Location"]) == (302, "/accounts/login/?next=%2Fadmin%2F")


def test_a_password_cannot_be_tried_at_the_admin(client, staff):
    client.post("/admin/login/", {"username": staff.email, "password": "staff-password"})
    assert client.get("/admin/").status_code == 302


def test_signed_in_participants_are_refused_at_the_admins_door(client, owner):
    client.force_login(owner)
    for path in ("/admin/submissions/submission/", "/admin/benchmarks/benchmark/", "/admin/login/"):
        assert client.get(path, follow=True).status_code == 403, path


def test_an_organiser_who_lost_the_role_sees_nothing(client, world, organiser):
    world.phase.benchmark.roles.all().delete()
    client.force_login(organiser)
    answer = client.get("/admin/submissions/submission/")
    assert (answer.status_code, answer["Location"].split("?")[0]) == (302, "/admin/login/")


def test_lists_hold_only_the_organisers_own_rows(client, world, stranger):
    client.force_login(stranger)
    assert "Larch" not in client.get("/admin/submissions/submission/").content.decode()


def test_filters_offer_only_the_organisers_own_phases(client, world, stranger):
    client.force_login(stranger)
    assert "toy/main" not in client.get("/admin/submissions/submission/").content.decode()


def test_a_system_on_another_organisers_board_is_read_only(client, world, organiser, stranger, owner):
    from submissions.models import Submission

    other = world.phase.__class__.objects.get(benchmark="other")
    Submission.objects.filter(pk=world.waiting.pk).update(phase=other)
    client.force_login(organiser)
    address = url("submissions.system", "change", world.waiting.system)
    assert (client.get(address).status_code, client.post(address).status_code) == (200, 403)


def test_forged_posts_without_the_token_are_refused(world, organiser):
    client = Client(enforce_csrf_checks=True)
    client.force_login(organiser)
    address = f"/admin/benchmarks/phase/{world.phase.pk}/close_now/"
    assert client.post(address, {"confirmed": "yes"}).status_code == 403


def test_no_list_offers_to_delete(client, world, staff):
    client.force_login(staff)
    for label, row in rows():
        assert "delete_selected" not in client.get(url(label, "list", row)).content.decode(), label
