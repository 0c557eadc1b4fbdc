"""What organisers tell those who take part: terms and announcements, as rows and in the admin."""
