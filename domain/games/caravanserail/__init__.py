"""Caravansérail, a game of secretly planned journeys and secret trade."""
