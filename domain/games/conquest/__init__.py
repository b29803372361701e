"""Caravan Conquest, a journey over a map of tiles."""
