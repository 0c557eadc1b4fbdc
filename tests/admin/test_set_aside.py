"""Organisers are told of a batch that could not be published, and can publish it by hand."""

import pytest
from django.db import IntegrityError
from django.urls import reverse
from django.utils.html import strip_tags

from catalogue.metrics.choice import metric_for
from leaderboard.admin.releases import batches as admin
from leaderboard.models import Release
from leaderboard.publication import services
from scoring.models import Batch


@pytest.fixture
def client(client, organiser):
    client.force_login(organiser)
    return client


@pytest.fixture
def page(world):
    return reverse("admin:scoring_batch_publish", args=[world.scored.pk])


def _unfit(**arguments):
    metric_for(arguments["phase"].benchmark.spec.tasks[0].output, "rmse")


def _taken(release, **known):
    raise IntegrityError


@pytest.mark.parametrize(
    ("place", "sent"), [(admin, {}), (services, {"confirmed": "yes"})], ids=["preview", "publish"]
)
def test_publish_answers_in_words_where_it_cannot(client, page, monkeypatch, place, sent):
    monkeypatch.setattr(place, "build_boards", _unfit)
    answer = client.post(page, sent, follow=True)
    assert answer.status_code == 200
    (message,) = answer.context["messages"]
    assert (
        "`rmse` is a metric for a label with a confidence, a number, one of some labels in an order, ordered classes, "
        "not for one label of a set." in str(message)
    )
    assert "Correct the definition" in str(message)


def test_whoever_is_second_to_publish_three_times_does_not_set_the_batch_aside(
    client, page, world, monkeypatch
):
    monkeypatch.setattr(services, "print_release", _taken)
    for _ in range(3):
        answer = client.post(page, {"confirmed": "yes"}, follow=True)
    (message,) = answer.context["messages"]
    assert "Another release came out at the same moment." in str(message)
    world.scored.refresh_from_db()
    assert world.scored.set_aside_because == ""


def test_the_first_page_and_the_batch_say_that_it_was_set_aside_and_why(client, world):
    Batch.objects.filter(pk=world.scored.pk).update(set_aside_because="A reason.")
    waiting = [
        strip_tags(sentence) for sentence in client.get("/admin/", follow=True).context["home"].waiting
    ]
    assert any("could not be published and was set aside. A reason." in sentence for sentence in waiting)
    shown = strip_tags(
        client.get(reverse("admin:scoring_batch_change", args=[world.scored.pk])).content.decode()
    )
    assert "set aside" in shown
    assert "A reason." in shown


def test_publishing_takes_it_up_again(client, page, world):
    Batch.objects.filter(pk=world.scored.pk).update(set_aside_because="A reason.")
    client.post(page, {"confirmed": "yes"})
    assert Release.objects.filter(batch=world.scored).exists()
