"""Let somebody sign in with the password alone who has lost their second factor, or to whom another has added one."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from accounts.events.log import note
from accounts.formats.mailboxes import mailbox
from accounts.models import EventKind, User
from accounts.tokens.services import sign_out_everywhere


class Command(BaseCommand):
    help = (
        "Remove somebody's second factor. Make sure first that it is they who ask: by a call, never by mail alone. "
        "Every session and API token of theirs ends, for somebody else may have what is lost. "
        "Where a second factor is compulsory for them, they are led to add another one when they sign in."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="the e-mail address that the person signs in with")

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        person = User.objects.filter(email__iexact=mailbox(options["address"])).first()
        if person is None:
            raise CommandError(f"Nobody signs in with {options['address']}.")
        removed, _ = Authenticator.objects.filter(user_id=person.pk).delete()
        if not removed:
            raise CommandError(f"{person.email} has no second factor.")
        note(person, EventKind.FACTOR, "removed by an operator")
        sign_out_everywhere(person)
        self.stdout.write(f"{person.email} has no second factor any more, and is signed out everywhere.")
