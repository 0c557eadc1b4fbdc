"""Campaigns ask people about items: units are leased to workers, answers kept, and a rule makes an outcome of them."""
