"""A fact sheet as a file, held against the lists that the server's organisers have set."""

from benchmarks.spec import FactListSpec
from client.files.packing import Upload
from client.server import Server
from submissions.intake import FactAnswers, FileRead, read_fact_sheet


def check_sheet(sheet: Upload, benchmark: str, server: Server) -> FileRead[FactAnswers]:
    """What the server would find wrong with it."""
    return read_fact_sheet(
        sheet.data,
        file_name=sheet.file_name,
        lists=[
            FactListSpec(asked["id"], asked["title"], tuple(asked["options"]))
            for asked in server.get(f"benchmarks/{benchmark}/")["fact_sheet"]
        ],
    )
