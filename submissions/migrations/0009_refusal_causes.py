from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("submissions", "0008_held_back")]

    operations = [
        migrations.AddField(
            model_name="refusal",
            name="causes",
            field=models.JSONField(
                default=list,
                help_text="What the problems are about, each cause told once with its true count.",
            ),
        ),
    ]
