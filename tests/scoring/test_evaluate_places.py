"""Places on earth from file to number, and what is said of those that are none."""

import json

import pytest
from sklearn.metrics.pairwise import haversine_distances

from benchmarks.spec import BenchmarkSpec
from scoring.file_refusal import FileRefused
from tests.scoring.test_shared_task_shapes import benchmark, scores

CITIES = {
    "Bern": (46.948, 7.447),
    "Zürich": (47.372, 8.542),
    "Suva": (-18.124, 178.45),
    "Apia": (-13.85, -171.75),
}
GOLD = ["Bern", "Zürich", "Suva", "Bern"]
FOUND = ["Zürich", "Zürich", "Apia", "Apia"]
METRICS = ["mean_distance_km", "median_distance_km", "within_161_km", "within_2000_km"]


def places(**of_file: object) -> BenchmarkSpec:
    file = {"path": "p.csv", "id_column": "id", "columns": ["id", "lat", "lon"]} | of_file
    return benchmark(METRICS, output={"kind": "place", "columns": ["lat", "lon"]}, file=file)


def table(cities: list[str]) -> str:
    rows = (f"{at},{CITIES[city][0]},{CITIES[city][1]}\n" for at, city in enumerate(cities))
    return "id,lat,lon\n" + "".join(rows)


def kilometres(one: str, other: str) -> float:
    radians = [[angle * 3.141592653589793 / 180 for angle in CITIES[city]] for city in (one, other)]
    return 6371.0088 * float(haversine_distances(radians)[0, 1])


def test_distances_go_round_the_earth_the_short_way():
    far = sorted(kilometres(gold, found) for gold, found in zip(GOLD, FOUND, strict=True))

    found = scores(places(), table(GOLD), table(FOUND))

    assert kilometres("Suva", "Apia") < 1500  # across the line where the day changes
    assert found == pytest.approx([sum(far) / 4, (far[1] + far[2]) / 2, 0.5, 0.75], abs=1e-9)


def test_places_may_be_objects_of_json_lines():
    spec = benchmark(
        METRICS,
        output={"kind": "place"},
        file={"path": "p.jsonl", "dialect": "json_lines", "id_column": "id", "label_column": "place"},
    )
    names = ("latitude", "longitude")
    gold, answers = (
        "".join(
            json.dumps({"id": str(at), "place": dict(zip(names, CITIES[city], strict=True))}) + "\n"
            for at, city in enumerate(cities)
        )
        for cities in (GOLD, FOUND)
    )

    assert scores(spec, gold, answers) == scores(places(), table(GOLD), table(FOUND))


@pytest.mark.parametrize(
    ("written", "column", "code", "said"),
    [
        ("178.45,-18.124", "lat", "number_out_of_range", "the latitude comes first"),
        ("95,170", "lat", "number_out_of_range", "-90 to 90"),
        ("-18.124,181", "lon", "number_out_of_range", "-180 to 180"),
        ("nan,178.45", "lat", "number_not_finite", "finite"),
        ("-18.124,", "lon", "empty_label", "empty"),
        ("18°7'S,178.45", "lat", "not_a_number", "number"),
    ],
)
def test_what_is_no_place_is_told_where_it_stands(written, column, code, said):
    answers = table(GOLD).replace("-18.124,178.45", written)

    with pytest.raises(FileRefused) as refused:
        scores(places(), table(GOLD), answers)

    (problem,) = refused.value.problems
    assert (problem.line, problem.column, problem.code) == (4, column, code)
    assert said in problem.message
