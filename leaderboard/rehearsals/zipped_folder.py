"""The folder of a rehearsal in a zip: looked at in memory, and written below a folder where it is played."""

from io import BytesIO
from pathlib import Path

from submissions.intake.bundles.archive import Archive
from submissions.intake.bundles.report import refused

DEFINITION = "benchmark.yaml"
LARGEST_ZIP = 20 << 20


def open_folder(data: bytes, name: str, *, has_definition: bool) -> Archive:
    """The zip, whose files may stand in one folder together.

    `has_definition` where the definition comes from elsewhere.

    Raises
    ------
    BundleRefused
        If it is too large, is no zip, has members that leave its folder, or no definition.
    """
    if len(data) > LARGEST_ZIP:
        raise refused(
            name, "zip", f"it has {len(data):,} bytes; expected at most {LARGEST_ZIP:,}, packed together"
        )
    archive = Archive(BytesIO(data), name)
    if not has_definition and not archive.has(archive.root() + DEFINITION):
        raise refused(
            name, "zip", f"there is no {DEFINITION} in it; docs/rehearsal.md says what a folder holds"
        )
    return archive


def write_folder(data: bytes, name: str, definition: str, target: Path) -> None:
    """Write the files below `target`, with `definition` in place of that of the zip where it is not empty.

    Raises
    ------
    BundleRefused
        As `open_folder`, and where a member is too large, broken, or cannot be a file here.
    """
    archive = open_folder(data, name, has_definition=bool(definition))
    root = archive.root()
    for path in archive.paths:
        content = archive.read(path)
        file = target / path.removeprefix(root)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        except (OSError, ValueError):
            raise refused(name, "member", f"{path[:120]!r} cannot be written as a file") from None
    if definition:
        (target / DEFINITION).write_text(definition, "utf-8")
