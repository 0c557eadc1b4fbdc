"""Build It Break It as seven builders, four breakers and the organiser use it, with the files of tests/cases.

The builders' labels for the development data of 2017 are not known: here are eight made-up items, of which builder 1
gets seven right, builder 2 six, and so on.
"""

import io
from pathlib import Path
from typing import Any

from django.core.management import call_command

from accounts.models import User
from accounts.server.clock import database_now
from breaking.contests.decisions import decide
from breaking.models import Contest
from submissions.models import System
from tests.official import accepted, accepted_in_browser, close, new_system, official_numbers
from tests.uploads import zip_of

BUILD, BREAK, SCORE = "bibi/build", "bibi/break", "bibi/score"
BUILDERS = range(1, 8)
BREAKERS = range(1, 5)
BOARDS = "/benchmarks/bibi/boards"
SHARE = "sentiment:pairs_broken_share"
DEV_ITEMS = 8
DEV = "sentence_id\tsentence\tsentiment_label\n" + "".join(
    f"d{at}\t-\t{1 - at % 2 * 2}\n" for at in range(DEV_ITEMS)
)
# Items that a file of 2017 gives twice, by breaker.
REPEATED = {3: {"645_a", "645_b"}, 4: {"52_a", "52_b", "587_a", "587_b", "766_a", "766_b"}}


def name_of(builder: int) -> str:
    return f"Builder {builder}"


def split_of(breaker: int) -> str:
    """What the set of a breaker is called in columns."""
    return f"breaker-team-{breaker}"


def accuracy_of(builder: int) -> float:
    """That of the development data."""
    return (DEV_ITEMS - builder) / DEV_ITEMS


def command(name: str, *arguments: str, **options: Any) -> str:
    """What the organiser reads on the command line."""
    said = io.StringIO()
    call_command(name, *arguments, **options, stdout=said, stderr=said)
    return said.getvalue()


def set_file(cases: Path, breaker: int) -> Path:
    return cases / "bibi2017_sentiment" / "gold" / f"Team{breaker}_breaker_test.tsv"


def import_set(path: Path, breaker: int, *more: str) -> str:
    """As the organiser does on the command line."""
    names = ("--breaker", f"Breaker team {breaker}", "--predictions", f"Team{breaker}_breaker_*")
    return command("import_pairs", "bibi", "sentiment", str(path), *names, *more)


def last_of_each_id(rows: list[str]) -> list[str]:
    """What the official script makes of ids that stand there twice."""
    return list({row.split("\t")[0]: row for row in rows}.values())


def builder_file(cases: Path, builder: int, breaker: int) -> Path:
    folder = cases / "bibi2017_sentiment" / "predictions" / f"Builder_Team_{builder}"
    (path,) = folder.glob(f"Team{breaker}_*")
    return path


def repaired_predictions(path: Path) -> str:
    """A builder's file in the form the task asks for: some left out the header or the tabs, all repeat what repeats."""
    rows = ["\t".join(line.split()) for line in path.read_text("utf-8").splitlines()]
    rows = [row for row in rows if "sentence_id" not in row]
    return "\n".join(["sentence_id\tsentence\tlabel", *last_of_each_id(rows)]) + "\n"


def upload_of(cases: Path, builder: int) -> bytes:
    files = (builder_file(cases, builder, breaker) for breaker in BREAKERS)
    return zip_of({path.name: repaired_predictions(path) for path in files})


def dev_file_of(builder: int) -> bytes:
    """The development data with as many wrong labels as the builder's number."""
    header, *rows = DEV.splitlines()
    wrong = [row.rpartition("\t")[0] + "\t0" for row in rows[:builder]]
    return "\n".join([header.replace("sentiment_label", "label"), *wrong, *rows[builder:], ""]).encode()


def numbers(cases: Path) -> dict[str, Any]:
    return official_numbers(cases / "bibi2017_sentiment")


def open_building(folder: Path) -> None:
    """The benchmark in its first phase."""
    command("sync_benchmarks")
    path = folder / "sentiment_dev.tsv"
    path.write_text(DEV, "utf-8")
    command("load_gold", "bibi", "sentiment", str(path), "--split", "dev")


def new_builders() -> dict[int, System]:
    """All seven builders, with their labels for the development data; the first hands in in the browser."""
    systems = {builder: new_system(name_of(builder)) for builder in BUILDERS}
    for builder, system in systems.items():
        take = accepted_in_browser if builder == 1 else accepted
        take(system, BUILD, dev_file_of(builder), "sentiment_dev.tsv")
    return systems


def import_sets(cases: Path) -> None:
    """The four sets, in the break phase; what they repeat is contested."""
    close(BUILD)
    for breaker in BREAKERS:
        import_set(set_file(cases, breaker), breaker, "--contest-repeats")


def decide_as_the_script(user: User) -> None:
    """The score phase: the organiser has decided as the official script does, the last line wins."""
    for contest in Contest.objects.open():
        decide(contest=contest, choice="last", note="As the script of 2017.", user=user, now=database_now())
    close(BREAK)
