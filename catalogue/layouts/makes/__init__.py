"""Files as scorers and programs of others write them."""
