"""Caravane, a camel race with secret bids."""
