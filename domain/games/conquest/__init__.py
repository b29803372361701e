"""Caravan Conquest, a race with trading across a map of tiles."""
