"""The public address of the site, which every published page holds for good."""

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


class AddressUnknown(ImproperlyConfigured):
    """Nothing can be published, because pages would name an address that is not this site's."""


def refuse_without_address() -> None:
    """AddressUnknown where nobody has said under which address the site is reached."""
    if not settings.SITE_URL:
        raise AddressUnknown(
            "HELDOUT_SITE_URL is not set here, so nothing was published: pages and mails would hold a wrong "
            "address for good. Set it to the public address of the site, such as https://heldout.example.org, for "
            "every process and command; a demo notes its own when it starts."
        )
