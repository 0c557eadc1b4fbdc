"""Where uploads are kept: in a folder, or in a bucket that several machines share."""

from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

_SCHEMES = {"s3": "https", "s3+http": "http"}
_FORM = (
    "HELDOUT_UPLOADS_URL has to be s3://KEY:SECRET@HOST/BUCKET?region=REGION, or the same with s3+http:// within a "
    "closed network"
)


def upload_storages(url: str) -> dict[str, dict[str, Any]]:
    """The storages of uploads, as Django describes them: of a bucket with a room for repairs, or a folder if empty."""
    if not url:
        return {"default": {"BACKEND": "submissions.uploads.storage.DurableFileSystemStorage"}}
    options = _options(urlsplit(url))
    backend = "submissions.uploads.bucket.DurableBucketStorage"
    return {
        "default": {"BACKEND": backend, "OPTIONS": options},
        "repairs": {"BACKEND": backend, "OPTIONS": {**options, "location": "repairs"}},
    }


def _options(url: SplitResult) -> dict[str, Any]:
    """What the address says; it holds a secret, so no message quotes it."""
    if url.scheme not in _SCHEMES:
        raise ImproperlyConfigured(f"{_FORM}; it begins with {url.scheme or 'nothing'}://.")
    bucket = url.path.strip("/")
    lacking = [
        what
        for what, value in (
            ("key", url.username),
            ("secret", url.password),
            ("host", url.hostname),
            ("bucket", bucket),
        )
        if not value
    ]
    if lacking or "/" in bucket:
        found = f"it has no {' and no '.join(lacking)}" if lacking else "its bucket has a slash within"
        raise ImproperlyConfigured(f"{_FORM}; {found}.")
    return {
        "access_key": unquote(url.username or ""),
        "secret_key": unquote(url.password or ""),
        "endpoint_url": f"{_SCHEMES[url.scheme]}://{url.netloc.rpartition('@')[2]}",
        "bucket_name": bucket,
        "region_name": parse_qs(url.query).get("region", ["us-east-1"])[0],
    }
