"""Outside platforms that send workers here, and the names that they give to things in their links."""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass

from django.urls import reverse
from django.utils.crypto import salted_hmac

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
    path = reverse("labelling:panel", args=[campaign.pk, platform.key, _key(campaign, platform)])
    return f"{path}?{platform.parameters}"


def is_study_key(campaign: Campaign, platform: Platform, key: str) -> bool:
    """Whether an address is one that `study_address` has made; whoever knows only the campaign's cannot make it up."""
    return hmac.compare_digest(key, _key(campaign, platform))


def _key(campaign: Campaign, platform: Platform) -> str:
    return salted_hmac("labelling.panel", f"{campaign.pk}/{platform.key}", algorithm="sha256").hexdigest()[
        :32
    ]
