"""Where uploads are kept is said by one setting, and a machine that looks elsewhere is told."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.uploads import upload_storages
from submissions.models import Submission
from submissions.uploads.checks import uploads_are_here

URL = "s3://key:se%2Fcret@s3.example.org:8333/heldout?region=garage"


def test_uploads_are_in_a_folder_where_nothing_is_said():
    (only,) = upload_storages("").values()
    assert only == {"BACKEND": "submissions.uploads.storage.DurableFileSystemStorage"}


def test_address_names_store_bucket_and_keys_of_uploads_and_repairs():
    told = upload_storages(URL)
    assert told["default"]["OPTIONS"] == {
        "access_key": "key",
        "secret_key": "se/cret",
        "endpoint_url": "https://s3.example.org:8333",
        "bucket_name": "heldout",
        "region_name": "garage",
    }
    assert told["repairs"]["OPTIONS"] == told["default"]["OPTIONS"] | {"location": "repairs"}


def test_address_may_be_within_a_closed_network_and_need_no_region():
    options = upload_storages("s3+http://key:secret@store/heldout")["default"]["OPTIONS"]
    assert (options["endpoint_url"], options["region_name"]) == ("http://store", "us-east-1")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("gs://key:canary@host/bucket", "it begins with gs://"),
        ("s3://host/bucket", "it has no key and no secret"),
        ("s3://key:canary@/bucket", "it has no host"),
        ("s3://key:canary@host", "it has no bucket"),
        ("s3://key:canary@host/bucket/more", "a slash"),
    ],
)
def test_address_that_lacks_something_is_refused_without_telling_the_secret(url, said):
    with pytest.raises(ImproperlyConfigured, match=said) as refused:
        upload_storages(url)
    assert "canary" not in str(refused.value)


def test_machine_with_another_folder_than_the_one_that_took_uploads_is_told(sent, db, settings, tmp_path):
    assert uploads_are_here() == []
    settings.MEDIA_ROOT = tmp_path / "another"
    (error,) = uploads_are_here()
    assert "Of the 1 newest uploads of the database none is in the folder of uploads" in error.msg
    Submission.objects.update(stored_file="")
    assert uploads_are_here() == []
