"""The screens by which a campaign is begun: proposals, every sentence that is told, and drafts changed."""

import pytest
from django.utils.html import escape

from accounts.models import AuditEntry
from benchmarks.admin.organised.links import add_address, address
from benchmarks.people.models import Role
from labelling.core.aggregation import AGGREGATION_RULES
from labelling.core.questions import QUESTION_KINDS
from labelling.models import Campaign
from labelling.outcomes import PURPOSES
from tests.conftest import TOY_DEFINITION, person
from tests.crowds import NOW, new_campaign, opened
from tests.labelling.test_admin_campaigns import organiser, press, upload
from tests.pages import browser_of, text_of
from tests.people import appoint

__all__ = ["organiser", "press"]

ABOUT = {
    "benchmark": "toy",
    "purpose": "gold_labels",
    "kind": "one_label",
    "rule": "majority",
    "split": "mood/test",
}
DETAILS = {
    **ABOUT,
    "title": "Moods",
    "text": "Is it good?",
    "options": "good | Good | praise\nbad | Bad",
    "setting_fewest": "2",
    "answers_wanted": "3",
    "page_size": "1",
    "lease_minutes": "30",
    "seconds_least": "0",
    "check_share": "0",
    "check_threshold": "0.7",
    "check_least": "5",
    "language": "en",
}


@pytest.fixture
def go(organiser):
    browser = browser_of(organiser)

    def gone(at, to, row=None, **sent):
        where = f"{address(row).removesuffix('change/')}edit/" if row else add_address(Campaign)
        return browser.post(where, {"at": at, "go": to, **sent}, follow=True)

    return gone


def test_three_screens_make_a_draft_that_is_in_the_log(toy, go, organiser):
    first = browser_of(organiser).get(add_address(Campaign))
    assert all(escape(purpose.sentence) in text_of(first) for purpose in PURPOSES)
    second = go(1, "next", benchmark="toy", purpose="gold_labels")
    assert second.context["screen"].number == 2
    third = go(2, "next", **ABOUT)
    assert third.context["screen"].form["options"].value() == "bad | bad\ngood | good"

    page = text_of(go(3, "keep", **DETAILS))

    campaign = Campaign.objects.get()
    assert campaign.task is not None
    assert "Moods is a draft. Add units next, then open it." in page
    assert (campaign.task.slug, campaign.split_slug, campaign.made_by) == ("mood", "test", organiser)
    assert (campaign.rule, campaign.rule_settings, campaign.is_sealed) == ("majority", {"fewest": 2}, True)
    assert [(one.value, one.text, one.gloss) for one in campaign.asked.options] == [
        ("good", "Good", "praise"),
        ("bad", "Bad", ""),
    ]
    assert AuditEntry.objects.latest("pk").what == "Began a draft."


def test_the_protocol_of_a_purpose_is_proposed(go):
    page = go(2, "next", **ABOUT | {"purpose": "human_row", "rule": "plurality"})
    assert page.context["screen"].form["answers_wanted"].value() == 5


def test_the_link_of_a_home_names_its_benchmark(organiser, sync):
    appoint(sync(TOY_DEFINITION.replace("id: toy", "id: other")), organiser)
    browser = browser_of(organiser)
    for query, chosen in (("?benchmark=other", "other"), ("?benchmark=none", None), ("", None)):
        page = browser.get(f"{add_address(Campaign)}{query}")
        assert page.context["screen"].form["benchmark"].value() == chosen


def test_what_makes_gold_labels_is_sealed_whatever_is_sent(go):
    go(3, "keep", **DETAILS, is_sealed="")
    assert Campaign.objects.get().is_sealed


def test_answers_alone_may_be_left_unsealed(go):
    go(3, "keep", **DETAILS | {"purpose": "answers", "split": ""})
    assert not Campaign.objects.get().is_sealed


@pytest.mark.parametrize(
    ("at", "changed", "sentence"),
    [
        (1, {"benchmark": "none"}, "Select a valid choice."),
        (1, {"purpose": ""}, "This field is required."),
        (2, {"rule": "ag2"}, "“Ag2 of Affect in Tweets” reads answers of the kind several labels"),
        (2, {"split": ""}, "This field is required."),
        (2, {"kind": "writing"}, "Select a valid choice."),
        (3, {"title": ""}, "This field is required."),
        (3, {"options": "good\ngood"}, "Line 2: “good” stands on line 1 already."),
        (3, {"options": "good"}, "There are 1 options; expected at least 2."),
        (3, {"options": "good\nsad"}, "“sad” is no label of Mood; these are bad, good."),
        (
            3,
            {"setting_fewest": "0"},
            "“answers that an item needs” must be a whole number from 1 to 1000; it is 0.",
        ),
        (3, {"check_share": "0.7"}, "Ensure this value is less than or equal to 0.5."),
        (3, {"answers_wanted": "0"}, "Ensure this value is greater than or equal to 1."),
        (3, {"kind": "number", "rule": "mean"}, "Mood takes other answers than numbers from 0.0 to 1.0."),
        (
            3,
            {"kind": "several_labels", "rule": "at_least", "setting_needed": 2},
            "Mood takes one per item, and this question asks for any number.",
        ),
    ],
)
def test_what_is_wrong_is_told_on_its_screen_and_nothing_is_kept(go, at, changed, sentence):
    page = go(at, "keep" if at == 3 else "next", **DETAILS | changed)
    assert page.context["screen"].number == at
    assert sentence in text_of(page)
    assert not Campaign.objects.exists()


