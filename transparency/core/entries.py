"""What the entries of the log are about. Each is canonical JSON: `kind`, `benchmark`, `at`, and facts."""

from enum import StrEnum


class EntryKind(StrEnum):
    """What has happened. The facts of each kind stand in docs/log.md."""

    KEY = "key"
    DEFINITION = "definition"
    RENEWAL = "renewal"
    GOLD = "gold"
    BATCH = "batch"
    RELEASE = "release"
    PAGES = "pages"
    OPENING = "opening"
    NAMES = "names"
    FILE = "file"
    REMOVAL = "removal"
    PREDICTIONS = "predictions"
    AUDIT = "audit"


# In a folder that was made of a site, below it: pages byte for byte as they entered the log, where the folder has them
# with other links.
AS_PUBLISHED = "published"
