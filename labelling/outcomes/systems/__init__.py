"""People judge what systems gave: answers about outputs go in; numbers of systems, or grades of documents, come out."""

from labelling.outcomes.systems.direct_assessment import AssessmentPurpose
from labelling.outcomes.systems.output_preferences import PreferencesPurpose
from labelling.outcomes.systems.pooled_grades import PooledGradesPurpose

__all__ = ["AssessmentPurpose", "PooledGradesPurpose", "PreferencesPurpose"]
