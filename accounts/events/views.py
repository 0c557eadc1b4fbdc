"""How somebody signs in, and what happened to their account."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts.access import reader, signed_in
from accounts.events.log import events_of
from accounts.models import AccountEvent
from accounts.page_content import PageContent
from accounts.sign_in.addresses import confirmed_addresses
from accounts.sign_in.second_factor import has_second_factor

_MOST = 100


@dataclass(frozen=True)
class SecurityPage(PageContent):
    """All that signs the reader in, with the confirmed addresses, and the newest events of their account."""

    template = "accounts/security.html"
    section = "account"
    has_second_factor: bool
    addresses: Iterable[str]
    events: Iterable[AccountEvent]


@signed_in
@require_safe
def security(request: HttpRequest) -> HttpResponse:
    user = reader(request)
    addresses = confirmed_addresses(user).order_by("-primary", "email").values_list("email", flat=True)
    return SecurityPage(has_second_factor(user), addresses, events_of(user, _MOST)).answer(request)
