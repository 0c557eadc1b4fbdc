"""Roles in a benchmark: who gives them, what an invitation is worth, and that no benchmark loses its last owner."""

import importlib

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import AuditEntry
from benchmarks.models import Benchmark
from benchmarks.people.models import BenchmarkRole, Role, RoleInvitation
from benchmarks.people.services import (
    CannotGiveRole,
    InvitationRefused,
    accept_invitation,
    give_role,
    invite,
    take_role,
    token_of,
)
from tests.conftest import person
from tests.pages import text_of
from tests.people import appoint

NOW = timezone.now()
"""The pages that answer an invitation go by the clock, and it serves for a fortnight."""


@pytest.fixture
def keeper(toy):
    user = person("keeper")
    appoint(toy, user, Role.OWNER)
    return user


@pytest.fixture
def organiser(toy, keeper):
    user = person("organiser")
    appoint(toy, user)
    return user


def role_of(toy, user):
    return BenchmarkRole.objects.get(benchmark=toy, user=user)


def invited(toy, keeper, address="new@example.org", role=Role.ORGANISER):
    return invite(benchmark=toy, address=address, role=role, by=keeper, now=NOW)


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def button(client, row, name, **sent):
    address = f"/admin/{row._meta.label_lower.replace('.', '/')}/{row.pk}/{name}/"
    return client.post(address, {"confirmed": "yes", **sent})


def test_an_owner_invites_somebody_without_an_account_who_signs_up_and_enters_the_admin(toy, keeper, client):
    answer = button(signed_in(keeper), toy, "invite", address="New@example.org", role="organiser")
    assert answer.status_code == 302
    (letter,) = mail.outbox
    assert letter.to == ["new@example.org"]
    link = next(word for word in letter.body.split() if "/roles/" in word).removeprefix(
        "http://localhost:8000"
    )
    assert "/accounts/login/" in client.get(link)["Location"]
    new = person("new")
    client.force_login(new)
    assert client.get("/admin/").status_code == 302
    assert "keeper@example.org" in letter.body
    assert toy.title in client.get(link).content.decode()
    assert client.post(link, follow=True).status_code == 200
    assert role_of(toy, new).role == Role.ORGANISER
    assert client.get("/admin/benchmarks/benchmark/toy/change/").status_code == 200
    assert not new.is_staff


def test_an_invitation_serves_once(toy, keeper):
    token = token_of(invited(toy, keeper))
    new = person("new")
    accept_invitation(token=token, user=new, now=NOW)
    take_role(role=role_of(toy, new), by=keeper)
    with pytest.raises(InvitationRefused, match="serves once"):
        accept_invitation(token=token, user=new, now=NOW)
    assert not new.roles.exists()


def test_an_invitation_expires(toy, keeper):
    token = token_of(invited(toy, keeper))
    with pytest.raises(InvitationRefused, match="expired"):
        accept_invitation(token=token, user=person("new"), now=NOW + RoleInvitation.LIFETIME)


def test_an_invitation_is_for_its_address_alone_and_names_nothing_to_others(toy, keeper, owner):
    link = f"/roles/{token_of(invited(toy, keeper))}/"
    client = signed_in(owner)
    page = client.get(link)
    assert page.status_code == 403
    assert "another e-mail address" in page.content.decode()
    assert toy.title not in text_of(page)
    assert client.post(link).status_code == 403
    assert not owner.roles.exists()


def test_an_address_that_was_not_confirmed_takes_no_role(toy, keeper):
    token = token_of(invited(toy, keeper))
    new = person("new")
    EmailAddress.objects.filter(user=new).update(verified=False)
    with pytest.raises(InvitationRefused, match="confirm it"):
        accept_invitation(token=token, user=new, now=NOW)


def test_a_withdrawn_or_replaced_or_altered_link_leads_nowhere(toy, keeper):
    first, new = invited(toy, keeper), person("new")
    second = invited(toy, keeper, role=Role.READER)
    assert button(signed_in(keeper), second, "withdraw_it").status_code == 302
    for token in (token_of(first), token_of(second)):
        with pytest.raises(InvitationRefused, match="withdrawn"):
            accept_invitation(token=token, user=new, now=NOW)
    with pytest.raises(InvitationRefused, match="no invitation"):
        accept_invitation(token=f"{second.nonce.hex}:forged", user=new, now=NOW)


