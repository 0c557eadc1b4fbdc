"""What campaigns are for, a module per purpose: answers that count go in, a kept outcome comes out. Workers make it."""

from catalogue.registry import Registry, classes_of
from labelling.outcomes.purpose import Purpose

PURPOSES = Registry[Purpose](
    "purpose of a campaign",
    *(
        found()
        for found in classes_of(__name__, besides=["figures", "settling"])
        if issubclass(found, Purpose)
    ),
    first=("gold_labels", "human_row", "correct_share", "assessment", "preferences", "pooled_grades"),
)
