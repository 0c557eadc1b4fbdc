"""Pages about a benchmark: written by organisers, kept in versions, published under its head, in its definition."""

import datetime as dt

import pytest
from django.db import Error, transaction

from benchmarks.models import GivenFile, WrittenPage, WrittenVersion
from benchmarks.notices.pages import standing_pages, write_page
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import load_definition
from leaderboard.models import Page
from leaderboard.publication.services import refresh_stale
from scoring.definitions.editing import as_yaml
from tests.benchmarks.test_loader import MINIMAL
from tests.conftest import NOW, TOY_DEFINITION
from tests.pages import text_of

PAGES = (
    "pages: [{id: data, title: The data, text: '## Where from'}, {id: faq, title: FAQ, text: None yet.}]\n"
)
LATER = NOW + dt.timedelta(days=1)


def add(benchmark, slug="data", title="The data", text="## Where from", by=None):
    page = WrittenPage.objects.create(benchmark=benchmark, slug=slug)
    write_page(page=page, title=title, text=text, by=by, now=NOW)
    return page


def body(path):
    return bytes(Page.objects.get(pk=path).body).decode()


@pytest.mark.django_db
def test_pages_stand_under_the_head_of_the_benchmark_with_a_tab_and_each_other(toy, client):
    add(toy)
    add(toy, "faq", "FAQ", "See [the data](data).")
    refresh_stale()
    page = client.get("/benchmarks/toy/pages/faq/")
    assert '<a href="/benchmarks/toy/pages/data/">the data</a>' in page.content.decode()
    assert '<a href="/benchmarks/toy/pages/data/" aria-current="page">About</a>' in page.content.decode()
    assert "Version 1," in text_of(page)
    assert '<a href="/benchmarks/toy/pages/data/">About</a>' in body("/benchmarks/toy/")


@pytest.mark.django_db
def test_a_benchmark_without_pages_has_no_tab_for_them(toy):
    refresh_stale()
    assert ">About</a>" not in body("/benchmarks/toy/")


@pytest.mark.django_db
def test_a_change_is_published_and_an_empty_text_takes_the_page_down(toy, client):
    page = add(toy)
    refresh_stale()
    write_page(page=page, title="The data", text="Other words.", by=None, now=LATER)
    refresh_stale()
    assert "Other words." in text_of(client.get("/benchmarks/toy/pages/data/"))
    write_page(page=page, title="The data", text="", by=None, now=LATER)
    refresh_stale()
    assert client.get("/benchmarks/toy/pages/data/").status_code == 404
    assert page.versions.count() == 3


@pytest.mark.django_db
def test_a_file_that_is_given_later_is_linked_once_it_is_named(toy):
    add(toy, text="[Training data](train.csv), ![A curve](curve.png)")
    refresh_stale()
    assert "<p>Training data, A curve</p>" in body("/benchmarks/toy/pages/data/")
    for name in ("train.csv", "curve.png"):
        GivenFile.objects.create(benchmark=toy, name=name)
    write_page(
        page=WrittenPage.objects.get(),
        title="Data",
        text="[T](train.csv) ![A](curve.png)",
        by=None,
        now=LATER,
    )
    refresh_stale()
    page = body("/benchmarks/toy/pages/data/")
    assert '<a href="/benchmarks/toy/files/train.csv">T</a>' in page
    assert '<img src="/benchmarks/toy/files/curve.png"' in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    "title", ["<script>alert(1)</script>", '" onmouseover="alert(1)', "</title><svg onload=1>"]
)
def test_a_title_is_words_wherever_it_stands(toy, title):
    add(toy, title=title)
    refresh_stale()
    for path in ("/benchmarks/toy/", "/benchmarks/toy/pages/data/"):
        assert title not in body(path)


@pytest.mark.django_db
def test_the_same_words_are_no_new_version_and_versions_never_change(toy, staff):
    page = add(toy, by=staff)
    assert write_page(page=page, title="The data", text="## Where from\n", by=staff, now=LATER) is None
    with pytest.raises(Error), transaction.atomic():
        WrittenVersion.objects.update(text="Never said.")


def test_a_definition_has_pages():
    spec = load_definition(MINIMAL + PAGES, "toy.yaml")
    assert [(page.id, page.title, page.text) for page in spec.pages] == [
        ("data", "The data", "## Where from"),
        ("faq", "FAQ", "None yet."),
    ]


