"""A fact sheet as a file, held against the lists that the server's organisers have set."""

from pathlib import Path

from benchmarks.spec import FactListSpec
from client.errors import ClientError
from client.files.packing import Upload, read_upload_at
from client.server import Server
from submissions.intake import FactAnswers, FileRead, read_fact_sheet


def read_sheet_at(path: Path) -> Upload:
    """The file as it is; ClientError if there is none, or none that could be read."""
    if path.is_dir():
        raise ClientError(f"{path} is a folder. A fact sheet is one JSON file.")
    return read_upload_at(path)


def check_sheet(sheet: Upload, benchmark: str, server: Server) -> FileRead[FactAnswers]:
    """What the server would find wrong with it."""
    asked = server.get(f"benchmarks/{benchmark}/")["fact_sheet"]
    lists = [FactListSpec(one["id"], one["title"], tuple(one["options"])) for one in asked]
    return read_fact_sheet(sheet.data, file_name=sheet.file_name, lists=lists)
