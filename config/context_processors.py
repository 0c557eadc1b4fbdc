"""What every page knows about the site."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """The version (to tell stylesheets apart) and whether this is the demo."""
    return {"version": settings.STATIC_DIGEST, "synthetic": settings.SYNTHETIC_DEMO}