def test_an_earlier_answer_that_was_tampered_with_leads_back_to_its_screen(go):
    page = go(3, "keep", **DETAILS | {"purpose": "magic"})
    assert page.context["screen"].number == 1
    assert not Campaign.objects.exists()


def test_back_keeps_what_was_typed(go):
    page = go(3, "back", **DETAILS)
    screen = page.context["screen"]
    assert (screen.number, screen.form["rule"].value()) == (2, "majority")
    assert ("title", "Moods") in screen.carried
    again = go(2, "next", **DETAILS | {"options_drawn": "on"})
    assert again.context["screen"].form["options_drawn"].value() is True


def test_a_look_shows_what_a_worker_sees_and_keeps_nothing(go):
    page = text_of(go(3, "look", **DETAILS | {"language": "ar", "content_warning": "Contains slurs."}))
    assert "A text of the file of units stands here." in page
    assert "dir=&quot;rtl&quot;" in page
    assert "Is it good?" in page
    assert not Campaign.objects.exists()


def test_every_purpose_offers_kinds_and_rules_that_there_are(go, toy):
    for purpose in PURPOSES:
        page = go(1, "next", benchmark="toy", purpose=purpose.key)
        form = page.context["screen"].form
        assert {key for key, _ in form.fields["kind"].choices} <= set(QUESTION_KINDS.keys())
        assert ("rule" in form.fields) == bool(purpose.offered_rules())


def test_answers_alone_may_be_settled_by_every_rule(go, toy):
    form = go(1, "next", benchmark="toy", purpose="answers").context["screen"].form
    assert {key for key, _ in form.fields["rule"].choices} == set(AGGREGATION_RULES.keys())


def test_texts_to_write_need_no_rule_and_come_from_prompts(go, press):
    about = {"purpose": "collection", "kind": "writing", "split": ""}
    unruled = {name: value for name, value in DETAILS.items() if name not in ("rule", "setting_fewest")}
    go(3, "keep", **unruled | about)
    campaign = Campaign.objects.get()
    assert (campaign.rule, campaign.rule_settings) == ("", {})
    page = text_of(
        press(campaign, "write_units", prompts="The food was good.\nIt rained.\n", without_prompt="2")
    )
    assert "There are 4 units now." in page
    assert "stands twice. Each is used once." in text_of(
        press(campaign, "write_units", prompts="It rained.\nIt rained.", without_prompt="0")
    )
    assert "There is nothing to write" in text_of(
        press(campaign, "write_units", prompts="", without_prompt="0")
    )


def test_a_draft_is_changed_and_its_units_go_when_they_would_not_fit(toy, go, press):
    go(3, "keep", **DETAILS)
    campaign = Campaign.objects.get()
    press(campaign, "add_units", file=upload())
    assert "Moods anew is changed." in text_of(go(3, "keep", campaign, **DETAILS | {"title": "Moods anew"}))
    assert campaign.units.count() == 3
    page = text_of(go(3, "keep", campaign, **DETAILS | {"options": "bad\ngood"}))
    assert "Its 3 units were about another question and are removed." in page
    assert not campaign.units.exists()


def test_either_a_share_or_the_median_decides_who_is_let_in(toy, go):
    both = {**DETAILS, "qualification_threshold": "0.5", "qualification_median_of": "10"}
    assert "Either a share or the median decides who goes on." in text_of(go(3, "keep", **both))
    go(3, "keep", **{**both, "qualification_threshold": ""})
    assert Campaign.objects.get().qualification_median_of == 10


def test_the_form_of_a_draft_says_what_the_draft_says(toy, go, organiser):
    go(3, "keep", **DETAILS)
    campaign = Campaign.objects.get()
    page = browser_of(organiser).get(f"{address(campaign).removesuffix('change/')}edit/")
    form = page.context["screen"].form
    assert form["options"].value() == "good | Good | praise\nbad | Bad"
    assert {name: str(form[name].value()) for name in DETAILS if name != "options"} == {
        name: {"check_share": "0.0", "seconds_least": "0.0"}.get(name, value)
        for name, value in DETAILS.items()
        if name != "options"
    }


def test_what_was_opened_is_not_edited(toy, go, gold_keys):
    campaign = opened(toy, 2)
    page = text_of(go(3, "keep", campaign, **DETAILS | {"title": "Others"}))
    assert "The campaign was opened, so what is asked is fixed." in page
    assert Campaign.objects.get().title == "Moods"


@pytest.mark.parametrize(
    ("role", "answer"), [(Role.ORGANISER, 200), (Role.READER, 403), (Role.ANNOTATOR, 403)]
)
def test_only_who_runs_a_benchmark_begins_campaigns(toy, role, answer):
    user = person("somebody")
    appoint(toy, user, role)
    assert browser_of(user).get(add_address(Campaign)).status_code == answer


def test_a_campaign_of_another_benchmark_cannot_be_begun_or_edited(toy, sync, gold_keys):
    other = sync(TOY_DEFINITION.replace("id: toy", "id: other"))
    user = person("stranger")
    appoint(other, user)
    browser = browser_of(user)
    sent = {"at": 3, "go": "keep", **DETAILS}
    assert browser.post(add_address(Campaign), sent).status_code == 200
    assert not Campaign.objects.exists()
    campaign = new_campaign(toy)
    assert browser.post(f"{address(campaign).removesuffix('change/')}edit/", sent).status_code == 404
    assert Campaign.objects.get().made_at == NOW
