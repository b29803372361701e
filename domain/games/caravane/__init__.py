"""Caravane, a race with secret bids."""
