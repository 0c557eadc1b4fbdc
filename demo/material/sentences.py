"""Made-up sentences, and the same in other words. Pure."""

from operator import getitem

import numpy as np

_SOURCES = (
    ("The council", "The town board"),
    ("A report", "One study"),
    ("My neighbour", "The man next door"),
)
_CLAIMS = (
    ("claims that", "says that"),
    ("doubts that", "is not sure that"),
    ("has shown that", "has found that"),
)
_THINGS = (
    ("more buses", "extra bus lines"),
    ("longer school days", "days with more lessons"),
    ("higher fuel prices", "costlier petrol"),
    ("smaller classes", "groups with fewer pupils"),
    ("night flights", "planes after dark"),
)
_EFFECTS = (
    ("help poor families", "are good for households with little money"),
    ("harm the city centre", "do damage to the middle of town"),
    ("make little difference", "change next to nothing"),
    ("cost too much", "are too expensive"),
)
_PARTS = (_SOURCES, _CLAIMS, _THINGS, _EFFECTS)


def sentences(count: int, generator: np.random.Generator) -> list[tuple[str, str]]:
    chosen = [generator.integers(len(part), size=count) for part in _PARTS]
    rows = [map(getitem, _PARTS, places) for places in zip(*chosen, strict=True)]
    return [
        (f"{' '.join(said)}.", f"{' '.join(also)}.")
        for said, also in (zip(*row, strict=True) for row in rows)
    ]