@pytest.mark.parametrize(
    ("pages", "sentence"),
    [
        (
            "[{id: data, title: D, text: x}, {id: data, title: E, text: y}]",
            "pages: the id 'data' is used twice",
        ),
        ("[{id: data, title: D}]", "pages[data].text: is missing; expected text"),
        ("[{id: data, title: D, text: x, html: y}]", "pages[data].html: is not a key of this place"),
        (
            f"[{{id: data, title: D, text: {'x' * 50_001}}}]",
            "pages[data].text: expected at most 50,000 characters",
        ),
        (f"[{{id: data, title: {'x' * 81}, text: x}}]", "pages[data].title: expected at most 80 characters"),
    ],
)
def test_a_page_that_cannot_be_is_refused_with_its_place(pages, sentence):
    with pytest.raises(DefinitionError) as caught:
        load_definition(f"{MINIMAL}pages: {pages}\n", "toy.yaml")
    assert sentence in str(caught.value)


@pytest.mark.django_db
def test_a_definition_is_followed_until_an_organiser_writes(sync, staff):
    toy = sync(TOY_DEFINITION + PAGES)
    assert [version.title for version in standing_pages(toy)] == ["The data", "FAQ"]
    sync(TOY_DEFINITION + PAGES.replace("None yet.", "One."))
    assert standing_pages(toy)[1].text == "One."
    write_page(page=toy.written_pages.get(slug="faq"), title="FAQ", text="Mine.", by=staff, now=LATER)
    sync(TOY_DEFINITION + PAGES.replace("None yet.", "Two."))
    assert standing_pages(toy)[1].text == "Mine."
    sync(TOY_DEFINITION)
    assert len(standing_pages(toy)) == 2


@pytest.mark.django_db
def test_the_exported_definition_has_the_pages_that_stand_and_reading_it_changes_nothing(sync, staff):
    toy = sync(TOY_DEFINITION + PAGES)
    write_page(page=toy.written_pages.get(slug="faq"), title="FAQ", text="Mine.", by=staff, now=LATER)
    exported = as_yaml(toy)
    assert "text: Mine." in exported
    sync(exported)
    assert toy.written_pages.get(slug="faq").versions.count() == 2


@pytest.mark.django_db
def test_the_api_tells_what_stands(toy, client):
    add(toy)
    (told,) = client.get("/api/v1/benchmarks/toy/pages/").json()
    assert (told["id"], told["text"], told["version"]) == ("data", "## Where from", 1)
    assert told["url"].endswith("/benchmarks/toy/pages/data/")


@pytest.mark.django_db
def test_organisers_write_in_the_admin_and_see_who_wrote_what(toy, staff, client):
    client.force_login(staff)
    written = {"benchmark": "toy", "slug": "data", "position": "1", "title": "The data", "text": "One."}
    client.post("/admin/benchmarks/writtenpage/add/", written)
    page = WrittenPage.objects.get()
    address = f"/admin/benchmarks/writtenpage/{page.pk}/change/"
    client.post(address, written | {"text": "Two."})
    assert list(page.versions.values_list("number", "text", "written_by")) == [
        (2, "Two.", staff.pk),
        (1, "One.", staff.pk),
    ]
    shown = text_of(client.get(address))
    assert "One." in shown
    assert str(staff) in shown


@pytest.mark.django_db
def test_a_preview_shows_what_was_typed_saves_nothing_and_executes_nothing(toy, staff, client):
    client.force_login(staff)
    typed = {"benchmark": "toy", "title": "The data", "text": "## Where\n\n<script>alert(1)</script>"}
    answer = client.post("/admin/benchmarks/writtenpage/preview/", typed)
    assert '<h3 id="where">Where</h3>' in answer.content.decode()
    assert "<script>alert" not in answer.content.decode()
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert not WrittenPage.objects.exists()


@pytest.mark.django_db
def test_nobody_previews_for_a_benchmark_of_others(toy, client):
    from tests.conftest import person

    client.force_login(person("clerk", is_staff=True))
    assert client.post("/admin/benchmarks/writtenpage/preview/", {"benchmark": "toy"}).status_code == 403
