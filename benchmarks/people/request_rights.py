"""What whoever asks may do, in which benchmarks."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect

from benchmarks.models import Benchmark
from benchmarks.people.models import BenchmarkRole, Role
from benchmarks.people.rights import RIGHTS, Right, may_begin_drafts

_HELD: WeakKeyDictionary[HttpRequest, dict[str, Role]] = WeakKeyDictionary()


def slugs_with(request: HttpRequest, right: Right) -> frozenset[str]:
    """Slugs of the benchmarks in which whoever asks has a right; roles are looked up once per request."""
    if is_superuser(request):
        return frozenset(Benchmark.objects.values_list("slug", flat=True))
    return frozenset(slug for slug, role in _held(request).items() if right in RIGHTS[role])


def organised(request: HttpRequest) -> frozenset[str]:
    """Slugs of the benchmarks that whoever asks may run."""
    return slugs_with(request, Right.RUN)


def may_organise(request: HttpRequest) -> bool:
    """Whether whoever asks has anything to read in the admin."""
    return is_superuser(request) or bool(slugs_with(request, Right.READ))


def may_run(request: HttpRequest) -> bool:
    """Whether there is a benchmark that whoever asks may change."""
    return is_superuser(request) or bool(organised(request))


def may_label(request: HttpRequest) -> bool:
    """Whether there is a benchmark whose contested labels whoever asks may see."""
    return is_superuser(request) or bool(slugs_with(request, Right.LABEL))


def may_enter(request: HttpRequest) -> bool:
    """Whether whoever asks may enter the admin: because of a role, or as staff of the server."""
    return request.user.is_active and (request.user.is_staff or bool(_held(request)))


def may_begin(request: HttpRequest) -> bool:
    """Whether whoever asks may begin a benchmark of their own: they have confirmed an address, or are staff."""
    user = request.user
    return user.is_active and (user.is_staff or may_begin_drafts(user))


def for_beginners(view: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """A page of the admin that is open to whoever may begin a benchmark, also before they have a role."""

    @never_cache
    @csrf_protect
    @login_required
    def opened(request: HttpRequest) -> HttpResponse:
        if not may_begin(request):
            raise PermissionDenied
        return view(request)

    return opened


def is_superuser(request: HttpRequest) -> bool:
    """Whether whoever asks may do everything on this site."""
    user = request.user
    return user.is_active and user.is_staff and user.is_superuser


def _held(request: HttpRequest) -> dict[str, Role]:
    """The role of whoever asks, by the slug of the benchmark."""
    user = request.user
    if not (user.is_authenticated and user.is_active):
        return {}
    if request not in _HELD:
        roles = BenchmarkRole.objects.filter(user=user).values_list("benchmark", "role")
        _HELD[request] = {slug: Role(role) for slug, role in roles}
    return _HELD[request]
