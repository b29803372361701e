"""Pebbles, the smallest game with secrets, used as a test game.

It shows that a new game needs nothing but its folder.
"""
