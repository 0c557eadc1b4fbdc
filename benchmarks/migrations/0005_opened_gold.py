from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0004_breaking"),
    ]

    operations = [
        migrations.AddField(
            model_name="split",
            name="gold_opened_at",
            field=models.DateTimeField(
                editable=False,
                help_text="Since when its gold labels are public: it is answered no longer.",
                null=True,
            ),
        ),
    ]
