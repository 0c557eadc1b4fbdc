"""Who sees a benchmark; those of before are public."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0017_organisers_have_roles"),
    ]

    operations = [
        migrations.AddField(
            model_name="benchmark",
            name="visibility",
            field=models.CharField(
                choices=[
                    ("draft", "draft: nobody but those who have a role in it"),
                    ("private", "private: members of approved teams, and those who have a role in it"),
                    ("unlisted", "unlisted: everybody who has the address; no list and no search names it"),
                    ("public", "public: everybody"),
                ],
                default="public",
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="benchmark",
            constraint=models.CheckConstraint(
                condition=models.Q(("visibility__in", ["draft", "private", "unlisted", "public"])),
                name="benchmark_visibility_known",
            ),
        ),
    ]
