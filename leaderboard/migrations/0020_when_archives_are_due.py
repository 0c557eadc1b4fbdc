"""Note when a worker may begin an archive, so that one process alone makes it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0019_names_of_before")]

    operations = [
        migrations.AddField(
            model_name="archiveorder",
            name="due_at",
            field=models.DateTimeField(
                help_text="When a worker may begin; later once one has begun.", null=True
            ),
        )
    ]
