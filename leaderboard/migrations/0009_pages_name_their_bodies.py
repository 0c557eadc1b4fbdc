import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0008_page_bodies")]

    operations = [
        migrations.AlterField(
            model_name="page",
            name="stored",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="pages",
                to="leaderboard.pagebody",
            ),
        ),
        migrations.RemoveField(model_name="page", name="body"),
        migrations.RemoveField(model_name="page", name="body_gzip"),
        migrations.RemoveField(model_name="page", name="etag"),
    ]
