"""Outside platforms that send workers here, and the names that they give to things in their links."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.urls import reverse

from accounts.server.keyed_hashes import is_one_of, keyed_hashes
from labelling.models import Campaign


@dataclass(frozen=True, slots=True)
class Platform:
    """How a platform's links name a worker, and how they say that somebody only looks at the study.

    `parameters` is what an organiser adds to the study's address, in the platform's own notation.
    """

    key: str
    title: str
    worker: str
    parameters: str
    preview: tuple[str, str] | None = None

    def worker_of(self, sent: Mapping[str, str]) -> str:
        """The worker's id that a link holds; empty where it holds none."""
        return sent.get(self.worker, "").strip()

    def is_preview(self, sent: Mapping[str, str]) -> bool:
        return self.preview is not None and sent.get(self.preview[0]) == self.preview[1]


PLATFORMS: Mapping[str, Platform] = {
    platform.key: platform
    for platform in (
        Platform("prolific", "Prolific", "PROLIFIC_PID", "PROLIFIC_PID={{%PROLIFIC_PID%}}"),
        Platform(
            "mturk",
            "Mechanical Turk",
            "workerId",
            "workerId=${workerId}&assignmentId=${assignmentId}",
            preview=("assignmentId", "ASSIGNMENT_ID_NOT_AVAILABLE"),
        ),
    )
}


def study_address(campaign: Campaign, platform: Platform) -> str:
    """The path that an organiser gives to the platform, with the parameters that it fills in."""
    path = reverse("labelling:panel", args=[campaign.pk, platform.key, _keys(campaign, platform)[0]])
    return f"{path}?{platform.parameters}"


def is_study_key(campaign: Campaign, platform: Platform, key: str) -> bool:
    """Whether an address is one that `study_address` has made; whoever knows only the campaign's cannot make it up."""
    return is_one_of(key, _keys(campaign, platform))


def _keys(campaign: Campaign, platform: Platform) -> list[str]:
    """That of new addresses first, then those from before the server's secret was changed."""
    return [digest.hex()[:32] for digest in keyed_hashes("labelling.panel", f"{campaign.pk}/{platform.key}")]
