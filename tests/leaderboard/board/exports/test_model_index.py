from typing import Any

import pytest
import yaml

from leaderboard.board.exports.export import SystemPlace
from leaderboard.board.exports.model_index import ModelCard, to_model_index
from leaderboard.board.model.ranking import rank
from tests.leaderboard.board.boards import ACCURACY, TASK, board, row

URL = "https://heldout.example/benchmarks/raft/releases/3/"


def models(*places: SystemPlace, system: str = "Larch") -> Any:
    return yaml.safe_load(to_model_index(ModelCard(system, places)))["model-index"]


def test_model_index_has_a_result_for_every_score() -> None:
    (larch,) = rank([row("Larch", 0.7712345678901234, None)], ACCURACY)
    (model,) = models(SystemPlace(board(larch, columns=(ACCURACY, TASK)), larch, URL))
    (result,) = model["results"]
    assert model["name"] == "Larch"
    assert result["dataset"] == {"type": "raft", "name": "RAFT"}
    assert result["metrics"] == [{"type": "accuracy", "name": "Accuracy", "value": 0.7712345678901234}]
    assert result["source"]["url"] == URL


def test_model_index_is_one_model_with_the_results_of_all_benchmarks() -> None:
    larch = row("Larch", 0.7)
    other = board(larch, benchmark="toy", benchmark_title="Toy")
    (model,) = models(SystemPlace(board(larch), larch, URL), SystemPlace(other, larch, URL))
    assert [result["dataset"]["name"] for result in model["results"]] == ["RAFT", "Toy"]


@pytest.mark.parametrize(
    "name", ["Larch: 'v2' # x", '"\\', "a\nb\x7f\x85", "Lärche 🌲\u2028", ""], ids=range(5)
)
def test_any_name_is_read_back_from_the_model_index(name: str) -> None:
    larch = row(name, 0.7)
    (model,) = models(SystemPlace(board(larch), larch, URL), system=name)
    assert model["name"] == name


def test_a_tiny_score_is_a_number_in_the_model_index() -> None:
    larch = row("Larch", 1e-05)
    (model,) = models(SystemPlace(board(larch), larch, URL))
    assert model["results"][0]["metrics"][0]["value"] == 0.00001


def test_model_index_of_a_row_without_scores_is_still_yaml() -> None:
    one = row("Larch", None)
    assert models(SystemPlace(board(one), one, URL)) == [{"name": "Larch", "results": []}]
