"""The public address of the site, which every published page holds for good."""

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction

from benchmarks.models import Benchmark
from leaderboard.models import SiteAddress


class AddressUnknown(ImproperlyConfigured):
    """Nothing can be published, because pages would name an address that is not this site's."""


def refuse_without_address() -> None:
    """Keep the address of the first publication, and publish under no other.

    Raises
    ------
    AddressUnknown
        If nobody has told this process under which address the site is reached, or it was told another than the site's.
    """
    here = settings.SITE_URL
    if not here:
        raise AddressUnknown(
            "HELDOUT_SITE_URL is not set here, so nothing was published: pages and mails would hold a wrong "
            "address for good. Set it to the public address of the site, such as https://heldout.example.org, for "
            "every process and command; a demo notes its own when it starts."
        )
    stored, _ = SiteAddress.objects.get_or_create(pk=1, defaults={"url": here})
    if stored.url != here:
        raise AddressUnknown(
            f"HELDOUT_SITE_URL is {here} here, but this site publishes under {stored.url}, so nothing was published. "
            f"Correct the setting; if the site has moved, run `python manage.py move_site` where it is {here}."
        )


@transaction.atomic
def move_site() -> bool:
    """Publish under `settings.SITE_URL` from now on; False if that is the address already.

    Every published page is rendered anew at the next sweep; the releases themselves do not change.
    """
    SiteAddress.objects.get_or_create(pk=1, defaults={"url": settings.SITE_URL})
    moved = SiteAddress.objects.exclude(url=settings.SITE_URL).update(url=settings.SITE_URL)
    if moved:
        Benchmark.objects.all().mark_stale(archive=True)
    return bool(moved)
