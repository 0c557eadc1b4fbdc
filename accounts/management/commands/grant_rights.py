"""Give a database role of the service its rights; run by the role that owns the tables, after `migrate`."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, transaction

from accounts.server.database_rights import Writer, grant


class Command(BaseCommand):
    """Grants by table, the same each time."""

    help = "Let a PostgreSQL role use the tables as one kind of process does, and nothing more."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("role", help="the role with which they connect")
        parser.add_argument(
            "--of", required=True, choices=list(Writer), help="who connects: web servers or workers"
        )

    def handle(self, *, role: str, of: str, **options: Any) -> None:
        if connection.vendor != "postgresql":
            raise CommandError("SQLite has no roles. This is for a server on PostgreSQL.")
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT rolsuper OR rolname = current_user FROM pg_roles WHERE rolname = %s", [role]
            )
            row = cursor.fetchone()
        if row is None:
            raise CommandError(f"There is no role {role}. Make it: CREATE ROLE {role} LOGIN PASSWORD '…'")
        if row[0]:
            raise CommandError(f"{role} owns the tables or is a superuser. Choose a role that may do less.")
        with transaction.atomic():
            read = list(grant(role, Writer(of)))
        self.stdout.write(f"{role} may use the tables as {of} does; it may only read {', '.join(read)}.")
