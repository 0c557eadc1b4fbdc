"""From a bundle to a definition, gold labels and a report; one module for each thing that is proposed."""

from submissions.intake.bundles.proposal.drafting import ProposedGold
from submissions.intake.bundles.proposal.reading import ImportProposal, read_bundle

__all__ = ["ImportProposal", "ProposedGold", "read_bundle"]
