"""Give the database role of the service its rights; run by the role that owns the tables, after `migrate`."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, transaction

from accounts.server.database_rights import grant


class Command(BaseCommand):
    """Grants by table, the same each time."""

    help = "Let a PostgreSQL role use the tables and add to history, and nothing more."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("role", help="the role with which web servers and workers connect")

    def handle(self, *, role: str, **options: Any) -> None:
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
            history = list(grant(role))
        self.stdout.write(f"{role} may use all tables, and add to the {len(history)} that are history.")
