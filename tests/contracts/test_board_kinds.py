"""What holds for every kind of board that a release can have."""

from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from django.conf import settings

from benchmarks.models import Phase
from benchmarks.spec import BenchmarkSpec
from benchmarks.spec.document import parse_yaml
from benchmarks.spec.loader import build_spec
from leaderboard.assembly.boards import BoardKind, BoardsToMake
from leaderboard.assembly.frame import Frame, make_frame
from leaderboard.assembly.release_boards import BOARD_KINDS
from leaderboard.board.exports import EXPORTS
from leaderboard.models import Page
from submissions.models import System
from tests import pairs, robustness
from tests.conftest import NOW, synced
from tests.leaderboard.board.boards import ACCURACY
from tests.weeks import CUT_OFF, board, run_batch, upload

DEFINITIONS = sorted((Path(settings.BASE_DIR) / "benchmarks" / "definitions").glob("*.yaml"))
WORLDS = (
    robustness.DEFINITION,  # attacks and tracks
    pairs.DEFINITION,
    next(path for path in DEFINITIONS if path.stem == "dynasent").read_text("utf-8"),  # declared boards
)

each = pytest.mark.parametrize("kind", BOARD_KINDS, ids=BOARD_KINDS.keys())


def frames() -> list[Frame]:
    """Releases without systems, of benchmarks that have every kind of board together."""
    phases = [synced(text).phases.get() for text in WORLDS]
    return [
        make_frame(
            phase=phase, rows=[], release=1, published_at=NOW, drawn=None, judged=None, correct_shares=None
        )
        for phase in phases
    ]


@pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda path: path.stem)
def test_no_two_kinds_make_boards_of_one_id(definition: Path) -> None:
    spec = build_spec(parse_yaml(definition.read_text("utf-8"), definition.name), definition.name)
    counts = Counter(board_id for kind in BOARD_KINDS for board_id in kind.ids(spec))
    assert not [board_id for board_id, count in counts.items() if count > 1]


@each
@pytest.mark.django_db
def test_the_boards_of_a_release_have_ids_that_their_kind_states(kind: BoardKind) -> None:
    made = [(frame, kind.boards(frame)) for frame in frames()]
    for frame, boards in made:
        assert list(boards) == [one for one in kind.ids(frame.spec) if one in boards]
    assert any(boards for _, boards in made)


@each
@pytest.mark.django_db
def test_every_board_is_exported_and_drawn_before_any_system_stands_on_it(kind: BoardKind) -> None:
    for frame in frames():
        for board_id, make in kind.boards(frame).items():
            made = make()
            assert all(export.write(made) for export in EXPORTS)
            for charts in (
                kind.charts(board_id, made, frame.spec),
                kind.pictures(board_id, made, frame.spec),
            ):
                assert all(chart.svg for chart in charts)


@each
@pytest.mark.django_db
def test_no_kind_draws_charts_for_the_boards_of_another(kind: BoardKind) -> None:
    for frame in frames():
        for other in BOARD_KINDS:
            for board_id, make in other.boards(frame).items() if other is not kind else ():
                made = make()
                assert kind.charts(board_id, made, frame.spec) == ()
                assert kind.pictures(board_id, made, frame.spec) == ()


class NewestFirst(BoardKind):
    """A made-up kind: systems without a score, on a board of their own."""

    key = "made-up"

    def ids(self, spec: BenchmarkSpec) -> list[str]:
        """One board, whatever the definition."""
        return ["made-up"]

    def boards(self, frame: Frame) -> BoardsToMake:
        """A row for each system."""
        rows = [entrant.row({}) for entrant in frame.entrants]
        return {"made-up": partial(frame.board, "Made up", [ACCURACY], rows, axis="Further")}


@pytest.mark.django_db
def test_a_new_kind_has_its_page_its_files_and_its_link(system: System, phase: Phase) -> None:
    upload(system, phase)
    with BOARD_KINDS.extended(NewestFirst()):
        run_batch(CUT_OFF)

    for base in ("/benchmarks/toy", "/benchmarks/toy/releases/1"):
        assert f'href="{base}/boards/made-up/"' in bytes(Page.objects.get(pk=f"{base}/").body).decode()
        assert [row["system"] for row in board(f"{base}/boards/made-up.json")["rows"]] == ["Larch"]
        assert Page.objects.filter(pk=f"{base}/boards/made-up/").exists()
