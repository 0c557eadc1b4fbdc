"""Uploads in a bucket of an S3-compatible store, which several machines share."""

import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import sha256
from http import HTTPStatus
from typing import Any, ClassVar
from urllib.parse import urlsplit

import boto3
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files import File
from s3transfer.exceptions import RetriesExceededError
from storages.backends.s3 import S3Storage
from storages.utils import clean_name

from submissions.uploads.storage import KeptFile, StorageAway

_PATIENCE = Config(
    connect_timeout=3,  # seconds
    read_timeout=15,
    retries={"mode": "standard", "total_max_attempts": 2},
    signature_version="s3v4",
    s3={"addressing_style": "path"},
    # Digests that not every store knows. What was stored is read again instead, which shows more.
    request_checksum_calculation="when_required",
    response_checksum_validation="when_required",
)
_IN_ONE_PIECE = TransferConfig(multipart_threshold=5 * 2**30, use_threads=False)
_HELD_IN_MEMORY = 8 * 2**20  # bytes of a file that is read; the rest is in a file without a name

_FAULTS = (ClientError, BotoCoreError, RetriesExceededError, RecursionError)
"""What the library raises where a store is away, answers what it does not know, or sends it round in circles."""
NO_BUCKET = "NoSuchBucket"
_MEANT: dict[int, str] = {
    HTTPStatus.NOT_FOUND: "There is no such bucket: make it, or correct HELDOUT_UPLOADS_URL.",
    HTTPStatus.FORBIDDEN: "HELDOUT_UPLOADS_URL has a wrong key or secret, or the key may not do this.",
}
"""What is wrong where a store answers so, and what to do."""

_MAKING = threading.Lock()


@lru_cache(maxsize=2)
def _session(key: str, secret: str) -> boto3.Session:
    """One for all threads and storages: each holds a dozen megabytes of descriptions."""
    return boto3.Session(aws_access_key_id=key, aws_secret_access_key=secret)


class _Digest:
    """A file that is written for its digest alone."""

    def __init__(self) -> None:
        self._digest = sha256()

    def write(self, piece: bytes) -> int:
        self._digest.update(piece)
        return len(piece)

    def hexdigest(self) -> str:
        return self._digest.hexdigest()


class DurableBucketStorage(S3Storage):  # type: ignore[misc]  # the library has no types
    """S3Storage that returns only after it has read again what it stored, and never stores over a file.

    Each file is one request, so that it is there whole or not at all.
    """

    folder: ClassVar[None] = None

    def get_default_settings(self) -> dict[str, Any]:
        return {
            **super().get_default_settings(),
            "client_config": _PATIENCE,
            "transfer_config": _IN_ONE_PIECE,
            "max_memory_size": _HELD_IN_MEMORY,
        }

    def _create_session(self) -> boto3.Session:
        return _session(self.access_key, self.secret_key)

    @property
    def bucket(self) -> Any:
        """What everything is asked of; made by one thread, as boto3 wants it, and used by all."""
        with _MAKING:
            return super().bucket

    @property
    def place(self) -> str:
        return f"the bucket {self.bucket_name} at {urlsplit(self.endpoint_url).netloc}"

    def _save(self, name: str, content: "File[Any]") -> str:
        sent = _Digest()
        for piece in content.chunks():
            sent.write(piece)
        content.seek(0)
        key = self._normalize_name(clean_name(name))
        with self._in_words():
            try:
                self.bucket.Object(key).put(Body=content, IfNoneMatch="*")
            except ClientError as error:
                # It is there: either the answer to the first attempt was lost, or somebody else's has this name.
                if _status(error) != HTTPStatus.PRECONDITION_FAILED:
                    raise
            stored = _Digest()
            try:
                self.bucket.download_fileobj(key, stored, Config=self.transfer_config)
            except ClientError as error:
                if _is_lack_of_file(error):
                    raise StorageAway(f"{self.place} took {name}, and has no such file.") from error
                raise
        if stored.hexdigest() != sent.hexdigest():
            raise StorageAway(f"{self.place} holds other bytes as {name} than were sent to it.")
        return str(clean_name(name))

    def _open(self, name: str, mode: str = "rb") -> "File[Any]":
        """The file, read to its end: whoever it is passed on to gets all of it, or is told."""
        with self._in_words():
            opened: File[Any] = super()._open(name, mode)
            try:
                opened.open()
            except BaseException:
                opened.close()
                raise
        return opened

    def delete(self, name: str) -> None:
        with self._in_words(), suppress(FileNotFoundError):
            # The library's own takes a bucket that is not there for a file that is not.
            self.bucket.Object(self._normalize_name(clean_name(name))).delete()

    def exists(self, name: str) -> bool:
        try:
            self.size(name)
        except FileNotFoundError:
            return False
        return True

    def size(self, name: str) -> int:
        with self._in_words():
            return int(super().size(name))

    def entries(self, folder: str = "") -> Iterator[KeptFile]:
        path = self._normalize_name(folder)
        prefix = f"{path}/" if path else ""
        with self._in_words():
            for one in self.bucket.objects.filter(Prefix=prefix, Delimiter="/"):
                yield KeptFile(one.key.removeprefix(prefix), one.size, one.last_modified)

    def problem(self) -> str:
        try:
            self._look_for_bucket()
        except OSError as error:
            return str(error)
        return ""

    def _look_for_bucket(self) -> None:
        """StorageAway, where it is not there, or nobody says so."""
        try:
            self.bucket.meta.client.head_bucket(Bucket=self.bucket_name)
        except _FAULTS as error:
            raise self._away(error) from error

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        """Have what the store does told as one error, which the rest of the server knows.

        A file is said to be missing only where its bucket is there: what is asked by HEAD is answered alike in both
        cases, and whoever took one for the other would believe that every file is lost.
        """
        try:
            yield
        except FileNotFoundError:
            self._look_for_bucket()
            raise
        except _FAULTS as error:
            if _is_lack_of_file(error):
                self._look_for_bucket()
                raise FileNotFoundError(f"{self.place} has no such file.") from None
            raise self._away(error) from error

    def _away(self, error: Exception) -> StorageAway:
        """What a store does that does not do what it is asked; an answer to HEAD says no more than its status.

        Proxies in front of stores answer statuses that no standard names, such as 520.
        """
        if isinstance(
            error, RecursionError
        ):  # the library looks for the region of a bucket where it is sent elsewhere
            said = (
                "sends what it is asked elsewhere. Correct the scheme, host or region of HELDOUT_UPLOADS_URL."
            )
        elif isinstance(error, ClientError):
            status, code = _status(error), _code(error)
            named = code if code not in ("", str(status)) else http.client.responses.get(status, "unknown")
            said = f"answers {status} {named}. {_MEANT.get(status, '')}".strip()
        else:
            said = f"does not answer: {type(error).__name__}."
        return StorageAway(f"{self.place} {said}")


def _is_lack_of_file(error: Exception) -> bool:
    return (
        isinstance(error, ClientError)
        and _status(error) == HTTPStatus.NOT_FOUND
        and _code(error) != NO_BUCKET
    )


def _code(error: ClientError) -> str:
    return str(error.response["Error"]["Code"])


def _status(error: ClientError) -> int:
    return int(error.response["ResponseMetadata"]["HTTPStatusCode"])
