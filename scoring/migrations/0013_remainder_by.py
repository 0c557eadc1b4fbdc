from django.db import migrations, models
from django.db.models import OuterRef, Subquery

from scoring.append_only_triggers import protect, unprotect

TABLE = "scoring_goldversion"


def lift(apps, schema_editor):
    unprotect(schema_editor, TABLE)


def put_back(apps, schema_editor):
    protect(schema_editor, TABLE)


def keep_the_draw(apps, schema_editor):
    """A version that has scored no part yet keeps the items back that the last one before it did."""
    versions = apps.get_model("scoring", "GoldVersion").objects
    runs = apps.get_model("scoring", "ScoringRun").objects.exclude(part="").filter(status="done")
    newest = versions.filter(split=OuterRef("split")).order_by("-number").values("pk")[:1]
    for version in versions.filter(pk=Subquery(newest)).defer("sealed"):
        scored = versions.filter(split=version.split_id, pk__in=runs.values("gold_version"))
        last = scored.order_by("-number").defer("sealed").first()
        if last is not None and last.pk != version.pk and last.key_fingerprint == version.key_fingerprint:
            versions.filter(pk=version.pk).update(remainder_by=last.commitment)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0012_part")]

    operations = [
        migrations.RunPython(lift, put_back),
        migrations.AddField(
            model_name="goldversion",
            name="remainder_by",
            field=models.CharField(
                blank=True,
                help_text="Commitment of the version by whose salt the private remainder is drawn; empty: its own, by the places of items instead of their ids.",
                max_length=64,
            ),
        ),
        migrations.RunPython(keep_the_draw, migrations.RunPython.noop),
        migrations.RunPython(put_back, lift),
    ]
