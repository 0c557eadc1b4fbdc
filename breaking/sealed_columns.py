"""Every column of the database that holds something sealed to the scorer's key."""

from breaking.models import Contest, PairFile
from labelling import sealed_columns as of_labelling
from scoring.gold.resealing import SealedColumn

SEALED = (
    *of_labelling.SEALED,
    SealedColumn(PairFile.objects.all(), "file of pairs", "sealed"),
    SealedColumn(Contest.objects.all(), "lines of contest", "sealed_lines", "sealed_lines_commitment"),
    SealedColumn(Contest.objects.all(), "label of contest", "sealed_label", "sealed_label_commitment"),
)
