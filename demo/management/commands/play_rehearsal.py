"""Play a rehearsal that was asked for in the admin; workers run this."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from demo.rehearsal.ordered import play_ordered
from leaderboard.models import Rehearsal


class Command(BaseCommand):
    help = "Play a rehearsal that was asked for in the admin and has begun. Workers run this by themselves."
    requires_system_checks: list[str] = []  # Django's own type

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("person", type=int, help="the key of whoever asked for it")

    def handle(self, *args: Any, person: int, **options: Any) -> None:
        order = Rehearsal.objects.filter(pk=person, began_at__isnull=False, ended_at=None).first()
        if order is None:
            raise CommandError("No rehearsal of this person has begun. Nothing was changed.")
        play_ordered(order)
