"""What a person has on disk: uploads packed and checked, texts and pairs fetched, gold labels verified."""
