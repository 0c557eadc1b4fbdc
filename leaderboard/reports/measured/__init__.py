"""What the scores of a release were measured with: a draft goes in; sets, metrics and versions of packages come out."""

from leaderboard.reports.measured.metric_packages import MetricPackages
from leaderboard.reports.measured.ranked_on import RankedOnReport

__all__ = ["MetricPackages", "RankedOnReport"]
