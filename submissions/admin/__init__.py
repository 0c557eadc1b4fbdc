"""The admin of what teams send and of who takes part."""

from submissions.admin import bans, registrations, systems, teams, uploads
from submissions.claims.admin import RowClaimAdmin
from submissions.fact_sheets.admin import FactListAdmin, FactSheetAdmin

__all__ = [
    "FactListAdmin",
    "FactSheetAdmin",
    "RowClaimAdmin",
    "bans",
    "registrations",
    "systems",
    "teams",
    "uploads",
]
