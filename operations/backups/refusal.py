"""Why something is not backed up or restored."""


class BackupRefused(Exception):
    """The sentence says what was found, what was expected, and what to do. Nothing was changed."""


class RestoreBrokeOff(BackupRefused):
    """Something was written already: database and uploads have to be emptied before another try."""
