"""What counts publications is called a printing, because an edition is one of a benchmark's."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0001_initial")]

    operations = [
        migrations.RenameModel("Edition", "Printing"),
        migrations.RenameField("page", "edition", "printing"),
        migrations.RemoveConstraint("printing", "edition_is_one_row"),
        migrations.AddConstraint(
            "printing",
            models.CheckConstraint(condition=models.Q(("pk", 1)), name="printing_is_one_row"),
        ),
    ]
