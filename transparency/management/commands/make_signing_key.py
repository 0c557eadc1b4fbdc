"""Make a key that signs the log, or receipts of uploads."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from transparency.core.signed_notes import BadNote, Signer
from transparency.keys import KeyRole, read_signing_key, write_signing_key


class Command(BaseCommand):
    help = "Write a new signing key to a file that only its owner may read, and print the public key."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("role", choices=[role.value for role in KeyRole], help="what the key is to sign")
        parser.add_argument("file", type=Path, help="where the secret key goes; it must not exist yet")
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--name", help="such as heldout.example.org/log; it never changes")
        what.add_argument(
            "--public", action="store_true", help="only print the public key of the secret one in FILE"
        )

    def handle(self, *args: Any, role: str, file: Path, name: str, public: bool, **options: Any) -> None:
        of = KeyRole(role)
        if public:
            try:
                self.stdout.write(f"HELDOUT_{of.public_setting}={read_signing_key(str(file)).verifier}")
            except ImproperlyConfigured as error:
                raise CommandError(str(error)) from None
            return
        try:
            signer = Signer.generate(name)
            write_signing_key(file, signer)
        except BadNote as error:
            raise CommandError(str(error)) from None
        except FileExistsError:
            raise CommandError(f"{file} exists already, and is left as it is; name a new file.") from None
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from None
        self.stdout.write(f"HELDOUT_{of.public_setting}={signer.verifier}")
        given = "workers" if of is KeyRole.LOG else "web servers"
        self.stderr.write(
            f"The secret key is in {file}. Keep a copy offline, and give it to {given} only "
            f"(HELDOUT_{of.file_setting})."
        )
