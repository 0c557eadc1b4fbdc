"""What everybody may read, without a server: pages as they are stored, and those of systems as they are drawn."""

from leaderboard.models import Page
from leaderboard.pages.system_pages import system_pages, systems_with_pages


def systems_published() -> dict[str, bytes]:
    """The pages of all systems and the files beside them, by path."""
    return {page.path: page.body for system in systems_with_pages() for page in system_pages(system)}


def published() -> dict[str, bytes]:
    """Everything that is published, by path."""
    return {page.path: bytes(page.body) for page in Page.objects.all()} | systems_published()
