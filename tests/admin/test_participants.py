"""The list of participants of a benchmark: who sees what of it, as a page and as a file, however many there are."""

import csv
import io

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from accounts.models import AuditEntry, Membership, Team
from submissions.models import System
from tests.admin.test_queries import grow
from tests.conftest import person
from tests.pages import text_of as page_of

PAGE = "/admin/benchmarks/benchmark/toy/participants/"
DOWNLOAD = "/admin/benchmarks/benchmark/toy/participants_csv/"


def text_of(answer):
    return " ".join(strip_tags(page_of(answer)).split())


def lines(answer):
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_the_page_says_who_takes_part_with_what_and_how_much_quota_is_used(client, world, organiser):
    client.force_login(organiser)
    page = client.get(PAGE)
    [row] = page.context["participants"]
    assert (row.team, row.systems, row.accepted, row.refused, row.state) == (
        "North",
        "Larch",
        3,
        1,
        "waiting",
    )
    assert "owner@example.org" in {address for _, address in row.people}
    assert row.used == ("Main: 2 of 5 this week",)
    assert "1 team, " in text_of(page)


def test_readers_see_names_and_no_addresses_and_download_nothing(client, world, onlooker):
    client.force_login(onlooker)
    page = client.get(PAGE)
    assert page.status_code == 200
    assert "North" in text_of(page)
    assert "owner@example.org" not in page.content.decode()
    assert client.post(DOWNLOAD, {"confirmed": "yes"}).status_code == 403


@pytest.mark.parametrize(("persona", "answer"), [("stranger", 404), ("clerk", 403), ("annotator", 403)])
def test_the_list_is_for_those_with_a_role_in_the_benchmark(client, world, persona, answer, request):
    client.force_login(request.getfixturevalue(persona))
    assert client.get(PAGE).status_code == answer


def test_the_file_has_a_line_for_each_team_and_the_audit_log_notes_who_took_it(client, world, organiser):
    client.force_login(organiser)
    answer = client.post(DOWNLOAD, {"confirmed": "yes", "reason": "To invite them to the workshop."})
    assert answer["Content-Disposition"] == 'attachment; filename="toy-participants.csv"'
    [line] = lines(answer)
    assert (line["team"], line["registration"], line["accepted"], line["refused"]) == (
        "North",
        "waiting",
        "3",
        "1",
    )
    assert "owner@example.org" in line["addresses"].split("; ")
    entry = AuditEntry.objects.filter(kind="participants csv").latest("at")
    assert (entry.actor, entry.benchmark, entry.reason) == (
        organiser,
        "toy",
        "To invite them to the workshop.",
    )
    assert "1 team, with addresses" in entry.what


def test_no_name_is_run_as_a_formula_by_a_spreadsheet(client, world, organiser):
    Team.objects.update(name='=HYPERLINK("https://bad.example")')
    System.objects.update(name="@SUM(A1)")
    client.force_login(organiser)
    [line] = lines(client.post(DOWNLOAD, {"confirmed": "yes"}))
    assert line["team"].startswith("'=")
    assert line["systems"].startswith("'@")


def test_the_list_costs_the_same_queries_for_300_teams(client, world, organiser):
    client.force_login(organiser)
    grow(world, 1)
    few = queries(client)
    now = world.waiting.received_at
    teams = Team.objects.bulk_create(Team(name=f"Team {n}", created_at=now) for n in range(100, 400))
    member = person("everywhere")
    Membership.objects.bulk_create(Membership(team=team, user=member, joined_at=now) for team in teams)
    systems = System.objects.bulk_create(
        System(team=team, name="Fir", created_at=now, kind="system") for team in teams
    )
    template = world.refusal
    type(template).objects.bulk_create(
        type(template)(
            system=system,
            phase=template.phase,
            submitted_by=member,
            received_at=now,
            file_name="a.zip",
            problems=[],
        )
        for system in systems
    )
    assert queries(client) <= few
    assert len(client.get(PAGE).context["participants"]) == 302


def queries(client):
    with CaptureQueriesContext(connection) as captured:
        assert client.get(PAGE).status_code == 200
    return len(captured)
