"""The kinds whose answers say something of all of the labels: a probability for each, or a list of those that hold.

Cells of files go in, canonical arrays come out.
"""

from catalogue.answers.across_labels.many_labels import ManyLabels
from catalogue.answers.across_labels.probabilities import Probabilities
from catalogue.answers.across_labels.soft_labels import SoftLabels
from catalogue.answers.across_labels.subset_probabilities import SubsetProbabilities

__all__ = ["ManyLabels", "Probabilities", "SoftLabels", "SubsetProbabilities"]
