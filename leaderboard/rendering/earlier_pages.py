"""Permanent pages of earlier releases: stored as what differs from the same page of another release."""

import re
from collections.abc import Iterator

from django.db import transaction

from leaderboard.models import Page, PageBody
from leaderboard.rendering.body_bytes import difference

_PERMANENT = re.compile(r"(/benchmarks/[^/]+/releases/)([0-9]+)(.*)", re.DOTALL)
RELEASES_ALIKE = 16
"""So many releases in a row have the pages of the first of them as their base."""


def pack_earlier_pages() -> int:
    """Store bodies of releases before the newest as differences, where only permanent pages say them; returns how many.

    Where little changes from release to release, that is a twentieth of the bytes. A base is stored as it is, so that
    no page takes more than two bodies to read.
    """
    packed = 0
    for body, base in _due():
        with transaction.atomic():
            held = PageBody.objects.select_for_update(of=("self",)).filter(base=None)
            whole, change = held.filter(pk=base).first(), held.filter(pk=body, changes=None).first()
            if whole is None or change is None:
                continue
            change.packed, change.base = difference(change.plain, whole.plain), whole
            change.save(update_fields=["packed", "base"])
            packed += 1
    return packed


def _due() -> Iterator[tuple[str, str]]:
    """The digests of bodies that are stored whole and need not be, and of the base of each.

    Pages that are differences already are not read: there are more of them with each release.
    """
    current = set(Page.objects.exclude(path__contains="/releases/").values_list("stored", flat=True))
    whole = Page.objects.filter(path__contains="/releases/", stored__base=None).order_by("path")
    bodies: dict[tuple[str, str], dict[int, str]] = {}
    newest: dict[str, int] = {}
    for path, body in whole.values_list("path", "stored"):
        if found := _PERMANENT.fullmatch(path):
            start, number, rest = found[1], int(found[2]), found[3]
            bodies.setdefault((start, rest), {})[number] = body
            newest[start] = max(number, newest.get(start, 0))
    firsts = {
        body for of_place in bodies.values() for number, body in of_place.items() if _first(number) == number
    }
    hot = {of_place[newest[start]] for (start, _), of_place in bodies.items() if newest[start] in of_place}
    stay = current | firsts | hot
    for of_place in bodies.values():
        for number, body in of_place.items():
            base = of_place.get(_first(number))
            if base is not None and body not in stay:
                yield body, base


def _first(number: int) -> int:
    """The number of the release whose pages are the base of that one's."""
    return (number - 1) // RELEASES_ALIKE * RELEASES_ALIKE + 1
