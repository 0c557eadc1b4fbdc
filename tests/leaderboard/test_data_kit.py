"""What a benchmark gives is described for machines: what can be loaded now, with licence, size and digest."""

import datetime as dt
import hashlib
import json

import pytest
import time_machine

from benchmarks.given_files import load_given_file
from benchmarks.models import Benchmark, GivenFile
from tests.conftest import NOW

pytestmark = pytest.mark.sqlite  # its clock is set, and the one of another database goes on

LATER = NOW + dt.timedelta(days=3)
DATA = b"id,text\n1,a\n"
# Of the Croissant 1.0 format: what a data set and a file object must have.
OF_DATASET = {
    "@context",
    "@type",
    "conformsTo",
    "name",
    "description",
    "license",
    "url",
    "creator",
    "datePublished",
}
OF_FILE = {"@type", "@id", "name", "contentUrl", "encodingFormat", "sha256"}


@pytest.fixture
def kit(toy):
    for name, licence, given_at in (
        ("train.csv", "CC BY 4.0", None),
        ("test.csv", "CC0", LATER),
        ("none.md", "", None),
    ):
        file = GivenFile.objects.create(benchmark=toy, name=name, licence=licence, given_at=given_at)
        if name != "none.md":
            load_given_file(given_file=file, data=DATA + name.encode(), now=NOW)
    return toy


def read(client, name="croissant.json", at=NOW):
    with time_machine.travel(at, tick=False):
        answer = client.get(f"/benchmarks/toy/data-kit/{name}")
    return json.loads(answer.content) if answer.status_code == 200 else answer.status_code


def test_croissant_has_what_the_format_asks_for_of_what_is_given_by_then(client, kit):
    document = read(client)
    assert document.keys() >= OF_DATASET
    assert document["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert (document["@type"], document["license"]) == ("sc:Dataset", "CC BY 4.0")
    (file,) = document["distribution"]
    assert file.keys() >= OF_FILE
    assert file["sha256"] == hashlib.sha256(DATA + b"train.csv").hexdigest()
    assert file["contentSize"] == f"{len(DATA) + 9} B"
    place = file["contentUrl"].partition("/benchmarks/")[2]
    given = b"".join(client.get(f"/benchmarks/{place}").streaming_content)
    assert hashlib.sha256(given).hexdigest() == file["sha256"]


def test_a_file_stands_in_it_from_the_instant_on_at_which_it_is_given(client, kit):
    assert [file["name"] for file in read(client, at=LATER)["distribution"]] == ["test.csv", "train.csv"] or [
        file["name"] for file in read(client, at=LATER)["distribution"]
    ] == ["train.csv", "test.csv"]
    assert read(client, at=LATER)["license"] == "CC BY 4.0; CC0"
    graph = read(client, "ro-crate-metadata.json", at=LATER)["@graph"]
    parts = {part["@id"]: part for part in graph if part["@type"] == "File"}
    assert parts["test.csv"]["license"] == "CC0"
    (root,) = (part for part in graph if part["@id"] == "./")
    assert {part["@id"] for part in root["hasPart"]} == parts.keys()


def test_nothing_is_described_of_what_strangers_may_not_see_and_of_what_is_not_there(client, kit):
    assert read(client, "SHA256SUMS") == 404
    Benchmark.objects.filter(pk="toy").update(visibility="draft")
    assert read(client) == 404
    Benchmark.objects.filter(pk="toy").update(visibility="public")
    assert read(client) != 404


def test_without_files_there_is_no_kit(client, toy):
    assert read(client) == 404
