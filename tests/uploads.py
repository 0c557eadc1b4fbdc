"""Make uploads for tests."""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path


def zip_of(files: Mapping[str, bytes | str]) -> bytes:
    """A zip with these entries; the same entries always give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def zip_folder(folder: Path) -> bytes:
    """A zip of everything in a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return zip_of({str(path.relative_to(folder)): path.read_bytes() for path in files})


def toy_zip(mood: str = "good good bad bad good bad", colour: str = "red,green,dark blue,red") -> bytes:
    """A complete upload for the toy benchmark; by default every label is right."""
    moods = "".join(f"m{number},{label}\n" for number, label in enumerate(mood.split(), 1))
    colours = "".join(f"c{number},{label}\n" for number, label in enumerate(colour.split(","), 1))
    return zip_of(
        {
            "data/mood/predictions.csv": f"ID,Label\n{moods}",
            "data/colour/predictions.csv": f"ID,Label\n{colours}",
        }
    )
