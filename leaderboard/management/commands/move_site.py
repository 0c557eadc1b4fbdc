"""Publish under another address from now on, as after a move to another host name."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from leaderboard.publication.site_address import move_site


class Command(BaseCommand):
    help = "Publish under HELDOUT_SITE_URL from now on, and have every published page rendered anew."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.SITE_URL:
            raise CommandError("HELDOUT_SITE_URL is not set here. Set it to the new address and try again.")
        if move_site():
            self.stdout.write(
                f"The site publishes under {settings.SITE_URL}; the next sweep renders every page anew."
            )
        else:
            self.stdout.write(f"The site publishes under {settings.SITE_URL} already. Nothing was changed.")
