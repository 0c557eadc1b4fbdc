"""The page that says how the labels of a benchmark were made, and the same numbers as JSON."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.conf import settings

from benchmarks.models import Benchmark
from leaderboard.board.charts.bar_chart import histogram
from leaderboard.board.charts.chart import Chart
from leaderboard.pages.labelling.told_campaigns import ToldCampaign, told_campaigns
from leaderboard.rendering.rendered_page import BenchmarkPage, RenderedPage, chart_files, html

TITLE = "How labels were made"
JSON_TYPE = "application/json"


@dataclass(frozen=True, kw_only=True)
class LabellingPage(BenchmarkPage):
    """Closed campaigns, each with the picture of its scores, None where it has none; files stand beside `base`."""

    template = "public/labelling.html"
    campaigns: Sequence[tuple[ToldCampaign, Chart | None]]
    base: str


def labelling_pages(benchmark: Benchmark) -> Iterator[RenderedPage]:
    """The page, its JSON and its pictures; nothing as long as no campaign has closed with an outcome."""
    campaigns = told_campaigns(benchmark)
    if not campaigns:
        return
    base = f"/benchmarks/{benchmark.slug}/labelling"
    drawn = [(told, _picture(told)) for told in campaigns]
    yield html(f"{base}/", LabellingPage(benchmark=benchmark.spec, campaigns=drawn, base=base))
    told: dict[str, Any] = {"benchmark": benchmark.slug, "campaigns": [_as_json(one) for one in campaigns]}
    told |= {"synthetic": True} if settings.SYNTHETIC_DEMO else {}
    yield RenderedPage(f"{base}.json", JSON_TYPE, json.dumps(told, ensure_ascii=False, indent=1).encode())
    yield from chart_files((picture for _, picture in drawn if picture), base)


def labelling_links(benchmark: Benchmark) -> dict[str, list[tuple[str, str]]]:
    """Address and title of the page, as of other boards; empty as long as there is none."""
    has_any = benchmark.campaigns.filter(status="closed", outcomes__isnull=False).exclude(
        task__is_retired=True
    )
    return {"Labels": [(f"/benchmarks/{benchmark.slug}/labelling/", TITLE)]} if has_any.exists() else {}


def _picture(told: ToldCampaign) -> Chart | None:
    title = f"Scores of “{told.campaign.after if told.borders else told.campaign}”"
    of = "outputs" if told.is_about_systems else "items"
    return histogram(
        told.anchor, title, told.numbers, told.borders, of=of, is_synthetic=settings.SYNTHETIC_DEMO
    )


def _as_json(told: ToldCampaign) -> dict[str, Any]:
    campaign = told.campaign
    closed = campaign.closed_at
    return {
        "id": str(campaign.pk),
        "title": campaign.title,
        "purpose": campaign.purpose,
        "task": campaign.task.slug if campaign.task else None,
        "split": campaign.split_slug or None,
        "question": campaign.asked.text,
        "kind": campaign.kind.key,
        "options": [{"value": option.value, "words": option.text} for option in campaign.asked.options],
        "closed_at": closed.isoformat() if closed else None,
        "units": told.units,
        "answers_per_unit": campaign.answers_wanted,
        "answers": told.answers,
        "people": told.people,
        "excluded": told.excluded,
        "check_questions": told.checks,
        "check_questions_right_at_least": told.check_rule,
        "rule": told.outcome.rule or None,
        "is_told": told.is_told,
        "items_with_a_value": told.outcome.item_count if told.is_told else None,
        "items_set_aside": told.outcome.set_aside if told.is_told else None,
        "agreement": [asdict(each) for each in told.agreement],
        "figures": {figure.name: figure.value for figure in told.figures},
        "classes": [asdict(each) for each in told.classes],
        "class_borders": told.borders,
        "cut_points": asdict(told.cuts) if told.cuts else None,
        "conditions": [asdict(each) for each in told.conditions],
        "sample": told.sample,
        "correct_samples": [asdict(each) for each in told.correct],
    }
