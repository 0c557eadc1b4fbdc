"""How far workers agree: over all, per class, per worker and per item, each with an interval where there is one."""

from labelling.core.agreement.decisions import work_about
from labelling.core.agreement.disagreement import ItemDisagreement, disagreement_by_item
from labelling.core.agreement.measures import AnswerScale, krippendorff_alpha
from labelling.core.agreement.report import Agreement, AgreementReport, report_agreement
from labelling.core.agreement.two_workers import cohen_of_two
from labelling.core.agreement.workers import agreement_with_others

__all__ = [
    "Agreement",
    "AgreementReport",
    "AnswerScale",
    "ItemDisagreement",
    "agreement_with_others",
    "cohen_of_two",
    "disagreement_by_item",
    "krippendorff_alpha",
    "report_agreement",
    "work_about",
]
