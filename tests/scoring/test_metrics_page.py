"""The list of metrics, and the page that is made from it."""

import io

from django.core.management import call_command

from catalogue.metrics import METRICS


def printed(*options: str) -> str:
    out = io.StringIO()
    call_command("metrics", *options, stdout=out)
    return out.getvalue()


def test_every_metric_is_listed():
    names = [line.split()[0] for line in printed().splitlines()]
    assert names == [metric.name for metric in METRICS]


def test_every_metric_has_a_section_which_explains_its_undefined_cases():
    page = printed("--markdown")
    for metric in METRICS:
        section = page.partition(
            f"### `{metric.name}` for {metric.key.removeprefix(f'{metric.name} of ')}\n"
        )[2]
        section = section.partition("### ")[0]
        assert metric.title in section
        assert metric.reference in section
        assert all(sentence in section for sentence in metric.undefined.values())
