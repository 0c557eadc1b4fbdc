"""A benchmark begun from a definition that somebody of the staff uploads."""

from html import unescape

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.html import strip_tags

from benchmarks.models import Benchmark
from tests.conftest import TOY_DEFINITION, person
from tests.pages import text_of
from tests.people import appoint
from transparency.models import LogEntry

ADDRESS = "/admin/benchmarks/benchmark/new/"
DEFINITION = TOY_DEFINITION.replace("id: toy", "id: fresh").replace("title: Toy", "title: Fresh")


@pytest.fixture
def send(client, clerk):
    client.force_login(clerk)

    def _post(text):
        data = text if isinstance(text, bytes) else text.encode()
        return client.post(ADDRESS, {"file": SimpleUploadedFile("fresh.yaml", data)})

    return _post


def test_what_it_gives_is_shown_and_nothing_is_made(send):
    page = send(DEFINITION).content.decode()
    assert "Begin Fresh?" in page
    assert "Mood" in page
    assert not Benchmark.objects.exists()


def test_confirmed_it_belongs_to_who_made_it(send, client, clerk):
    question = send(DEFINITION).context["question"]
    answer = client.post(ADDRESS, {"text": question.form.initial["text"], "confirmed": "yes"}, follow=True)
    assert "Fresh is yours." in answer.content.decode()
    assert list(Benchmark.objects.organised_by(clerk)) == [Benchmark.objects.get(pk="fresh")]


def test_the_id_of_another_benchmark_is_refused(send, toy):
    page = send(TOY_DEFINITION).content.decode()
    assert "a benchmark has the id toy already" in page


def test_the_text_that_travels_is_checked_again(client, clerk, toy):
    client.force_login(clerk)
    page = client.post(ADDRESS, {"text": TOY_DEFINITION, "confirmed": "yes"}).content.decode()
    assert "a benchmark has the id toy already" in page
    assert not Benchmark.objects.organised_by(clerk).exists()


@pytest.mark.parametrize("text", ["", "[", "a: [1", b"\xff", "id: fresh", "1"], ids=ascii)
def test_what_is_no_definition_is_refused_in_words(send, text):
    answer = send(text)
    assert answer.status_code == 200
    assert not Benchmark.objects.exists()


def test_whoever_has_confirmed_an_address_begins_drafts_and_no_more_than_some(client, owner, staff, settings):
    settings.MOST_DRAFTS = 1
    client.force_login(owner)
    assert client.get("/admin/").status_code == 302
    answer = client.post(ADDRESS, {"text": TOY_DEFINITION, "confirmed": "yes"})
    assert answer.status_code == 302
    toy = Benchmark.objects.get(pk="toy")
    assert (toy.visibility, list(toy.organisers)) == ("draft", [owner])
    assert client.get(answer["Location"]).status_code == 200
    second = TOY_DEFINITION.replace("id: toy", "id: second")
    page = client.post(ADDRESS, {"text": second, "confirmed": "yes"}).content.decode()
    assert "as many drafts as a person may (1)" in page
    assert not LogEntry.objects.filter(benchmark="toy").exists()
    waits = "Toy is a draft: nobody without a role in it sees it or can send a file."
    assert f"{waits} Ask to be opened when it is ready." in strip_tags(
        text_of(client.get("/admin/", follow=True))
    )
    button = "/admin/benchmarks/benchmark/toy/show_to/"
    page = client.post(button, {"confirmed": "yes", "visibility": "public"}).content.decode()
    assert "Whoever runs the server opens drafts" in page
    assert (
        client.post("/admin/benchmarks/benchmark/toy/ask_to_open/", {"confirmed": "yes"}).status_code == 302
    )
    assert mail.outbox[0].to == [staff.email]
    assert f"{waits} The operators were asked to open it on " in text_of(client.get("/admin/", follow=True))
    assert Client().get("/benchmarks/toy/ask/").status_code == 404
    client.force_login(staff)
    assert client.post(button, {"confirmed": "yes", "visibility": "unlisted"}).status_code == 302
    assert Benchmark.objects.get(pk="toy").visibility == "unlisted"
    assert "is a draft" not in text_of(client.get("/admin/", follow=True))


def test_where_nobody_is_an_operator_nobody_is_said_to_have_been_asked(client, owner, toy):
    Benchmark.objects.update(visibility="draft")
    appoint(toy, owner)
    client.force_login(owner)
    page = text_of(client.post("/admin/benchmarks/benchmark/toy/ask_to_open/", {"confirmed": "yes"}))
    assert "Nobody was asked: no account of this server is an operator's." in unescape(page)
    assert not mail.outbox
    assert "Ask to be opened when it is ready." in strip_tags(text_of(client.get("/admin/", follow=True)))


def test_without_a_confirmed_address_nobody_begins_one(client, owner):
    EmailAddress.objects.filter(user=owner).update(verified=False)
    client.force_login(owner)
    assert client.get(ADDRESS).status_code == 403
    assert Client().get(ADDRESS).status_code == 302


def test_whoever_runs_none_yet_is_led_from_the_admin_s_first_page_to_making_one(client, db):
    client.force_login(person("newcomer"))
    assert client.get("/admin/", follow=True).redirect_chain[-1][0] == "/admin/benchmarks/task/new/"
    assert client.get("/admin/submissions/submission/", follow=True).status_code == 403
