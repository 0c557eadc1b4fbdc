"""Instants with their zone and without a.m. and p.m.: a cut-off must not be mistaken."""

DATETIME_FORMAT = "D j M Y, H:i T"
TIME_FORMAT = "H:i"
MONTH_DAY_FORMAT = "D j M"
