"""`manage.py erase_person ADDRESS`: erase a person at once, also while their answers count in a running phase."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.formats.mailboxes import mailbox
from accounts.models import User
from accounts.server.clock import database_now
from leaderboard.personal_data.erasure import CannotErase, erase


class Command(BaseCommand):
    """What a person does on their page of data, done for them."""

    help = __doc__ or ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", help="the e-mail address that the person signs in with")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(email=mailbox(options["address"])).first()
        if user is None:
            raise CommandError(f"Nobody signs in with {options['address']}.")
        try:
            erase(user=user, now=database_now(), by_operator=True)
        except CannotErase as error:
            raise CommandError(str(error)) from None
        self.stdout.write("Erased.")
