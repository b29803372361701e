"""Caravansérail, a game of secret journeys and deals."""
