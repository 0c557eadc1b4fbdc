"""Files for everybody: named by a definition, loaded by organisers, and fetched by nobody before their instant."""

import datetime as dt

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from benchmarks.given_files import CannotGive, load_given_file
from benchmarks.models import GivenFile
from benchmarks.spec import GivenSpec
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import load_definition
from leaderboard.models import Page
from leaderboard.publication.services import refresh_stale
from tests.benchmarks.test_loader import MINIMAL
from tests.conftest import NOW, TOY_DEFINITION
from tests.pages import text_of

GIVEN = "given: [{files: [train.csv, kit.zip]}, {files: [test.csv], from: 2026-01-10T00:00+01:00}]"
LATER = NOW + dt.timedelta(days=20_000)


def with_given(text, given=GIVEN):
    return text.replace("    counting: ", f"    {given}\n    counting: ", 1)


def test_phases_name_files_and_their_instants():
    (phase,) = load_definition(with_given(MINIMAL), "toy.yaml").phases
    assert phase.given == (
        GivenSpec(("train.csv", "kit.zip"), None),
        GivenSpec(("test.csv",), dt.datetime(2026, 1, 9, 23, tzinfo=dt.UTC)),
    )


@pytest.mark.parametrize("name", ["../secret", "a/b.csv", ".hidden", "naïve.csv", "x" * 121])
def test_a_name_that_could_lead_elsewhere_is_refused(name):
    with pytest.raises(DefinitionError) as caught:
        load_definition(with_given(MINIMAL, f'given: [{{files: ["{name}"]}}]'), "toy.yaml")
    assert "phases[main].given[0].files: expected a name of letters, digits" in str(caught.value)


@pytest.mark.django_db
def test_a_definition_announces_files_and_leaves_alone_what_organisers_have_set(sync):
    toy = sync(with_given(TOY_DEFINITION))
    assert set(toy.given_files.values_list("name", flat=True)) == {"train.csv", "kit.zip", "test.csv"}
    toy.given_files.filter(name="test.csv").update(given_at=LATER)
    sync(with_given(TOY_DEFINITION).replace("kit.zip", "starter.zip"))
    assert toy.given_files.get(name="test.csv").given_at == LATER
    assert toy.given_files.count() == 4


@pytest.mark.django_db
def test_the_newest_version_is_given_and_earlier_ones_can_be_fetched_again(client, toy):
    file = GivenFile.objects.create(benchmark=toy, name="train.csv")
    address = "/benchmarks/toy/files/train.csv"
    assert client.get(address).status_code == 404
    load_given_file(given_file=file, data=b"id,label\n", now=NOW)
    load_given_file(given_file=file, data=b"id,label\n1,good\n", now=NOW)

    answer = client.get(address)
    assert b"".join(answer.streaming_content) == b"id,label\n1,good\n"
    assert answer["Content-Disposition"] == 'attachment; filename="train.csv"'
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert client.get(address, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    assert b"".join(client.get(f"{address}?version=1").streaming_content) == b"id,label\n"
    assert client.get(f"{address}?version=3").status_code == 404


@pytest.mark.django_db
def test_nobody_gets_a_file_before_its_instant(client, toy, staff):
    file = GivenFile.objects.create(benchmark=toy, name="test.csv", given_at=LATER)
    load_given_file(given_file=file, data=b"id\n", now=NOW)
    client.force_login(staff)
    for address in (file.get_absolute_url(), f"{file.get_absolute_url()}?version=1"):
        answer = client.get(address)
        assert answer.status_code == 404
        assert "test.csv is given on" in text_of(answer)


@pytest.mark.django_db
def test_the_same_bytes_are_no_new_version_and_an_empty_file_is_none(toy):
    file = GivenFile.objects.create(benchmark=toy, name="train.csv")
    load_given_file(given_file=file, data=b"id\n", now=NOW)
    with pytest.raises(CannotGive, match="version 1"):
        load_given_file(given_file=file, data=b"id\n", now=NOW)
    with pytest.raises(CannotGive, match="empty"):
        load_given_file(given_file=file, data=b"", now=NOW)


@pytest.mark.django_db
def test_tasks_and_rules_lists_them_with_licence_size_and_digest(toy, system, phase):
    file = GivenFile.objects.create(
        benchmark=toy, name="train.csv", licence="CC BY 4.0", description="Where to begin", given_at=NOW
    )
    GivenFile.objects.create(benchmark=toy, name="awaited.csv", given_at=LATER)
    version = load_given_file(given_file=file, data=b"id\n", now=NOW)
    refresh_stale()
    page = bytes(Page.objects.get(pk="/benchmarks/toy/rules/").body).decode()
    assert '<a href="/benchmarks/toy/files/train.csv" download>train.csv</a>' in page
    assert "CC BY 4.0" in page
    assert "Where to begin" in page
    assert version.sha256 in page
    assert "awaited.csv" in page
    assert "/files/awaited.csv" not in page


@pytest.mark.django_db
def test_organisers_load_a_version_in_the_admin(client, toy, staff):
    file = GivenFile.objects.create(benchmark=toy, name="train.csv")
    client.force_login(staff)
    address = f"/admin/benchmarks/givenfile/{file.pk}/load_version/"
    assert "never load hidden labels here" in text_of(client.get(address))
    sent = {"confirmed": "yes", "file": SimpleUploadedFile("anything.csv", b"id\n")}
    assert "train.csv, version 1 is loaded." in text_of(client.post(address, sent, follow=True))
    assert "already" in text_of(
        client.post(address, {"confirmed": "yes", "file": SimpleUploadedFile("x.csv", b"id\n")})
    )