def test_whoever_lost_the_right_to_invite_leaves_no_door_open(toy, keeper):
    appoint(toy, person("second"), Role.OWNER)
    token = token_of(invited(toy, keeper, role=Role.OWNER))
    take_role(role=role_of(toy, keeper), by=keeper)
    with pytest.raises(InvitationRefused, match="withdrawn"):
        accept_invitation(token=token, user=person("new"), now=NOW)


def test_an_organiser_gives_no_role_to_anybody(toy, organiser, owner):
    client = signed_in(organiser)
    assert button(client, toy, "invite", address="x@example.org", role="owner").status_code == 403
    assert button(client, role_of(toy, organiser), "change_role", new="owner").status_code == 403
    with pytest.raises(CannotGiveRole, match="Only an owner"):
        give_role(benchmark=toy, user=organiser, role=Role.OWNER, by=organiser)
    with pytest.raises(CannotGiveRole, match="Only an owner"):
        invited(toy, organiser)
    assert role_of(toy, organiser).role == Role.ORGANISER
    assert mail.outbox == []


def test_an_organiser_takes_no_role_from_an_owner_but_gives_up_their_own(toy, keeper, organiser):
    assert button(signed_in(organiser), role_of(toy, keeper), "take_away").status_code == 403
    with pytest.raises(CannotGiveRole, match="Only an owner"):
        take_role(role=role_of(toy, keeper), by=organiser)
    take_role(role=role_of(toy, organiser), by=organiser)
    assert not organiser.roles.exists()


def test_an_owner_of_another_benchmark_is_nobody_here(toy, organiser, sync):
    from tests.conftest import TOY_DEFINITION

    other = sync(TOY_DEFINITION.replace("id: toy", "id: other"))
    stranger = person("stranger")
    appoint(other, stranger, Role.OWNER)
    with pytest.raises(CannotGiveRole, match="Only an owner"):
        give_role(benchmark=toy, user=stranger, role=Role.OWNER, by=stranger)
    assert button(signed_in(stranger), role_of(toy, organiser), "take_away").status_code == 404


def test_the_last_owner_stays(toy, keeper, organiser):
    client = signed_in(keeper)
    page = button(client, role_of(toy, keeper), "take_away").content.decode()
    assert "is the last owner" in page
    page = button(client, role_of(toy, keeper), "change_role", new="organiser").content.decode()
    assert "is the last owner" in page
    assert role_of(toy, keeper).role == Role.OWNER
    assert button(client, role_of(toy, organiser), "change_role", new="owner").status_code == 302
    assert button(client, role_of(toy, keeper), "take_away").status_code == 302
    assert [one.user for one in toy.roles.all()] == [organiser]


def test_an_owner_who_cannot_sign_in_leaves_another_the_last(toy, keeper):
    appoint(toy, person("gone", is_active=False), Role.OWNER)
    with pytest.raises(CannotGiveRole, match="is the last owner"):
        take_role(role=role_of(toy, keeper), by=keeper)


def test_what_was_done_to_roles_is_audited(toy, keeper, owner):
    give_role(benchmark=toy, user=owner, role=Role.READER, by=keeper)
    take_role(role=role_of(toy, owner), by=keeper)
    said = list(
        AuditEntry.objects.filter(benchmark="toy", actor=keeper).order_by("pk").values_list("what", flat=True)
    )
    assert said == ["owner@example.org is reader now.", "owner@example.org is no reader any more."]


def test_those_who_are_written_to_are_owners_and_organisers(toy, keeper, organiser):
    appoint(toy, person("annotator"), Role.ANNOTATOR)
    appoint(toy, person("reader"), Role.READER)
    assert list(toy.organisers) == [keeper, organiser]
    reader = person("another")
    assert not Benchmark.objects.organised_by(reader).exists()


def test_of_those_who_organised_before_the_first_becomes_the_owner(toy, owner, outsider):
    class Entries:
        @staticmethod
        def order_by(_):
            return [
                type("Entry", (), {"benchmark_id": "toy", "user_id": user.pk}) for user in (owner, outsider)
            ]

    class Before:
        """The models as the migration knew them: a benchmark with a list of organisers."""

        @staticmethod
        def get_model(app, name):
            if name == "BenchmarkRole":
                return apps.get_model(app, name)
            through = type("Through", (), {"objects": Entries})
            return type("Benchmark", (), {"organisers": type("Organisers", (), {"through": through})})

    importlib.import_module("benchmarks.migrations.0017_organisers_have_roles").carry_over(Before, None)
    assert {one.user: one.role for one in toy.roles.all()} == {owner: "owner", outsider: "organiser"}
